"""Export and import of a list as a spreadsheet, with a preview."""

import io
from datetime import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from taxonomy.models import Alias, Condition, Department, Doctor, Relation
from taxonomy.vocabulary import Kind, Predicate
from tests.factories import entity, relate
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
DEPARTMENTS, ALIASES, RELATIONS = (
    f"/admin/taxonomy/{name}/" for name in ("department", "alias", "relation")
)


@pytest.fixture
def cardiology(hospital):
    return entity(hospital, Kind.DEPARTMENT, "Cardiologie", "cardio", phone="+32 89 00")


def show(client, address, text, name="rows.csv"):
    data = text if isinstance(text, bytes) else text.encode()
    return client.post(f"{address}import/", {"file": SimpleUploadedFile(name, data)}, follow=True)


def apply(client, address, page):
    table = page.context["token"]
    return client.post(f"{address}import/", {"table": table}, follow=True)


def test_a_preview_shows_every_change_before_it_is_applied(curator, cardiology):
    page = show(
        curator, DEPARTMENTS, "key,name,phone\ncardiologie,Cardiologie,089 00 11 11\nnieuw,Nieuw,"
    )

    assert "1 new, 1 changed, 0 unchanged" in page.text
    assert "<del>+32 89 00</del>" in page.text
    assert "<ins>089 00 11 11</ins>" in page.text
    assert Department.objects.get().phone == "+32 89 00"
    assert "1 added, 1 changed" in apply(curator, DEPARTMENTS, page).text
    assert dict(Department.objects.values_list("key", "phone")) == {
        "cardiologie": "089 00 11 11", "nieuw": "",
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("address", [DEPARTMENTS, RELATIONS, "/admin/taxonomy/doctor/"])
def test_an_export_reads_back_as_no_change(curator, hospital, cardiology, ending, address):
    stones = entity(hospital, Kind.CONDITION, "=Nierstenen")
    relate(cardiology, Predicate.HANDLES, stones)
    entity(
        hospital, Kind.DOCTOR, "Dr. Nele Maris", last_name="Maris", languages=["nl", "fr"],
        review_by="2027-01-31",
    )  # fmt: skip

    file = curator.get(f"{address}export/{ending}/")
    page = show(curator, address, file.content, f"rows.{ending}")

    assert not page.context["taken"].mistakes
    assert not page.context["names"]
    assert "Nothing: the draft already contains all of this." in page.text
    assert page.context["counts"]["unchanged"] == 1


@pytest.mark.parametrize(
    ("address", "text", "said"),
    [
        (DEPARTMENTS, "key,name,sort\na,A,toren", (2, "sort")),
        (DEPARTMENTS, "key,name,review_by\na,A,morgen", (2, "review_by")),
        (DEPARTMENTS, "key,name\na,A\na,B", (3, "key")),
        (DEPARTMENTS, "key,name,kleur\na,A,rood", (1, "kleur")),
        (DEPARTMENTS, "name\nA", (1, "key")),
        (ALIASES, "kind,key,text\ndepartment,nergens,x", (2, "key")),
        (ALIASES, "kind,key,text,language\ndepartment,cardiologie,x,zz", (2, "language")),
        (
            RELATIONS,
            "subject_kind,subject,predicate,object_kind,object\n"
            "department,cardiologie,TREATED_BY,department,hartchirurgie",
            (2, "predicate"),
        ),
    ],
)
def test_a_mistake_is_named_with_its_row_and_column(
    curator, hospital, cardiology, address, text, said
):
    entity(hospital, Kind.DEPARTMENT, "Hartchirurgie")

    page = show(curator, address, text)

    assert [(m.row, m.column) for m in page.context["taken"].mistakes] == [said]
    assert "Nothing was changed." in page.text
    assert page.context["token"]
    assert Department.objects.count() == 2


def test_one_mistake_prevents_all_changes_even_after_the_preview(curator, hospital):
    page = show(curator, ALIASES.replace("alias", "department"), "key,name\na,A\nb,B")
    Department.objects.create(hospital=hospital, key="c", name="C")
    table = show(curator, ALIASES, "kind,key,text\ndepartment,c,een\ndepartment,c,twee")
    entity(hospital, Kind.DEPARTMENT, "D", "twee")

    done = apply(curator, ALIASES, table)

    assert "Nothing was changed." in done.text
    assert Alias.objects.count() == 1
    assert page.context["token"]


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.csv", "empty"),
        (b"k\x00,\xff", "a.csv", "UTF-8"),
        (b"no zip", "a.xlsx", "not a readable workbook"),
        (b"key,key\na,b", "a.csv", "twice"),
        (b"key,name\n" + b"a,b\n" * 5001, "a.csv", "more than 5000"),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_the_reason(curator, data, name, said):
    assert said in show(curator, DEPARTMENTS, data, name).text


def test_the_preview_is_shown_again_after_a_colleagues_change(curator, cardiology):
    page = show(curator, DEPARTMENTS, "key,name,phone\ncardiologie,Cardiologie,089 00 11 11")
    Department.objects.update(phone="089 55 55 55")

    told = apply(curator, DEPARTMENTS, page)

    assert "A colleague changed rows after this preview was made" in told.text
    assert "<del>089 55 55 55</del>" in told.text
    assert Department.objects.get().phone == "089 55 55 55"
    apply(curator, DEPARTMENTS, told)
    assert Department.objects.get().phone == "089 00 11 11"


def test_a_preview_cannot_be_forged_or_applied_to_another_list(curator, cardiology):
    token = show(curator, DEPARTMENTS, "key,name\nx,X").context["token"]

    for address, table in ((ALIASES, token), (DEPARTMENTS, token[:-3] + "abc")):
        curator.post(f"{address}import/", {"table": table})

    assert Department.objects.count() == 1


def test_another_hospital_is_neither_read_nor_written(curator, cardiology, other_hospital):
    with serving(other_hospital):
        theirs = entity(other_hospital, Kind.DEPARTMENT, "Cardiologie", key="hun-cardiologie")

    page = show(curator, ALIASES, "kind,key,text\ndepartment,hun-cardiologie,hart")
    file = curator.get(f"{DEPARTMENTS}export/csv/")

    assert [m.column for m in page.context["taken"].mistakes] == ["key"]
    assert b"hun-cardiologie" not in file.content
    with serving(other_hospital):
        assert theirs.aliases.count() == 0


def test_relations_and_languages_are_imported(curator, hospital, cardiology):
    entity(hospital, Kind.CONDITION, "Hartfalen")
    show_doctor = show(
        curator, "/admin/taxonomy/doctor/",
        "key,name,last_name,languages\nnele,Dr. Nele Maris,Maris,nl|fr",
    )  # fmt: skip
    apply(curator, "/admin/taxonomy/doctor/", show_doctor)
    text = "subject_kind,subject,predicate,object_kind,object\n"
    rows = "department,cardiologie,HANDLES,condition,hartfalen\ndoctor,nele,WORKS_IN,department,cardiologie"
    apply(curator, RELATIONS, show(curator, RELATIONS, text + rows))

    assert Doctor.objects.get().languages == ["nl", "fr"]
    assert {str(row) for row in Relation.objects.all()} == {
        "Cardiologie HANDLES Hartfalen", "Dr. Nele Maris WORKS_IN Cardiologie",
    }  # fmt: skip
    assert Condition.objects.count() == 1


PERSONNEL = "Naam;Dienst;Status;Afwezig tot;Kostenplaats\n"
DOCTORS = "/admin/taxonomy/doctor/"
#: What the first file is told that it means.
MEANT = {
    "naam": "name", "dienst": "departments", "status": "status", "afwezig tot": "absent_until",
    "kostenplaats": "", "status=in dienst": "active", "status=uit dienst": "hidden",
}  # fmt: skip


@pytest.fixture
def staffed(hospital, cardiology):
    """Two doctors of cardiology, and a department to move to."""
    entity(hospital, Kind.DEPARTMENT, "Geriatrie")
    for first, last in (("Nele", "Maris"), ("Jan", "Elders")):
        made = entity(hospital, Kind.DOCTOR, f"{first} {last}", first_name=first, last_name=last,
                      title="Dr.")  # fmt: skip
        relate(made, Predicate.WORKS_IN, cardiology)


def meant(client, page, names):
    told = {"own": list(names), "ours": list(names.values())}
    return client.post(f"{DOCTORS}import/", {"table": page.context["token"], **told})


def changes(page):
    return {
        (line.name, column): after
        for line in page.context["taken"].changed
        for column, _before, after in line.changes
    }


def test_a_list_of_doctors_is_imported_with_the_hospitals_own_column_names(curator, staffed):
    rows = (
        "Dr. Maris Nele;Geriatrie;In dienst;;77\n"
        "Elders Jan;cardio;In dienst;1/3/2999;77\n"
        "Dr. Els De Groot;Cardiologie;In dienst;;78\n"
    )
    first = show(curator, DOCTORS, PERSONNEL + rows)
    asked = {each.text: each.chosen for each in first.context["names"]}

    page = meant(curator, first, MEANT)

    assert "This column is unknown" in first.text
    assert asked["status: In dienst"] in ("", "active")
    assert changes(page) == {
        ("Nele Maris", "departments"): "geriatrie",
        ("Jan Elders", "absent_until"): "2999-03-01",
        ("Els De Groot", "title"): "Dr.",
        ("Els De Groot", "first_name"): "Els",
        ("Els De Groot", "last_name"): "De Groot",
        ("Els De Groot", "name"): "Els De Groot",
        ("Els De Groot", "departments"): "cardiologie",
    }
    assert Doctor.objects.count() == 2
    apply(curator, DOCTORS, page)
    assert dict(Relation.objects.values_list("subject__key", "object__key")) == {
        "nele-maris": "geriatrie", "jan-elders": "cardiologie", "els-de-groot": "cardiologie",
    }  # fmt: skip
    assert str(Doctor.objects.get(key="jan-elders").absent_until) == "2999-03-01"


def test_own_names_are_remembered_and_doctors_who_left_are_hidden(curator, staffed):
    meant(curator, show(curator, DOCTORS, PERSONNEL + "Elders Jan;cardio;Uit dienst;;77"), MEANT)

    page = show(
        curator, DOCTORS, PERSONNEL + "Maris Nele;cardio;In dienst;;7\nElders Jan;;Uit dienst;;7"
    )

    assert not page.context["taken"].mistakes
    assert changes(page)["Jan Elders", "status"] == "hidden"
    apply(curator, DOCTORS, page)
    assert dict(Doctor.objects.values_list("key", "status")) == {
        "nele-maris": "active", "jan-elders": "hidden",
    }  # fmt: skip


def test_doctors_missing_in_a_complete_file_are_hidden(curator, staffed):
    file = SimpleUploadedFile("rows.csv", b"name\nNele Maris\nEls Groot")
    page = curator.post(f"{DOCTORS}import/", {"file": file, "is_all": "on"})

    assert "1 are not in the file and would be hidden." in page.text
    done = apply(curator, DOCTORS, page)

    assert "1 hidden, because they are not in the file." in done.text
    assert set(Doctor.objects.filter(status="hidden").values_list("key", flat=True)) == {
        "jan-elders"
    }


def test_invalid_rows_are_reported_and_prevent_all_changes(curator, staffed, hospital):
    entity(hospital, Kind.DOCTOR, "Maris Nele", first_name="Nele", last_name="Maris",
           key="nele-maris-2")  # fmt: skip
    rows = (
        "name,departments,status,absent_until\n"
        "Nele Maris,,,\nJan Elders,Kardiologie,,\nAn Smit,,weg,\nBo Smit,,,morgen\nCher,,,\n"
    )

    page = show(curator, DOCTORS, rows)

    told = [(m.row, m.column, str(m.sentence)) for m in page.context["taken"].mistakes]
    assert [each[:2] for each in told] == [
        (2, "name"), (3, "departments"), (4, "status"), (5, "absent_until"), (6, "last_name"),
    ]  # fmt: skip
    for (_row, _column, sentence), word in zip(
        told, ("“key”", "“cardiologie”", "“weg”", "“morgen”", "blank"), strict=True
    ):
        assert word in sentence
    assert Doctor.objects.count() == 3


def test_an_unknown_value_stays_in_the_form(curator, staffed):
    names = {"naam": "name", "status": "status", "status=uit dienst": ""}

    page = meant(curator, show(curator, DOCTORS, "Naam;Status\nJan Elders;Uit dienst"), names)

    assert "“Uit dienst” is not possible: choose from active, hidden." in page.text
    assert "status: Uit dienst" in [each.text for each in page.context["names"]]


def test_a_workbook_with_real_dates_and_separate_name_columns_is_imported(curator, staffed):
    book = Workbook()
    book.active.append(["Naam", "Voornaam", "Afwezig tot"])
    book.active.append(["Elders", "Jan", datetime(2999, 3, 1)])
    book.active.append(["De Groot", "Els", None])
    file = io.BytesIO()
    book.save(file)
    names = {"naam": "last_name", "voornaam": "first_name", "afwezig tot": "absent_until"}

    page = meant(curator, show(curator, DOCTORS, file.getvalue(), "rows.xlsx"), names)

    assert changes(page) == {
        ("Jan Elders", "absent_until"): "2999-03-01",
        ("Els De Groot", "first_name"): "Els",
        ("Els De Groot", "last_name"): "De Groot",
        ("Els De Groot", "name"): "Els De Groot",
    }
