"""Rows of the corpus as plain values, and how far answers were off the subject."""

from contextlib import suppress
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from retrieval.models import CategoryMismatch, Chunk, Document
from retrieval.passage import Page, Pages
from retrieval.selectors import (
    by_day,
    by_name,
    cell_counts,
    neighbours_of,
    off_subject,
    overall,
    read_pages,
    rest_of,
)  # fmt: skip
from tests.builders import passage
from tests.zol.staff import signed_in
from zol.errors import SearchFailed
from zol.models import Role

pytestmark = pytest.mark.django_db


def test_a_thing_without_an_address_is_not_cited_to_a_page_without_one():
    page = Page(1, "Folder zonder adres", "")

    assert Pages(by_url={"": page}).about("Cardiologie", "") is None


def document(hospital, title, *contents, url="", position=1):
    row = Document.objects.create(
        hospital=hospital, path=f"{title}.html", title=title, url=url, status="ready",
        position=position,
    )  # fmt: skip
    chunks = [
        Chunk.objects.create(hospital=hospital, document=row, ordinal=ordinal, content=content)
        for ordinal, content in enumerate(contents)
    ]
    return row, chunks


def test_a_page_opens_at_its_first_passage_that_may_be_seen(hospital):
    row, (first, second) = document(hospital, "Parkeren", "Oud.", "Nieuw.", url="https://a.be/p")
    Chunk.objects.filter(pk=first.pk).update(is_enabled=False)

    page = read_pages().by_url["https://a.be/p"]

    assert (page.chunk_id, page.opening) == (second.pk, "Nieuw.")
    assert page.document_id == row.pk
    Chunk.objects.update(is_enabled=False)
    assert read_pages().by_url == {}


def test_of_two_pages_of_one_title_the_first_of_the_pack_counts(hospital):
    document(hospital, "Later", "Twee.", url="https://a.be/2", position=2)
    row, _ = document(hospital, "Eerst", "Een.", url="https://a.be/1", position=1)
    Document.objects.update(title="Zelfde")

    assert read_pages().by_title["zelfde"].document_id == row.pk
    assert "" not in read_pages().by_url


def test_whom_to_call_is_a_page_that_gives_the_number_of_the_hospital(hospital):
    type(hospital).objects.update(phone="02 555 40 00")
    document(hospital, "Verloren voorwerpen", "Bel 02 555 40 001.", position=1)
    Document.objects.update(category="Contact")
    assert read_pages().contact("nl") is None
    row, (_, giving) = document(hospital, "Contact", "Welkom.", "Bel 02/555.40.00.", position=2)
    french, _ = document(hospital, "Nous contacter", "Appelez le 02 555 40 00", position=3)
    Document.objects.update(category="Contact")
    Document.objects.filter(pk=french.pk).update(language="fr")

    pages = read_pages()

    assert (pages.contact("nl").document_id, pages.contact("nl").chunk_id) == (row.pk, giving.pk)
    assert pages.contact("fr").document_id == french.pk
    assert pages.contact("el").document_id == row.pk


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(neighbours_of, id="what stands beside passages"),
        pytest.param(rest_of, id="the rest of their pages"),
    ],
)
def test_a_database_that_cannot_read_is_a_search_that_failed(hospital, read):
    document(hospital, "Parkeren", "Oud.", "Nieuw.")
    found = [passage("Oud.")]

    with pytest.raises(SearchFailed), transaction.atomic():
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
        read(found)


PAGE = "/admin/retrieval/categorymismatch/"
API = "/api/v1/admin/ops/category-mismatch"


def measured(hospital, rate, row="practical", *, days=0, **fields):
    found = CategoryMismatch.objects.create(
        hospital=hospital,
        mismatch_rate=rate,
        chunks_total=5,
        chunks_off_category=round(5 * rate),
        **{"steering_row": row, "intent": row, "primary_category": "general"} | fields,
    )
    moment = timezone.now() - timedelta(days=days)
    CategoryMismatch.objects.filter(pk=found.pk).update(created_at=moment)
    return found


@pytest.fixture
def rows(hospital):
    measured(hospital, 1.0, days=1)
    measured(hospital, 0.2)
    measured(hospital, 0.4, "clinical")
    return CategoryMismatch.objects.all()


def test_days_stand_in_order_with_their_mean(rows):
    yesterday, today = by_day(rows)

    assert yesterday.pop("day") < today.pop("day")
    assert yesterday == {"answers": 1, "rate": 1.0, "high": 1}
    assert today == {"answers": 2, "rate": 0.3, "high": 0}


def test_the_worst_row_comes_first(rows):
    assert [(each["name"], each["rate"]) for each in by_name(rows, "steering_row")] == [
        ("practical", 0.6),
        ("clinical", 0.4),
    ]
    assert overall(rows)["high"] == 1


def test_the_page_has_the_chart_and_its_figures_as_a_table(hospital, rows):
    page = signed_in(hospital, Role.ANALYST).get(PAGE).text

    assert page.count("<rect") == 2
    assert 'role="img"' in page
    assert "3 answers; in 1 of them more than 60% was off the subject." in page
    assert 'y="70.0"' in page
    assert "style=" not in page.partition("<svg")[2].partition("</svg>")[0]


def test_the_api_tells_a_period(hospital, rows):
    measured(hospital, 0.8, days=40)
    told = signed_in(hospital, Role.ANALYST).get(API).json()

    assert told["period_days"] == 30
    assert told["total"] == {"answers": 3, "rate": 0.5333, "high": 1}
    assert [day["answers"] for day in told["days"]] == [1, 2]
    assert told["steering_rows"][0] == {"answers": 2, "rate": 0.6, "high": 1, "name": "practical"}


def turns(hospital, *rates):
    for rate in rates:
        measured(hospital, rate, message_id=uuid4())


def test_the_home_page_warns_from_a_mean_over_6_until_it_is_below_5(hospital):
    staff = signed_in(hospital, Role.ANALYST)

    def is_warned():
        return "another subject than was asked" in staff.get("/admin/").text

    turns(hospital, *[0.8] * 49)
    assert not is_warned(), "too few turns"
    turns(hospital, 0.8)
    assert is_warned()
    turns(hospital, *[0.0] * 17)
    assert off_subject() == pytest.approx(0.528), "once raised it stays until .5"
    assert is_warned()
    turns(hospital, *[0.0] * 2)
    assert not is_warned()
    turns(hospital, *[0.8] * 14)
    assert not is_warned(), "and does not come back below .6"


def test_parts_of_one_question_are_one_turn(hospital):
    turns(hospital, *[1.0] * 49)
    one = uuid4()
    measured(hospital, 0.0, message_id=one)
    measured(hospital, 1.0, message_id=one)

    assert off_subject() == pytest.approx(0.99)


def test_a_cell_counts_the_questions_in_it_and_those_that_it_changed(hospital):
    said = {"categories": ["clinical", "practical"]}
    for number in range(20):
        measured(hospital, 0.2, **said, changed_by=["practical"] if number < 3 else [])
    measured(hospital, 0.2, days=100, **said)

    assert cell_counts() == {
        ("practical", "practical"): (20, 3),
        ("practical", "clinical"): (20, 0),
    }
