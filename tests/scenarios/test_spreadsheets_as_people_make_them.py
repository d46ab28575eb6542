"""Staff upload a spreadsheet as they made it: each doubt is a line in the preview, and no field is
emptied, cut or filled with a code that a spreadsheet has spoilt."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from taxonomy.kinds import Kind
from taxonomy.models import Condition, Department, Doctor, Proposal
from taxonomy.packs.files.table import read_table
from taxonomy.packs.findings import Findings
from taxonomy.packs.imports import sheet_of, take
from taxonomy.packs.profile import read_profile
from taxonomy.services.proposals import accept
from tests.factories import entity
from zol.errors import BadInput

pytestmark = pytest.mark.django_db


@pytest.fixture
def cardiology(hospital):
    return entity(
        hospital, Kind.DEPARTMENT, "Cardiologie", phone="089 00 51 03", hours="ma-vr 8:30-17:00"
    )


def book(*rows, form="General", edit=lambda sheet: None):
    made = Workbook()
    for row in rows:
        made.active.append(row)
    made.active["C2"].number_format = form
    edit(made.active)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def taken(hospital, model, data, name="rows.csv", *, keep=True):
    data = data if isinstance(data, bytes) else data.encode()
    return take(hospital, sheet_of(model), read_table(data, name), keep=keep)


def wrong(found):
    return [(mistake.row, mistake.column) for mistake in found.mistakes]


HEADER = ("key", "name", "phone")


@pytest.mark.parametrize(
    ("value", "form"),
    [("=B2", "General"), (89005104, "General"), (8.9005104e7, "0.00E+00"), (True, "General"),
     ("#N/A", "General"), (890051041234567890, "0")],
)  # fmt: skip
def test_a_spoilt_number_is_refused_and_the_old_one_stays(hospital, cardiology, value, form):
    data = book(HEADER, ("cardiologie", "Cardiologie", value), form=form)

    assert wrong(taken(hospital, Department, data, "rows.xlsx")) == [(2, "phone")]
    assert Department.objects.get().phone == "089 00 51 03"


def test_a_number_is_taken_as_the_sheet_shows_it(hospital, cardiology):
    row = ("cardiologie", "Cardiologie", 89005104)
    data = book(HEADER, row, form="000 00 00 00")

    assert not taken(hospital, Department, data, "rows.xlsx").mistakes
    assert Department.objects.get().phone == "089 00 51 04"


def test_a_cell_that_the_sheet_shows_empty_empties_its_field(hospital, cardiology):
    taken(hospital, Department, "key,name,phone\ncardiologie,Cardiologie,\n")

    assert Department.objects.get().phone == ""


def test_a_row_that_ends_early_leaves_the_rest_as_it_is(hospital, cardiology):
    found = taken(hospital, Department, "key,name,phone,hours\ncardiologie,Hartziekten\n")

    assert [doubt.row for doubt in found.doubts] == [2]
    assert Department.objects.values_list("name", "phone", "hours").get() == (
        "Hartziekten", "089 00 51 03", "ma-vr 8:30-17:00",
    )  # fmt: skip


def test_hours_that_a_comma_cuts_in_two_are_a_mistake(hospital, cardiology):
    text = "key,name,hours\ncardiologie,Cardiologie,ma-vr 8:30-12:00, 13:00-17:00\n"

    found = taken(hospital, Department, text)

    assert wrong(found) == [(2, "")]
    assert "13:00-17:00" in found.mistakes[0].sentence
    assert Department.objects.get().hours == "ma-vr 8:30-17:00"


def test_a_date_belongs_in_a_column_of_dates_and_nowhere_else(hospital, cardiology):
    def dates(sheet):
        from datetime import date

        sheet["C2"], sheet["D2"] = date(2026, 3, 1), date(2027, 5, 31)

    data = book(("key", "name", "hours", "review_by"), ("cardiologie", "x"), edit=dates)

    found = taken(hospital, Department, data, "rows.xlsx")

    assert wrong(found) == [(2, "hours")]
    assert "1-3-2026" in found.mistakes[0].sentence


@pytest.mark.parametrize("cell", ["31/05/2027", "2027-05-31"])
def test_a_date_that_a_spreadsheet_wrote_anew_is_the_same_date(hospital, cardiology, cell):
    text = f"key;name;review_by\ncardiologie;Cardiologie;{cell}\n"

    assert not taken(hospital, Department, text).mistakes
    assert str(Department.objects.get().review_by) == "2027-05-31"


@pytest.mark.parametrize("code", ['"8,0313E+07"', "4.94E+07", "80313003", "680946014"])
def test_what_is_no_concept_is_refused_by_import_form_pack_and_proposal(
    hospital, code, django_user_model
):
    bare = code.strip('"')
    found = taken(hospital, Condition, f"key,name,snomed\npalpitaties,Palpitaties,{code}\n")
    proposal = Proposal.objects.create(
        hospital=hospital, identity="x", sort=Proposal.Sort.ENTITY, kind=str(Kind.CONDITION),
        name="Palpitaties", language="nl", data={"fields": {"snomed": bare}, "ties": []},
    )  # fmt: skip

    assert wrong(found) == [(2, "snomed")]
    assert f"“{bare}”" in found.mistakes[0].sentence
    with pytest.raises(BadInput, match="SNOMED CT"):
        accept(proposal, by=None)
    assert not Condition.objects.exists()


def test_what_was_kept_before_does_not_hold_up_a_change_of_something_else(hospital):
    ward = entity(hospital, Kind.DEPARTMENT, "Oud", phone="bel 1")
    kept = entity(hospital, Kind.CONDITION, "Steen", snomed="12345678")

    assert not taken(hospital, Department, "key,name,phone\noud,Nieuw,bel 1\n").mistakes
    assert wrong(taken(hospital, Department, "key,name,phone\noud,Nieuw,bel 2\n")) == [(2, "phone")]
    kept.name = "Nierstenen"
    kept.full_clean()
    assert ward.is_refused()
    assert kept.is_refused()


def test_a_heading_that_is_not_known_says_which_may_be_meant(hospital):
    found = taken(hospital, Department, "key,name,telefoon,fone,kleur\na,A,1,2,3\n")

    assert [mistake.column for mistake in found.mistakes] == ["telefoon", "fone", "kleur"]
    assert [("“phone”" in mistake.sentence) for mistake in found.mistakes] == [True, True, False]


def test_a_choice_that_is_none_says_which_there_are(hospital):
    (mistake,) = taken(hospital, Department, "key,name,sort\na,A,wards\n").mistakes

    assert "department, service, ward" in mistake.sentence
    assert "“ward”" in mistake.sentence


def test_a_doctor_speaks_languages_that_are_codes(hospital):
    text = "key,name,last_name,languages\nnele,Nele Maris,Maris,nl|Frans\n"

    assert wrong(taken(hospital, Doctor, text)) == [(2, "languages")]


@pytest.mark.parametrize("cell", ["nl|fr", '"nl, fr"', "nl; fr", '"nl\nfr"', "nl/fr"])
def test_languages_have_any_mark_between_them(hospital, cell):
    text = f"key,name,last_name,languages\nnele,Nele Maris,Maris,{cell}\n"

    assert not taken(hospital, Doctor, text).mistakes
    assert Doctor.objects.get().languages == ["nl", "fr"]


def test_the_hospital_and_its_pack_refuse_the_same_telephone_number(hospital):
    from django.core.exceptions import ValidationError

    findings = Findings()
    read_profile(b"slug: a\nname: A\nshort_name: A\nhosts: [a.be]\nphone: '89005050'\n", findings)
    hospital.phone = "89005050"

    with pytest.raises(ValidationError) as refused:
        hospital.full_clean()
    assert list(refused.value.message_dict) == ["phone"]
    assert ["phone: “89005050”" in str(mistake) for mistake in findings.mistakes] == [True]
