"""Admin page of an entity, with inlines of aliases and relations."""

import pytest
from django.utils import translation

from taxonomy.models import Alias, ComplaintRoute, Department, Doctor, LexiconConcept, Relation
from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.zol.staff import filled_in
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
DEPARTMENTS = "/admin/taxonomy/department/"
ROUTE = "/admin/taxonomy/complaintroute/add/"


def cardiology(hospital, *aliases):
    return factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie", *aliases)


def doctor(hospital, name="Ann Peeters", **fields):
    return factories.entity(hospital, Kind.DOCTOR, name, last_name=name.split()[-1], **fields)


def with_row(page, title, **row):
    """Return what is sent for a page with one more row of an inline, by the inline's title."""
    with translation.override("en"):
        inlines = page.context["inline_admin_formsets"]
        (inline,) = [each for each in inlines if str(each.opts.verbose_name_plural) == title]
    prefix, at = inline.formset.prefix, inline.formset.initial_form_count()
    return filled_in(page, **{f"{prefix}-TOTAL_FORMS": at + 1}) | {
        f"{prefix}-{at}-{name}": value for name, value in row.items()
    }


WORDS = "other words by which people ask for it"


def test_a_doctor_is_given_a_department_without_naming_the_relation_and_only_once(
    hospital, curator
):
    department, person = cardiology(hospital), doctor(hospital)
    url = f"/admin/taxonomy/doctor/{person.pk}/change/"

    def given():
        page = curator.get(url)
        return curator.post(url, with_row(page, "Departments of this doctor", object=department.pk))

    assert given().status_code == 302
    assert "is listed twice" in given().text
    made = Relation.objects.get()
    assert (made.subject_id, made.predicate, made.object_id) == (
        person.pk, Predicate.WORKS_IN, department.pk,
    )  # fmt: skip


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

    word = with_row(page, WORDS, text="ouderenzorg", language="nl", kind="lay")
    curator.post(f"{DEPARTMENTS}add/", word | {"name": "Geriatrie", "key": "geriatrie"})

    made = Department.objects.get()
    assert (made.hospital_id, made.kind) == (hospital.pk, Kind.DEPARTMENT)
    assert made.aliases.get().folded == "ouderenzorg"


def test_an_alias_that_means_another_department_is_refused_in_words(hospital, curator):
    cardiology(hospital, "Hartdienst")
    other = factories.entity(hospital, Kind.DEPARTMENT, "Hartchirurgie")
    url = f"{DEPARTMENTS}{other.pk}/change/"

    word = with_row(curator.get(url), WORDS, text=" hartdienst ", language="nl", kind="synonym")
    answer = curator.post(url, word)

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

    def content():
        return [list(model.objects.values()) for model in (Doctor, Alias, Relation)]

    before = content()
    for url in (
        f"{DEPARTMENTS}{department.pk}/change/",
        f"/admin/taxonomy/doctor/{person.pk}/change/",
    ):
        assert curator.post(url, filled_in(curator.get(url))).status_code == 302

    assert content() == before


def test_a_department_is_found_by_any_other_word(hospital, curator):
    cardiology(hospital, "hartdienst")
    factories.entity(hospital, Kind.DEPARTMENT, "Geriatrie")

    page = curator.get(DEPARTMENTS, {"q": "hartdienst"})

    assert [row.name for row in page.context["cl"].result_list] == ["Cardiologie"]


def test_what_was_never_published_is_deleted(hospital, curator):
    row = factories.entity(hospital, Kind.DEPARTMENT, "Proefdienst", "proef")

    curator.post(f"/admin/taxonomy/department/{row.pk}/delete/", {"post": "yes"})

    assert not Department.objects.filter(pk=row.pk).exists()


def test_what_was_published_is_hidden_and_no_link_leads_to_a_refusal(hospital, curator):
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


def concept(hospital, name, kind="symptom"):
    LexiconConcept.objects.create(hospital=hospital, concept=name, kind=kind)


def test_a_route_leads_from_a_concept_of_the_own_lexicon_or_is_refused_in_words(hospital, curator):
    other = factories.hospital("other")
    with serving(other):
        concept(other, "itch")
    concept(hospital, "hearing_loss")
    concept(hospital, "ent", "specialty")

    for complaint in ("hearingloss", "itch"):
        page = curator.post(ROUTE, {"complaint": complaint, "specialty": "ent", "weight": "1"})
        assert f"no concept “{complaint}”" in page.text
    assert not ComplaintRoute.objects.exists()
    curator.post(ROUTE, {"complaint": "hearing_loss", "specialty": "ent", "weight": "1"})
    assert ComplaintRoute.objects.get().complaint == "hearing_loss"
