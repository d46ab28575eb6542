"""Mistakes in a pack, reported at once with file, line and column."""

import pytest

from taxonomy.packs.entities import ENTITIES, AliasRecord
from taxonomy.packs.findings import PackRefused
from taxonomy.packs.folder import read_pack
from taxonomy.vocabulary import AliasKind, Kind, Predicate
from tests.packs import MINI
from tests.taxonomy.packs.conftest import spoil


def mistakes(pack):
    with pytest.raises(PackRefused) as refused:
        read_pack(pack)
    return [str(each) for each in refused.value.mistakes]


def test_a_good_pack_is_read_whole():
    pack = read_pack(MINI)

    assert {file.rpartition("/")[2]: len(rows) for file, rows in pack.rows.items()} == {
        "campuses.csv": 2, "departments.csv": 4, "specialties.csv": 2, "doctors.csv": 6,
        "conditions.csv": 5, "treatments.csv": 4, "examinations.csv": 4, "relations.csv": 3,
        "facts.csv": 0, "index.csv": 9, "curated.jsonl": 0, "translations.jsonl": 1,
        "golden.jsonl": 6,
    }  # fmt: skip
    assert pack.warnings == ()


def test_columns_have_their_meaning():
    pack = read_pack(MINI)
    rows = {
        (sheet.kind, row.fields["key"]): row for sheet in ENTITIES for row in pack.rows[sheet.file]
    }

    doctor = rows[Kind.DOCTOR, "zoe-d-hondt"].fields
    assert (doctor["name"], doctor["title"]) == ("Zoë D'Hondt", "Prof. dr.")
    said = {
        (subject[1], predicate, target[1])
        for sheet in ENTITIES
        for row in pack.rows[sheet.file]
        if row.fields["key"] in ("astma", "spirometrie", "cpap")
        for (subject, predicate, target), _column in sheet.stated(row)
    }
    assert said == {
        ("longziekten", Predicate.HANDLES, "astma"),
        ("longziekten", Predicate.PERFORMS, "spirometrie"),
        ("astma", Predicate.TREATED_BY, "spirometrie"),
        ("longziekten", Predicate.OFFERS, "cpap"),
        ("cpap", Predicate.TREATS, "slaapapneu"),
    }
    aliases = rows[Kind.CONDITION, "slaapapneu"].fields["aliases"]
    assert AliasRecord("nl", "OSAS", AliasKind.ABBREVIATION) in aliases
    assert AliasRecord("en", "sleep apnoea", AliasKind.SYNONYM) in aliases
    professions = rows[Kind.SPECIALTY, "oogziekten"].fields["professions"]
    assert AliasRecord("nl", "oogarts", AliasKind.PROFESSION) in professions


