"""Chunks have the category that a version's keywords give them, live, going live or gone back to."""

from functools import partial
from itertools import count
from time import sleep

import pytest

from retrieval.categories import classifier_of
from retrieval.ingestion import classification
from retrieval.ingestion.classification import classify_chunks, live_key, unclassified
from retrieval.models import CategoryKeyword, Chunk
from retrieval.query import Query
from retrieval.search import hybrid_search
from taxonomy.publishing.approval import snapshot_of_release
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import POINTER_LIFETIME, live_snapshot
from tests.retrieval.index_builders import EMBEDDER, indexed
from tests.taxonomy.releases import approver, publish_draft, submitted
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
HOME = "/admin/"


@pytest.fixture
def pages(hospital):
    """Three pages with a word that no version knows yet."""
    return [chunk for _ in range(3) for chunk in indexed(hospital, "De zonnewijzer op het plein.")]


def keyword(hospital, category):
    CategoryKeyword.objects.filter(keyword="zonnewijzer").delete()
    CategoryKeyword.objects.create(
        hospital=hospital, category=category, language="nl", keyword="zonnewijzer", weight=3.0
    )
    return partial(publish_draft, hospital)


def found(snapshot=None):
    classifier = (snapshot or live_snapshot()).derived(classifier_of)
    query = Query("zonnewijzer", dense_weight=0.0)
    passages = hybrid_search(query, embedder=EMBEDDER, classifier=classifier).passages
    return {passage.category for passage in passages}


def shown():
    return set(Chunk.objects.values_list("category", flat=True))


def test_published_keywords_judge_every_chunk_at_once_and_for_staff_in_the_background(
    hospital, pages
):
    keyword(hospital, "practical")()

    assert (found(), shown()) == ({"practical"}, {"general"})
    classify_chunks()
    assert (found(), shown()) == ({"practical"}, {"practical"})
    assert not unclassified(live_key()).exists()


def test_going_back_to_a_version_goes_back_to_its_categories(hospital, pages):
    first = keyword(hospital, "practical")()
    classify_chunks()
    keyword(hospital, "regulatory")()
    classify_chunks()
    assert found() == shown() == {"regulatory"}

    activate(first, by=approver(hospital), why="Verkeerd.")

    sleep(2 * POINTER_LIFETIME)
    assert found() == {"practical"}
    assert not unclassified(live_key()).exists(), "its verdicts were kept"
    classify_chunks()
    assert shown() == {"practical"}


def test_a_release_that_waits_is_read_with_its_own_categories(hospital, pages):
    keyword(hospital, "practical")()
    keyword(hospital, "legal_admin")
    release = submitted(hospital)
    classify_chunks()

    assert found(snapshot_of_release(release)) == {"legal_admin"}
    assert found() == shown() == {"practical"}


def test_a_killed_judge_goes_on_where_it_was_and_staff_see_how_far(hospital, pages, monkeypatch):
    keyword(hospital, "practical")()
    staff, written, batches = signed_in(hospital, Role.OPERATOR), classification._write, count()

    def killed(*given):
        if next(batches):
            raise KeyboardInterrupt
        written(*given)

    monkeypatch.setattr(classification, "BATCH", 2)
    monkeypatch.setattr(classification, "_write", killed)
    with pytest.raises(KeyboardInterrupt):
        classify_chunks()
    kept = [chunk.categories for chunk in Chunk.objects.order_by("pk")]
    assert [bool(each) for each in kept] == [True, True, False]
    assert "that the live keywords must still judge; 2 of 3 are done" in staff.get(HOME).text

    monkeypatch.setattr(classification, "_write", written)
    classify_chunks()

    assert shown() == {"practical"}
    assert "Passages that the live keywords" not in staff.get(HOME).text


def test_what_staff_set_and_what_is_replaced_meanwhile_are_left_alone(hospital, pages, monkeypatch):
    fixed, replaced, _plain = pages
    Chunk.objects.filter(pk=fixed.pk).update(category="legal_admin", category_fixed=True)
    keyword(hospital, "practical")()
    written = classification._write

    def beaten(classifier, kept, batch):
        Chunk.objects.filter(pk=replaced.pk).update(content="Iets anders.")
        written(classifier, kept, batch)

    monkeypatch.setattr(classification, "_write", beaten)
    classify_chunks()

    verdicts = dict(Chunk.objects.values_list("pk", "category"))
    assert verdicts[fixed.pk] == "legal_admin"
    assert verdicts[replaced.pk] == "general", "judged by the words that it has now"
