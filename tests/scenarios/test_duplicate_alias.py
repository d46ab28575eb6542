"""“Hartdienst” was given to a second department by a file, and the first lost it without a word."""

import pytest

from taxonomy.models import Alias, Proposal
from taxonomy.packs.imports import take
from taxonomy.packs.spreadsheets import ALIASES
from taxonomy.proposals.decisions import accept
from taxonomy.vocabulary import Kind
from tests.factories import entity
from zol.errors import BadInput
from zol.tables.table import read_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def surgery(hospital):
    entity(hospital, Kind.DEPARTMENT, "Cardiologie", "hartdienst")
    return entity(hospital, Kind.DEPARTMENT, "Hartchirurgie")


@pytest.mark.parametrize("spelt", ["hartdienst", "HARTDIENST", " Hartdiënst ", "cardiologie"])
def test_a_file_cannot_take_a_word_from_another_department(hospital, surgery, spelt):
    rows = f"kind,key,text\ndepartment,hartchirurgie,hartoperatie\ndepartment,hartchirurgie,{spelt}"

    taken = take(hospital, ALIASES, read_table(rows.encode(), "a.csv"), keep=True)

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

    taken = take(hospital, ALIASES, read_table(rows, "a.csv"), keep=True)

    assert not taken.mistakes
    assert Alias.objects.count() == 1
