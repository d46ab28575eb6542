"""Each document of a run is done exactly once, whatever stops, repeats or dies."""

import signal
from datetime import timedelta

import pytest
from billiard.pool import soft_timeout_sighandler
from celery import current_app
from django.db import connection, connections
from django.utils import timezone

from retrieval import services
from retrieval.ingestion import process
from retrieval.ingestion.store import ConcurrentEdit
from retrieval.models import Chunk, CorpusState, Document, IngestionItem, IngestionRun
from tests.retrieval.ingestion.workers import wait_until

State = IngestionItem.State


def started(hospital, *documents):
    run = services.start_run(hospital, documents, by=None)
    return run, list(run.items.order_by("pk"))


@pytest.mark.django_db
class TestOneWorker:
    def test_a_run_is_finished_with_its_last_document(self, hospital, document):
        run, (first, second) = started(hospital, document("a.html"), document("b.html"))

        services.ingest_item(first.pk)
        run.refresh_from_db()
        assert run.state == IngestionRun.State.RUNNING

        services.ingest_item(second.pk)
        run.refresh_from_db()
        assert run.state == IngestionRun.State.FINISHED
        assert services.counts(run)[State.PROCESSED] == 2

    def test_a_message_that_comes_twice_does_nothing(self, hospital, document):
        _, (item,) = started(hospital, document())

        services.ingest_item(item.pk)
        services.ingest_item(item.pk)

        item.refresh_from_db()
        assert (item.state, item.attempts) == (State.PROCESSED, 1)
        assert CorpusState.objects.get().revision == 1

    def test_a_stopped_run_takes_nothing_up_until_it_is_resumed(self, hospital, document):
        run, (item,) = started(hospital, document())

        services.stop_run(run)
        services.ingest_item(item.pk)
        item.refresh_from_db()
        assert item.state == State.DISCOVERED

        services.resume_run(run)
        services.ingest_item(item.pk)
        item.refresh_from_db()
        assert item.state == State.PROCESSED

    def test_an_item_whose_worker_is_gone_waits_again(self, hospital, document):
        _, (item,) = started(hospital, document())
        process.claim(item.pk)

        assert services.recover(hospital) == 1

        item.refresh_from_db()
        assert (item.state, item.attempts) == (State.DISCOVERED, 1)

    def test_a_document_that_ends_its_worker_each_time_is_given_up(self, hospital, document):
        page = document()
        _, (item,) = started(hospital, page)

        for _ in range(process.MOST_ATTEMPTS):
            process.claim(item.pk)
            services.recover(hospital)

        item.refresh_from_db()
        page.refresh_from_db()
        assert item.state == State.DEAD
        assert page.status == Document.Status.FAILED
        assert IngestionRun.objects.get().state == IngestionRun.State.FINISHED

    def test_a_claim_that_is_out_of_date_writes_nothing(self, hospital, document):
        _, (item,) = started(hospital, document())
        old = process.claim(item.pk)
        services.recover(hospital)
        new = process.claim(item.pk)

        with pytest.raises(ConcurrentEdit):
            process.settle(old, State.PROCESSED)

        process.settle(new, State.PROCESSED)

    def test_what_the_broker_lost_is_handed_out_again(self, hospital, document):
        started(hospital, document())
        assert services.recover(hospital) == 0

        IngestionItem.objects.update(claimed_at=timezone.now() - timedelta(minutes=31))

        assert services.recover(hospital) == 1


@pytest.mark.django_db(transaction=True)
def test_a_document_that_its_task_has_no_time_for_is_set_aside_in_words(
    hospital, document, monkeypatch
):
    page, next_page = document(), document("b.html")
    run, (item, other) = started(hospital, page, next_page)

    def slow(*_args, **_more):
        connection.cursor().execute("SELECT pg_sleep(3)")  # Cut off in the middle of a statement.

    signal.signal(signal.SIGALRM, soft_timeout_sighandler)  # As Celery's own signal does.
    try:
        with monkeypatch.context() as patched:
            patched.setattr(process, "hash_of", slow)
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            services.ingest_item(item.pk)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    services.ingest_item(other.pk)

    item.refresh_from_db()
    page.refresh_from_db()
    run.refresh_from_db()
    assert (item.state, item.attempts) == (State.DEAD, 1)
    assert (
        page.reason
        == item.reason
        == "It took its worker more than 300 seconds: divide the document"
    )
    assert services.counts(run)[State.PROCESSED] == 1
    assert run.state == IngestionRun.State.FINISHED


def test_every_task_has_limits():
    app = current_app._get_current_object()
    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]

    assert len(ours) > 10
    assert (app.conf.task_soft_time_limit, app.conf.task_time_limit) == (300, 330)
    assert app.conf.worker_max_memory_per_child == 2 * 1024**2
    long = {task.name for task in ours if task.soft_time_limit > 300}
    assert long == {f"evaluation.tasks.{name}" for name in ("ask_run", "replay", "grade_answers")}
    assert all(task.time_limit == task.soft_time_limit + 30 for task in ours)


@pytest.mark.django_db(transaction=True)
def test_two_workers_do_not_hold_one_document(document):
    page = document()

    with process.held(page.pk) as mine:
        owner = connections["owner"].cursor()
        owner.execute(
            "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [f"{process.LOCK}.{page.pk}"]
        )
        theirs = owner.fetchone()[0]

    assert (mine, theirs) == (True, False)


BODY = "".join(
    f"<h2>Deel {n}</h2><p>{f'Zin over onderwerp {n} van de dienst Longziekten. ' * 30}</p>"
    for n in range(3)
)
PAGES = 12


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_a_worker_killed_in_the_middle_loses_nothing_and_duplicates_nothing(
    hospital, document, workers
):
    pages = [document(f"{n}.html", body=BODY, title=f"Pagina {n}") for n in range(PAGES)]
    run, _ = started(hospital, *pages)

    def done() -> int:
        return services.counts(run)[State.PROCESSED]

    first = workers.start()
    assert wait_until(lambda: done() >= 3), workers.log.read_text()
    workers.kill(first)
    before = done()
    assert 3 <= before < PAGES

    workers.start()
    assert wait_until(lambda: done() == PAGES), workers.log.read_text()[-3000:]

    assert wait_until(lambda: IngestionRun.objects.get().state == IngestionRun.State.FINISHED)
    assert set(Document.objects.values_list("status", flat=True)) == {Document.Status.READY}
    per_page = {page.pk: page.chunks.count() for page in pages}
    assert len(set(per_page.values())) == 1
    assert CorpusState.objects.get().revision == PAGES
    with connections["owner"].cursor() as owner:
        for table in ("retrieval_vector", "retrieval_posting"):
            owner.execute(f"SELECT chunk_id, count(*) FROM {table} GROUP BY chunk_id")
            rows = dict(owner.fetchall())
            assert set(rows) == set(Chunk.objects.values_list("pk", flat=True))
            assert len(set(rows.values())) == 1