#: The file, what is replaced in it and by what, the place that is named, and a part of what is said.
DEPARTMENTS, DOCTORS, CONDITIONS = (
    f"taxonomy/{n}.csv" for n in ("departments", "doctors", "conditions")
)
SPOILED = [
    (DOCTORS, "m,oogarts,oogziekten,heide,nl|fr", "m,oogarts,oogkunde,heide,nl|fr", "3:7", "no department “oogkunde”"),
    (DOCTORS, "ma 9:00-12:00@oever", "maandag@oever", "2:11", "“maandag@oever” has no time"),
    (DOCTORS, "ma 9:00-12:00@oever", "ma 9:00-12:00@zee", "2:11", "no campus “zee”"),
    (CONDITIONS, "longontsteking,Longont", "astma,Longont", "6:1", "stands already at taxonomy/conditions.csv:2:1"),
    (CONDITIONS, "groene staar", "Stáár", "5:3", "“cataract” at taxonomy/conditions.csv:4:3"),
    (CONDITIONS, "fr:asthme", "xx:asthme", "2:3", "“xx” of “xx:asthme” is not a language"),
    (DEPARTMENTS, ",ward,", ",wing,", "5:4", "“wing” is not possible: choose from department, service, ward"),
    (DEPARTMENTS, ",phone,", ",telephone,", "1:10", "lacks the column phone"),
    (DEPARTMENTS, "key,", "sleutel,", "1:1", "lacks the column key"),
    (DEPARTMENTS, "sociale-dienst,Sociale dienst,", "sociale-dienst,", "4:9", "8 cells, the header 9"),
    (DEPARTMENTS, "longziekten,", "Longziekten,", "2:1", "is not a key"),
    ("taxonomy/campuses.csv", "51.1,", "north,", "2:8", "“north” is not a number"),
    ("taxonomy/relations.csv", "b3-afdeling,PART_OF,department", "b3-afdeling,TREATS,department", "2:3", "TREATS cannot join"),
    ("pages/index.csv", ",Practical,", ",Practicals,", "6:4", "Did you mean “Practical”?"),
    ("pages/index.csv", "zorg/astma.html", "zorg/asma.html", "4:1", "“zorg/asma.html” does not exist"),
    ("pages/index.csv", "zorg/astma.html", "../hospital.yaml", "4:1", "leaves the folder of pages"),
    ("hospital.yaml", 'phone: "011 00 10 00"', 'phone: "011 00 10 00', "9:18", "not YAML"),
    ("hospital.yaml", "languages: [nl, fr", "languages: [nl, es", "7:17", "“es” is not a language"),
    ("hospital.yaml", "default_language", "country: xx\ndefault_language", "", "is not the code of a country"),
    ("hospital.yaml", "default_language: nl", "default_language: xx", "", "“xx” is not possible"),
    ("golden.jsonl", '"id": "mini-003", ', '"id": "mini-003" ', "3:19", "not JSON"),
    ("golden.jsonl", '"expect": "refuse_medical"', '"expect": "refuse"', "6:127", "Input should be 'answer'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "said"), SPOILED, ids=[r[4] for r in SPOILED]
)
def test_every_mistake_is_reported_once_at_its_place(pack, file, old, new, place, said):
    spoil(pack, file, old, new)

    (only,) = mistakes(pack)

    assert only.startswith(f"{file}:{place}")
    assert said in only


def test_all_mistakes_are_reported_at_once(pack):
    spoil(pack, "taxonomy/departments.csv", ",ward,", ",wing,")
    spoil(pack, "pages/index.csv", "2026-03-02", "gisteren")
    (pack / "taxonomy/examinations.csv").unlink()

    said = mistakes(pack)

    assert [each.split(":")[0] for each in said] == [
        "pages/index.csv",
        "taxonomy/departments.csv",
        "taxonomy/examinations.csv",
    ]
    assert said[-1] == "taxonomy/examinations.csv:1:1: The file is missing."


def test_a_file_that_is_not_utf8_is_refused(pack):
    path = pack / "taxonomy/doctors.csv"
    path.write_bytes(path.read_text(encoding="utf-8").encode("cp1254"))

    (only,) = mistakes(pack)

    assert only.startswith("taxonomy/doctors.csv:4:25: ")
    assert "UTF-8" in only


def test_an_alias_that_is_the_name_of_another_entity_is_a_warning(pack):
    table = (pack / "taxonomy/departments.csv").read_text(encoding="utf-8").splitlines()
    first, second = (line.split(",") for line in table[1:3])
    name = f"{first[0]},{first[1]},"
    spoil(pack, DEPARTMENTS, name, f"{name}{second[1].upper()}|")

    (warning,) = read_pack(pack).warnings

    assert f"is the name of “{second[0]}”" in warning.sentence


def test_an_alias_without_a_language_has_the_hospitals_language(pack):
    spoil(pack, "hospital.yaml", "default_language: nl", "default_language: fr")

    read = read_pack(pack)

    aliases = read.rows["taxonomy/conditions.csv"]
    assert any("“pneumonie” (fr)" in each.sentence for each in read.warnings)
    assert {a.language for row in aliases for a in row.fields["aliases"]} >= {"fr", "en"}
    assert "nl" not in {a.language for row in aliases for a in row.fields["aliases"]}


def test_a_link_out_of_the_folder_is_refused(pack, tmp_path):
    secret = tmp_path / "secret.html"
    secret.write_text("geheim")
    page = pack / "pages/zorg/astma.html"
    page.unlink()
    page.symlink_to(secret)

    assert mistakes(pack) == [
        "pages/index.csv:4:1: path: “zorg/astma.html” leaves the folder of pages."
    ]


def test_an_unknown_column_is_a_warning(pack):
    path = pack / "taxonomy/relations.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text(
        "\n".join([lines[0] + ",note", *(line + ",x" for line in lines[1:])]), encoding="utf-8"
    )

    (warning,) = read_pack(pack).warnings
    assert str(warning) == ("taxonomy/relations.csv:1:6: The column note is unknown and not read.")


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("azm-mini.localhost:8000", id="a port"),
        pytest.param("https://azm-mini.localhost", id="an address"),
        pytest.param("a" * 254, id="too long"),
        pytest.param("azm mini", id="a space"),
    ],
)
def test_an_invalid_host_is_a_mistake(pack, host):
    spoil(pack, "hospital.yaml", "azm-mini.localhost", f'"{host}"')

    assert any("is not a host name" in each for each in mistakes(pack))
