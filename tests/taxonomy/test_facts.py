"""Facts in the draft: editing, import and publication."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import translation

from retrieval.models import Chunk, Document
from taxonomy.facts.index import candidates
from taxonomy.facts.print import format_value
from taxonomy.facts.records import FactConditions
from taxonomy.models import Fact
from taxonomy.proposals.merging import merge
from taxonomy.publishing.differences import pending
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import live_snapshot, recheck_live_versions
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind
from tests import factories
from tests.taxonomy.packs.test_imports import apply, show
from tests.taxonomy.releases import approver, publish_draft
from tests.zol.staff import filled_in

pytestmark = pytest.mark.django_db
FACTS = "/admin/taxonomy/fact/"


@pytest.fixture
def north(hospital):
    return factories.entity(hospital, Kind.CAMPUS, "Campus Noord", key="noord")


@pytest.fixture
def lab(hospital):
    return factories.entity(hospital, Kind.DEPARTMENT, "Labo")


def fact(hospital, need, value, subject=None, **fields):
    made = Fact(hospital=hospital, need=need, value=value, subject=subject, **fields)
    made.full_clean()
    made.save()
    return made


def test_a_fact_is_stored_in_its_normal_form(hospital, lab):
    made = fact(hospital, "opening_hours", "weekdagen 8u-17u", lab, conditions={"inpatient": "Ja"})

    assert made.value == "ma-vr 8:00-17:00"
    assert made.conditions == {"inpatient": "yes"}
    assert made.printed("fr") == "lundi-vendredi 8:00-17:00"


@pytest.mark.parametrize(
    ("fields", "column"),
    [
        ({"need": "opening_hours", "value": "meestal"}, "value"),
        ({"need": "inside", "value": "zuid"}, "value"),
        ({"need": "parking_price", "value": "1", "conditions": {"moon": "full"}}, "conditions"),
        (
            {
                "need": "parking_price", "value": "1", "valid_from": date(2026, 2, 1),
                "valid_to": date(2026, 1, 1),
            },
            "valid_to",
        ),
    ],
)  # fmt: skip
def test_an_invalid_fact_is_refused_at_its_field(hospital, north, fields, column):
    with pytest.raises(ValidationError) as refused:
        fact(hospital, **fields)

    assert set(refused.value.message_dict) == {column}


def test_one_need_of_one_subject_has_one_value(hospital, lab):
    fact(hospital, "contact", "089 00 50 50", lab)

    with translation.override("en"), pytest.raises(ValidationError, match="already a fact"):
        fact(hospital, "contact", "089 00 50 51", lab)
    with pytest.raises(IntegrityError), transaction.atomic():
        Fact.objects.create(hospital=hospital, need="contact", value="112", subject=lab)


def test_a_curator_adds_a_price_by_its_fields(curator, hospital, north):
    chosen = curator.get(f"{FACTS}add/")
    assert '<option value="parking_price">parking price</option>' in chosen.text

    page = curator.get(f"{FACTS}add/?need=parking_price")
    values = filled_in(
        page, subject=north.pk, value_amount="1,80", value_per="begun_hour",
        value_free="30 minuten", value_maximum="9", value_note_nl="met kaart",
    )  # fmt: skip
    saved = curator.post(f"{FACTS}add/?need=parking_price", values, follow=True)

    made = Fact.objects.get()
    assert made.value == (
        "1.80 | per: begun_hour | free: 30 minute | maximum: 9 | note nl: met kaart"
    ), saved.context.get("errors")
    assert "€1.80 per hour or part of an hour, first 30 minutes free" in saved.text


def test_a_condition_of_an_earlier_release_is_shown_and_never_silently_dropped(
    curator, hospital, lab
):
    made = fact(hospital, "contact", "089 00 50 50", lab)
    Fact.objects.update(conditions={"insurance": "increased"})

    page = curator.get(f"{FACTS}{made.pk}/change/")
    refused = curator.post(f"{FACTS}{made.pk}/change/", filled_in(page))

    assert "insurance: increased" in curator.get(FACTS).text
    assert "is not a condition" in refused.text
    assert Fact.objects.get().conditions == {"insurance": "increased"}


def test_a_fact_is_changed_where_it_was_written(curator, hospital, lab):
    made = fact(
        hospital, "opening_hours", "ma-vr 8-12; ma-vr 13-17 | dates: 12-25 gesloten", lab,
        conditions={"campus": ""},
    )  # fmt: skip
    page = curator.get(f"{FACTS}{made.pk}/change/")
    assert "lundi-vendredi 8:00-12:00 et 13:00-17:00" in page.text

    values = filled_in(page)
    assert values["value_week"] == "ma-vr 8:00-12:00\nma-vr 13:00-17:00"
    values["value_holidays"] = "gesloten"
    curator.post(f"{FACTS}{made.pk}/change/", values)

    made.refresh_from_db()
    assert made.value == (
        "ma-vr 8:00-12:00; ma-vr 13:00-17:00 | dates: 12-25 gesloten | holidays: gesloten"
    )


def test_the_list_shows_facts_that_their_page_no_longer_contains(curator, hospital, lab):
    page = Document.objects.create(
        hospital=hospital, path="labo.html", title="Labo", status=Document.Status.READY
    )
    Chunk.objects.create(hospital=hospital, document=page, ordinal=0, content="Open: 8:00 – 17:00.")
    said = {"source": "labo.html", "sentence": "open 8:00-17:00"}
    fact(hospital, "opening_hours", "ma-vr 8-17", lab, **said)
    fact(hospital, "contact", "089 00 50 50", lab, source="labo.html", sentence="Bel 089")
    fact(hospital, "smoking", "nee", source="weg.html", sentence="Niet roken")

    listed = curator.get(FACTS).text
    assert "as on its page" in listed
    assert "the page no longer says so" in listed
    assert "the page is gone" in listed
    stale = curator.get(f"{FACTS}?source_state=stale")
    assert {row.need for row in stale.context["cl"].result_list} == {"contact", "smoking"}
    assert f"{FACTS}?source_state=stale" in curator.get("/admin/").text


ROWS = (
    "need,subject_kind,subject,conditions,value,source,sentence,valid_from,valid_to\n"
    "opening_hours,department,labo,,weekdagen 8u-17u,labo.html,Open,,\n"
    "opening_hours,department,labo,campus: noord,ma 8-9,,,,\n"
    "contact,,,,089 00 50 50 | staffed: dag en nacht,,,,31/12/2026\n"
)


def test_a_table_of_facts_is_previewed_and_imported(curator, lab, north):
    page = show(curator, FACTS, ROWS)
    assert "3 new, 0 changed, 0 unchanged" in page.text
    assert not Fact.objects.exists()

    apply(curator, FACTS, page)
    assert Fact.objects.count() == 3
    assert Fact.objects.get(need="contact").valid_to == date(2026, 12, 31)

    page = show(curator, FACTS, ROWS.replace("weekdagen 8u-17u", "ma-vr 8:00-18:00"))
    assert "0 new, 1 changed, 2 unchanged" in page.text
    out = curator.get(f"{FACTS}export/csv/").content
    assert "0 new, 0 changed, 3 unchanged" in show(curator, FACTS, out).text
    book = curator.get(f"{FACTS}export/xlsx/").content
    assert "0 new, 0 changed, 3 unchanged" in show(curator, FACTS, book, "f.xlsx").text


def test_a_price_is_published_by_a_release_and_rolled_back_in_one_step(hospital, north):
    price = fact(hospital, "parking_price", "1,80 | per: hour", north)
    first = publish(hospital, by=None)
    price.value = "2,00 | per: hour"
    price.full_clean()
    price.save()

    with translation.override("en"):
        section = pending(hospital).section("taxonomy.fact")
        change = section.items[0].changes[0]
    assert (change.field, change.before, change.after) == (
        "value", "1.80 | per: hour", "2.00 | per: hour",
    )  # fmt: skip
    assert told(north) == "€ 1,80 per uur"
    publish_draft(hospital)
    assert told(north) == "€ 2,00 per uur"
    activate(first, by=approver(hospital), why="Te vroeg")
    assert told(north) == "€ 1,80 per uur"


def told(campus):
    recheck_live_versions(campus.hospital_id)
    snapshot = live_snapshot()
    thing = snapshot.vocabulary.get(Kind.CAMPUS, campus.key)
    found, *_ = candidates(snapshot, "parking_price", thing, FactConditions())
    return format_value(found.value, "nl", own="nl", name=str)


def test_facts_of_a_merged_entity_belong_to_the_kept_one(hospital, lab):
    other = factories.entity(hospital, Kind.DEPARTMENT, "Laboratorium")
    fact(hospital, "contact", "089 00 50 50", other)
    merge(other, lab, by=None)
    publish(hospital, by=None)

    snapshot = live_snapshot()
    thing = snapshot.vocabulary.get(Kind.DEPARTMENT, "labo")
    (found,) = candidates(snapshot, "contact", thing)
    assert found.value.phones == ("089 00 50 50",)
