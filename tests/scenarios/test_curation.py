"""What curators enter: names, namesakes, hours."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from taxonomy.models import Alias, Doctor, Entity, Merger, Proposal
from taxonomy.packs.imports import apply_table
from taxonomy.packs.spreadsheets import ALIASES
from taxonomy.proposals import decisions
from taxonomy.proposals.decisions import accept, propose_mergers, reject
from taxonomy.vocabulary import Kind
from tests import factories
from tests.factories import entity
from tests.zol.staff import filled_in, signed_in
from zol.errors import BadInput
from zol.models import Role
from zol.tables.table import read_table, write_table

pytestmark = pytest.mark.django_db


# “Hartdienst” was given to a second department by a file, and the first lost it without a word.
@pytest.fixture
def surgery(hospital):
    entity(hospital, Kind.DEPARTMENT, "Cardiologie", "hartdienst")
    return entity(hospital, Kind.DEPARTMENT, "Hartchirurgie")


@pytest.mark.parametrize("spelt", ["hartdienst", "HARTDIENST", " Hartdiënst ", "cardiologie"])
def test_a_file_cannot_take_a_word_from_another_department(hospital, surgery, spelt):
    rows = f"kind,key,text\ndepartment,hartchirurgie,hartoperatie\ndepartment,hartchirurgie,{spelt}"

    taken = apply_table(ALIASES, read_table(rows.encode(), "a.csv"), keep=True)

    (mistake,) = taken.mistakes
    assert (mistake.row, mistake.column) == (3, "text")
    assert "Cardiologie" in mistake.sentence
    assert [(row.entity.name, row.text) for row in Alias.objects.all()] == [
        ("Cardiologie", "hartdienst")
    ]


def test_a_page_cannot_either(hospital, surgery):
    told = Proposal.objects.create(
        hospital=hospital, sort="alias", identity="x", kind="department", name="Hartdienst",
        language="nl", subject=surgery.entity_ptr,
    )  # fmt: skip

    with pytest.raises(BadInput, match="Cardiologie"):
        accept(told, by=None)

    assert Alias.objects.get().entity.name == "Cardiologie"


def test_the_same_word_again_for_the_same_department_is_no_mistake(hospital, surgery):
    rows = b"kind,key,text\ndepartment,cardiologie,hartdienst"

    taken = apply_table(ALIASES, read_table(rows, "a.csv"), keep=True)

    assert not taken.mistakes
    assert Alias.objects.count() == 1


# Two doctors with one surname and initial were made one, and patients called the wrong one.
@pytest.fixture
def namesakes(hospital):
    return [
        entity(hospital, Kind.DOCTOR, f"Dr. {first} Rossi", first_name=first, last_name="Rossi")
        for first in ("Giulia", "Giovanni")
    ]


def test_they_are_asked_about_and_never_merged_by_themselves(hospital, namesakes):
    propose_mergers(hospital.pk)

    assert Proposal.objects.get().sort == "merge"
    assert Doctor.objects.filter(status=Entity.Status.ACTIVE).count() == 2
    assert not Merger.objects.exists()


def test_once_somebody_says_that_they_are_two_it_is_not_asked_again(hospital, namesakes):
    propose_mergers(hospital.pk)
    reject(Proposal.objects.get(), by=None)

    assert propose_mergers(hospital.pk) == 0
    assert Doctor.objects.filter(status=Entity.Status.ACTIVE).count() == 2


def test_somebody_can_say_that_they_are_one(hospital, namesakes):
    propose_mergers(hospital.pk)

    accept(Proposal.objects.get(), by=None)

    assert Doctor.objects.filter(status=Entity.Status.ACTIVE).count() == 1
    assert Merger.objects.count() == 1


def test_another_initial_is_another_doctor(hospital, namesakes):
    entity(hospital, Kind.DOCTOR, "Dr. Marco Rossi", first_name="Marco", last_name="Rossi")

    propose_mergers(hospital.pk)

    assert Proposal.objects.count() == 1


# A doctor's schedule was saved, approved and published, and no patient was ever told it.
#
# The form took `maandag 9u-12u`; the chat read only `ma 9:00-12:00`.
DOCTORS = "/admin/taxonomy/doctor/"


@pytest.fixture
def doctor(hospital):
    factories.entity(hospital, Kind.CAMPUS, "Noord")
    return factories.entity(hospital, Kind.DOCTOR, "Ann Peeters", last_name="Peeters")


def saved(hospital, doctor, schedule):
    curator = signed_in(hospital, Role.CURATOR)
    page = f"{DOCTORS}{doctor.pk}/change/"
    return curator.post(page, filled_in(curator.get(page), schedule=schedule))


def test_the_form_keeps_what_people_write_in_the_form_that_the_chat_reads(hospital, doctor):
    answer = saved(hospital, doctor, "maandag 9u-12u en 13u30-17u @noord\nwoensdag 9-12 uur")

    doctor.refresh_from_db()
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert doctor.schedule == "ma 9:00-12:00@noord|ma 13:30-17:00@noord|wo 9:00-12:00"


@pytest.mark.parametrize(
    ("written", "said"),
    [("mandag 9-12 uur", "“mandag”"), ("ma 9-12u@zuid", "“zuid”: choose from noord.")],
)
def test_the_form_refuses_the_rest_with_the_part_that_is_wrong(hospital, doctor, written, said):
    page = saved(hospital, doctor, written)

    assert said in page.text
    doctor.refresh_from_db()
    assert doctor.schedule == ""


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param("maandag 9-12 uur", "ma 9:00-12:00", id="read"),
        pytest.param("mandag 9-12 uur", "<td>schedule</td><td>“mandag” cannot be", id="refused"),
    ],
)
def test_a_spreadsheet_is_read_in_the_same_way(hospital, doctor, ending, cell, said):
    rows = [(doctor.key, "Ann Peeters", cell)]
    data = write_table(("key", "name", "schedule"), rows, ending)
    curator = signed_in(hospital, Role.CURATOR)

    page = curator.post(f"{DOCTORS}import/", {"file": SimpleUploadedFile(f"a.{ending}", data)})

    assert said in page.text


def test_a_proposal_with_hours_that_no_day_has_is_not_accepted(hospital):
    proposal = Proposal.objects.create(
        hospital=hospital, sort=Proposal.Sort.ENTITY, kind=Kind.DEPARTMENT, name="Hartkliniek",
        identity="entity:department:hartkliniek", language="nl",
        data={"fields": {"hours": "ma-vr 9:00-29:00"}},
    )  # fmt: skip

    with pytest.raises(BadInput, match="29:00"):
        decisions.accept(proposal, by=None)
