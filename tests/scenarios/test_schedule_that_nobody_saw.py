"""A doctor's schedule was saved, approved and published, and no patient was ever told it.

The form took `maandag 9u-12u`; the chat read only `ma 9:00-12:00`.
"""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from taxonomy.models import Proposal
from taxonomy.proposals import decisions
from taxonomy.vocabulary import Kind
from tests import factories
from tests.zol.staff import filled_in, signed_in
from zol.errors import BadInput
from zol.models import Role
from zol.tables.table import write_table

pytestmark = pytest.mark.django_db
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
    [("mandag 9-12 uur", "“mandag”"), ("ma 9-12u@zuid", "“zuid”; known are: noord.")],
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
