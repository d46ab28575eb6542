"""Live answers waited behind embedding jobs, because both stood in one queue."""

import uuid
from contextlib import closing

from celery import current_app
from django.conf import settings

from retrieval import tasks


def queue_of(task_name: str) -> str:
    return current_app.amqp.router.route({}, task_name)["queue"].name


def test_ingestion_and_live_work_never_share_a_queue():
    assert queue_of(tasks.ingest_document.name) == "ingest"
    assert queue_of(tasks.recover_runs.name) == "ingest"
    assert queue_of("chat.tasks.anything") == settings.CELERY_TASK_DEFAULT_QUEUE == "live"


def test_a_thousand_documents_leave_the_live_queue_empty():
    """Sent for a hospital that does not exist; whoever takes one does nothing."""
    live = f"live-{uuid.uuid4().hex[:8]}"
    ingest = f"ingest-{uuid.uuid4().hex[:8]}"
    for number in range(1_000):
        tasks.ingest_document.apply_async((0, number), queue=ingest)

    current_app.send_task("chat.tasks.nothing", queue=live)

    with current_app.connection_for_write() as connection:
        channel = connection.default_channel
        assert channel.queue_declare(ingest).message_count == 1_000
        first = channel.basic_get(live)
        assert first.headers["task"] == "chat.tasks.nothing"
        channel.basic_ack(first.delivery_tag)
        channel.queue_purge(ingest)
        channel.queue_delete(ingest)
        channel.queue_delete(live)


def test_a_worker_for_ingestion_takes_nothing_but_ingestion():
    """What starts the workers says so: one command for each queue."""
    from zol.management.commands.demo import _programs
    from zol.web.programs import taken

    with closing(taken("127.0.0.1", 0)) as port:
        programs = _programs(port)
    queues = [
        program.command[program.command.index("-Q") + 1].split(",")
        for program in programs
        if "-Q" in program.command
    ]

    assert ["ingest"] in queues
    assert not any("ingest" in each and "live" in each for each in queues)
