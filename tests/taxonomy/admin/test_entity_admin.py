"""The page of an entity: its other words and its relations are edited where they belong."""

from __future__ import annotations

import pytest
from django.utils import translation

from taxonomy.models import Alias, Department, Doctor, Relation
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.zol.staff import signed_in
from zol.models import Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
DEPARTMENTS = "/admin/taxonomy/department/"


@pytest.fixture
def curator(hospital):
    return signed_in(hospital, Role.CURATOR)


def cardiology(hospital, *aliases):
    return factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie", *aliases)


def doctor(hospital, name="Ann Peeters", **fields):
    return factories.entity(hospital, Kind.DOCTOR, name, last_name=name.split()[-1], **fields)


def filled_in(page, **changes):
    """Return what the browser would send for a page, with changes."""
    admin_form = page.context["adminform"].form
    values = {}
    forms = [admin_form]
    for inline in page.context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    for form in forms:
        for bound in form:
            value = bound.value()
            if isinstance(value, bool):
                value = "on" if value else None
            if value is not None:
                values[bound.html_name] = bound.field.prepare_value(value)
    return {name: value for name, value in (values | changes).items() if value is not None}


def prefix_of(page, title):
    """Return under which names the browser sends an inline."""
    return inline_of(page, title).formset.prefix


def inline_of(page, title):
    with translation.override("en"):
        found = {
            str(each.opts.verbose_name_plural): each
            for each in page.context["inline_admin_formsets"]
        }
    return found[title]


def test_a_doctor_is_given_a_department_without_naming_the_relation(hospital, curator):
    department, person = cardiology(hospital), doctor(hospital)
    url = f"/admin/taxonomy/doctor/{person.pk}/change/"
    page = curator.get(url)
    prefix = prefix_of(page, "Departments of this doctor")

    answer = curator.post(
        url, filled_in(page, **{f"{prefix}-TOTAL_FORMS": 1, f"{prefix}-0-object": department.pk})
    )

    assert answer.status_code == 302
    made = Relation.objects.get()
    assert (made.subject_id, made.predicate, made.object_id) == (
        person.pk,
        Predicate.WORKS_IN,
        department.pk,
    )


def test_a_relation_that_exists_is_refused_in_words(hospital, curator):
    department, person = cardiology(hospital), doctor(hospital)
    factories.relate(person, Predicate.WORKS_IN, department)
    url = f"/admin/taxonomy/doctor/{person.pk}/change/"
    page = curator.get(url)
    prefix = prefix_of(page, "Departments of this doctor")

    answer = curator.post(
        url, filled_in(page, **{f"{prefix}-TOTAL_FORMS": 2, f"{prefix}-1-object": department.pk})
    )

    assert "is listed twice" in answer.text
    assert Relation.objects.count() == 1


def test_entities_of_another_hospital_are_not_suggested(hospital, other_hospital, curator):
    with serving(other_hospital):
        cardiology(other_hospital)

    found = curator.get(
        "/admin/autocomplete/",
        {"app_label": "taxonomy", "model_name": "relation", "field_name": "object", "term": ""},
    ).json()

    assert found["results"] == []


def test_a_new_department_belongs_to_the_served_hospital(hospital, curator):
    page = curator.get(f"{DEPARTMENTS}add/")
    prefix = prefix_of(page, "other words by which people ask for it")

    curator.post(
        f"{DEPARTMENTS}add/",
        filled_in(
            page,
            name="Geriatrie",
            key="geriatrie",
            **{
                f"{prefix}-TOTAL_FORMS": 1,
                f"{prefix}-0-text": "ouderenzorg",
                f"{prefix}-0-language": "nl",
                f"{prefix}-0-kind": "lay",
            },
        ),
    )

    made = Department.objects.get()
    assert (made.hospital_id, made.kind) == (hospital.pk, Kind.DEPARTMENT)
    assert made.aliases.get().folded == "ouderenzorg"


