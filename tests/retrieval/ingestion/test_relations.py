"""Pages stand to each other as their links and words tell when a run ends, and as staff decide."""

from datetime import date

import pytest

from retrieval.models import Document, Origin
from retrieval.selectors import forget_pages, live_pages
from tests.builders import passage
from tests.retrieval.ingestion.conftest import document, ingest
from tests.zol.staff import signed_in
from zol.models import Role

__all__ = ["document", "ingest"]

pytestmark = pytest.mark.django_db
LIST = "/admin/retrieval/document/"
TEXT = (
    "<p>Bezoek is elke dag welkom van {hours} uur op alle verpleegafdelingen van het ziekenhuis."
    " Kom met hoogstens drie personen en hou rekening met andere patiënten.</p>"
)
DATED = "<p><time datetime={day}>toen</time></p>"


@pytest.fixture(autouse=True)
def nothing_known(broker_in_memory):
    forget_pages()


@pytest.fixture
def twins(document, ingest):
    """Two pages of one title, of which the older one tells other hours."""
    old = document("oud.html", TEXT.format(hours="14 tot 19") + DATED.format(day="2019-05-03"))
    new = document("nieuw.html", TEXT.format(hours="14 tot 20") + DATED.format(day="2025-06-04"))
    for page in (old, new):
        ingest(page)
    return Document.objects.get(pk=old.pk), Document.objects.get(pk=new.pk)


def test_a_date_is_read_with_where_it_stands_and_what_staff_said_stays(document, ingest):
    page = document("a.html", TEXT.format(hours="8") + DATED.format(day="2019-05-03"))
    told = document("b.html", DATED.format(day="2020-01-02"), updated_on=date(2024, 1, 1))
    named = document("c_2020-01-02.html")
    for each in (page, told, named):
        ingest(each)

    assert (page.updated_on, page.updated_from) == (date(2019, 5, 3), Origin.FILE)
    assert (told.updated_on, told.updated_from) == (date(2024, 1, 1), "")
    assert (named.updated_on, named.updated_from) == (date(2020, 1, 2), Origin.NAME)


def test_the_older_of_two_pages_is_proposed_and_the_current_one_comes_first(twins):
    old, new = twins
    pages = live_pages()
    found = [passage(source=pages.by_path[each.path].source) for each in twins]

    assert (old.replaced_by, new.replaced_by) == ("nieuw.html", "")
    assert (
        old.replaced_because
        == "The same title. This document dates from 2019-05-03, the other from 2025-06-04."
    )
    assert pages.replaced(found) == {old.pk: new.pk}
    assert pages.replaced(found[:1]) == {}


def test_staff_see_why_and_keep_it_for_good(hospital, twins, ingest):
    curator = signed_in(hospital, Role.CURATOR)
    old, _new = twins

    shown = curator.get(f"{LIST}?outdated=1").content.decode()
    home = curator.get("/admin/").content.decode()
    curator.post(LIST, {"action": "keep", "_selected_action": [old.pk]}, follow=True)
    ingest(old)
    old.refresh_from_db()

    assert "This document dates from 2019-05-03, the other from 2025-06-04." in shown
    assert "Documents that may be outdated" in home
    assert (old.replaced_by, old.kept_beside) == ("", ["nieuw.html"])
    assert "0 documents" in curator.get(f"{LIST}?outdated=1").content.decode()


def read_anew():
    forget_pages()
    return live_pages()


HEAD = "<html><head><link rel=alternate hreflang={code} href='{url}'></head><body><main><h1>{title}</h1>"
PAIR = (
    ("nl.html", "nl", "Bezoek", "fr", "https://a.be/fr"),
    ("fr.html", "fr", "Visites", "nl", "https://a.be/nl"),
)


def test_pages_that_link_to_each_other_are_one_in_two_languages(document, ingest):
    for path, language, title, code, url in PAIR:
        data = f"{HEAD.format(code=code, url=url, title=title)}{TEXT.format(hours=8)}".encode()
        ingest(
            document(
                path, data=data, title=title, language=language, url=f"https://a.be/{language}"
            )
        )
    pages = read_anew()
    found = [passage(source=pages.by_path[path].source) for path in ("nl.html", "fr.html")]

    assert pages.by_path["fr.html"].translation_of == "nl.html"
    for wanted in ("nl", "fr"):
        (only,) = pages.in_one_language(found, (wanted, "nl"))
        assert only.source.language == wanted
