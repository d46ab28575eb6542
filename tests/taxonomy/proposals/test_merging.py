"""Merging two entities loses and overwrites nothing, and can be undone."""

import pytest

from taxonomy.models import Alias, Doctor, Entity, Merger, Relation
from taxonomy.proposals.merging import merge, undo
from taxonomy.publishing.live import load_snapshot
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind, Predicate
from tests.factories import entity, relate
from tests.taxonomy.releases import publish_draft
from tests.zol.staff import signed_in
from zol.errors import BadInput
from zol.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(hospital):
    names = {"title": "Dr.", "last_name": "Maris"}
    old = entity(
        hospital, Kind.DOCTOR, "Dr. N. Maris", "dokter N", key="n-maris", first_name="N.",
        specialty="uroloog", url="https://x.example/n", gender="f", **names,
    )  # fmt: skip
    kept = entity(
        hospital, Kind.DOCTOR, "Dr. Nele Maris", key="nele-maris", first_name="Nele", gender="x",
        **names,
    )  # fmt: skip
    urology = entity(hospital, Kind.DEPARTMENT, "Urologie")
    surgery = entity(hospital, Kind.DEPARTMENT, "Heelkunde")
    relate(old, Predicate.WORKS_IN, urology, surgery)
    relate(kept, Predicate.WORKS_IN, urology)
    return old, kept


def workplaces(doctor):
    return sorted(Relation.objects.filter(subject=doctor.pk).values_list("object__name", flat=True))


def everything():
    return (
        sorted(Doctor.objects.values_list("key", "name", "status", "specialty", "url", "gender")),
        sorted(Alias.objects.values_list("entity_id", "text")),
        sorted(Relation.objects.values_list("subject_id", "predicate", "object_id")),
    )


def test_the_one_kept_takes_over_what_it_did_not_say_and_what_both_say_is_reported(pair):
    old, kept = pair

    merger = merge(old, kept, by=None)

    kept = Doctor.objects.get(pk=kept.pk)
    assert workplaces(kept) == ["Heelkunde", "Urologie"]
    assert {alias.text for alias in kept.aliases.all()} == {"dokter N", "Dr. N. Maris"}
    assert (kept.first_name, kept.specialty, kept.url) == ("Nele", "uroloog", "https://x.example/n")
    assert Entity.objects.get(pk=old.pk).status == Entity.Status.HIDDEN
    assert kept.gender == "x"
    assert ["x" in line for line in merger.collisions] == [True]


def test_an_old_name_that_means_somebody_else_is_reported(pair, hospital):
    entity(hospital, Kind.DOCTOR, "Dr. A. Ander", "Dr. N. Maris", last_name="Ander")

    merger = merge(*pair, by=None)

    assert any("Dr. A. Ander" in line for line in merger.collisions)
    assert Alias.objects.get(folded="dr. n. maris").entity.name == "Dr. A. Ander"


def test_the_old_key_leads_to_the_one_kept_in_what_is_published_since(pair, hospital):
    before = publish(hospital, by=None)
    merge(*pair, by=None)

    after = load_snapshot(publish_draft(hospital)).vocabulary

    assert after.get(Kind.DOCTOR, "n-maris").name == "Dr. Nele Maris"
    assert [doctor.key for doctor in after.of_kind(Kind.DOCTOR)] == ["nele-maris"]
    assert load_snapshot(before).vocabulary.get(Kind.DOCTOR, "n-maris").name == "Dr. N. Maris"


def test_undoing_gives_everything_back(pair):
    before = everything()
    merger = merge(*pair, by=None)

    undo(merger, by=None)

    assert everything() == before


def test_undoing_keeps_what_staff_have_written_since(pair):
    old, kept = pair
    merger = merge(old, kept, by=None)
    Doctor.objects.get(pk=kept.pk).aliases.filter(text="dokter N").delete()
    row = Doctor.objects.get(pk=kept.pk)
    row.specialty = "kinderuroloog"
    row.save()

    undo(merger, by=None)

    assert Doctor.objects.get(pk=kept.pk).specialty == "kinderuroloog"
    assert not Alias.objects.filter(text="dokter N").exists()


def test_what_cannot_be_merged_is_refused_and_changes_nothing(pair, hospital):
    old, _ = pair
    department = Entity.objects.get(name="Urologie")
    before = everything()

    for source, target in ((old, old), (old, department)):
        with pytest.raises(BadInput):
            merge(source, target, by=None)

    assert everything() == before
    assert not Merger.objects.exists()


def test_the_old_page_leads_to_the_one_kept_until_it_is_undone(pair, hospital):
    old, kept = pair
    browser = signed_in(hospital, Role.CURATOR)
    page = f"/admin/taxonomy/doctor/{old.pk}/change/"
    merger = merge(old, kept, by=None)

    led = browser.get(page, follow=True)
    stayed = browser.get(f"{page}?stay=1")
    undo(merger, by=None)

    assert led.redirect_chain[0][0] == f"/admin/taxonomy/doctor/{kept.pk}/change/"
    assert "was merged into" in led.text
    assert (stayed.status_code, browser.get(page).status_code) == (200, 200)