def test_an_alias_that_means_another_department_is_refused_in_words(hospital, curator):
    cardiology(hospital, "Hartdienst")
    other = factories.entity(hospital, Kind.DEPARTMENT, "Hartchirurgie")
    url = f"{DEPARTMENTS}{other.pk}/change/"
    page = curator.get(url)
    prefix = prefix_of(page, "other words by which people ask for it")

    answer = curator.post(
        url,
        filled_in(
            page,
            **{
                f"{prefix}-TOTAL_FORMS": 1,
                f"{prefix}-0-text": " hartdienst ",
                f"{prefix}-0-language": "nl",
                f"{prefix}-0-kind": "synonym",
            },
        ),
    )

    assert "“hartdienst” already means “Cardiologie”." in answer.text
    assert Alias.objects.count() == 1


def test_a_schedule_is_edited_line_by_line(hospital, curator):
    factories.entity(hospital, Kind.CAMPUS, "Sint-Jan")
    person = doctor(hospital, schedule="ma 9:00-12:00@sint-jan|do 13:30-17:00@sint-jan")
    url = f"/admin/taxonomy/doctor/{person.pk}/change/"

    page = curator.get(url)
    curator.post(
        url, filled_in(page, schedule="ma 9:00-12:00@sint-jan\n\nvr 8:00-10:00@sint-jan\n")
    )

    assert "ma 9:00-12:00@sint-jan\ndo 13:30-17:00@sint-jan" in page.text
    person.refresh_from_db()
    assert person.schedule == "ma 9:00-12:00@sint-jan|vr 8:00-10:00@sint-jan"


def test_saving_a_page_unchanged_changes_nothing(hospital, curator):
    department = cardiology(hospital, "cardio")
    factories.entity(hospital, Kind.CAMPUS, "Sint-Jan")
    person = doctor(hospital, languages=["nl", "fr"], schedule="ma 9:00-12:00@sint-jan")
    factories.relate(person, Predicate.WORKS_IN, department)
    before = (
        list(Doctor.objects.values()),
        list(Alias.objects.values()),
        list(Relation.objects.values()),
    )

    for url in (
        f"{DEPARTMENTS}{department.pk}/change/",
        f"/admin/taxonomy/doctor/{person.pk}/change/",
    ):
        assert curator.post(url, filled_in(curator.get(url))).status_code == 302

    after = (
        list(Doctor.objects.values()),
        list(Alias.objects.values()),
        list(Relation.objects.values()),
    )
    assert after == before


def test_a_department_is_found_by_any_other_word(hospital, curator):
    cardiology(hospital, "hartdienst")
    factories.entity(hospital, Kind.DEPARTMENT, "Geriatrie")

    page = curator.get(DEPARTMENTS, {"q": "hartdienst"})

    assert [row.name for row in page.context["cl"].result_list] == ["Cardiologie"]


def test_what_was_never_published_is_deleted(hospital):
    curator = signed_in(hospital, Role.CURATOR)
    row = factories.entity(hospital, Kind.DEPARTMENT, "Proefdienst", "proef")

    curator.post(f"/admin/taxonomy/department/{row.pk}/delete/", {"post": "yes"})

    assert not Department.objects.filter(pk=row.pk).exists()


def test_what_was_published_is_hidden_and_no_link_leads_to_a_refusal(hospital):
    curator = signed_in(hospital, Role.CURATOR)
    row = factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")
    publish(hospital, by=None)
    address = f"/admin/taxonomy/department/{row.pk}/"

    page = curator.get(f"{address}change/")
    refused = curator.get(f"{address}delete/", headers={"accept-language": "nl"})
    listed = curator.get("/admin/taxonomy/department/")
    curator.post("/admin/taxonomy/department/", {"action": "hide", "_selected_action": [row.pk]})

    assert 'name="_hide"' in page.text
    assert f"{address}delete/" not in page.text
    assert (refused.status_code, "Uw rollen" in refused.text) == (403, True)
    assert "delete_selected" not in listed.text
    assert Department.objects.get(pk=row.pk).status == Department.Status.HIDDEN
