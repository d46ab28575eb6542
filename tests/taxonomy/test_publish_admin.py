"""Before publishing an operator sees what would change; afterwards patients are answered from it."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import translation

from retrieval.models import AffinityCell
from taxonomy.admin.changes import live_version, pending
from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Entity, Version
from taxonomy.services.publishing import publish
from tests import factories
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
PAGE = "/admin/taxonomy/version/publish/"


def differences():
    with translation.override("en"):
        return {str(each.title): each for each in pending(live_version())}


def cell(hospital):
    return AffinityCell.objects.create(
        hospital=hospital, row="medical_information", category="practical", factor=0.75
    )


def test_without_a_version_everything_is_new(hospital):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")

    assert differences()["department"].added == ("Cardiologie",)


def test_what_is_published_is_no_difference(hospital):
    cell(hospital)
    doctor = factories.entity(
        hospital, Kind.DOCTOR, "Ann Peeters", "dokter Ann", last_name="Peeters"
    )
    department = factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie", "cardio")
    factories.relate(doctor, Predicate.WORKS_IN, department)
    campus = factories.entity(hospital, Kind.CAMPUS, "Sint-Jan")
    itself = Entity.objects.create(hospital=hospital, kind=Kind.HOSPITAL, key="zt", name="ZT")
    factories.relate(campus, Predicate.BELONGS_TO, itself)
    publish(hospital, by=None)

    assert differences() == {}


def test_each_sort_of_change_is_named(hospital):
    cell(hospital)
    kept = factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    gone = factories.entity(hospital, Kind.DEPARTMENT, "Oude dienst")
    publish(hospital, by=None)

    kept.aliases.create(text="hartdienst")
    gone.delete()
    factories.entity(hospital, Kind.DEPARTMENT, "Geriatrie")
    AffinityCell.objects.update(factor=0.9)

    found = differences()["department"]
    assert (found.added, found.changed, found.removed) == (
        ("Geriatrie",),
        ("Cardiologie",),
        ("Oude dienst",),
    )
    assert differences()["affinity matrix"].changed == ("medical_information · practical",)


def test_a_hidden_entity_would_disappear_with_its_relations(hospital):
    doctor = factories.entity(hospital, Kind.DOCTOR, "Ann Peeters", last_name="Peeters")
    department = factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    factories.relate(doctor, Predicate.WORKS_IN, department)
    publish(hospital, by=None)

    type(doctor).objects.update(status="hidden")

    found = differences()
    assert found["doctor"].removed == ("Ann Peeters",)
    assert found["relation"].removed == ("Ann Peeters WORKS_IN Cardiologie",)


def test_an_operator_publishes_with_a_note(hospital):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    browser = signed_in(hospital, Role.OPERATOR)

    page = browser.get(PAGE)
    browser.post(PAGE, {"note": "Eerste versie", "seen": 0})

    assert "Cardiologie" in page.text
    version = Version.objects.get()
    assert (version.number, version.note, str(version.created_by)) == (
        1,
        "Eerste versie",
        "operator",
    )
    assert live_version() == version
    assert LogEntry.objects.get().change_message == "Eerste versie"


def test_a_note_must_be_given(hospital):
    browser = signed_in(hospital, Role.OPERATOR)

    browser.post(PAGE, {"note": "", "seen": 0})

    assert not Version.objects.exists()


def test_what_was_not_seen_is_not_published(hospital):
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    browser = signed_in(hospital, Role.OPERATOR)
    publish(hospital, by=None)

    answer = browser.post(PAGE, {"note": "Mijn versie", "seen": 0}, follow=True)

    assert "Somebody else has published meanwhile." in answer.text
    assert Version.objects.count() == 1


def test_a_curator_does_not_publish(hospital):
    browser = signed_in(hospital, Role.CURATOR)

    assert browser.get(PAGE).status_code == 403
    assert browser.post(PAGE, {"note": "x", "seen": 0}).status_code == 403
    assert not Version.objects.exists()


def test_the_home_page_hears_of_unpublished_changes(hospital):
    publish(hospital, by=None)
    browser = signed_in(hospital, Role.ANALYST)

    before = browser.get("/admin/changes/").json()
    factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    after = browser.get("/admin/changes/").json()

    assert (before["changes"], after["changes"]) == (0, 1)
    assert after["text"] == "1 change not yet published"
