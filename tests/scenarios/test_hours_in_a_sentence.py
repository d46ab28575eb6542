"""Of ten places the hours stood in a sentence, of five of them on a page only: "is it open on
Saturday?" was answered with the sentence, and whether Saturday is open was left to the reader."""

import csv

import pytest

from chat import services
from chat.turn import Turn
from tests.answering import loaded
from tests.packs import MINI
from zol.clock import moment_of
from zol.tenancy import serving

NOW = moment_of("2026-12-15T10:00")
SATURDAY = "zaterdag 19 december 2026: "
#: Name of the place, its hours, and what is said of a Saturday.
IN_ITS_ROW = (
    ("Vaccinatiepunt", "Open van maandag tot vrijdag van 8 tot 17 uur, zaterdag gesloten", "gesloten"),
    ("Hoorcentrum", "Elke dag van 9 tot 18 uur, behalve op zondag", "9:00-18:00"),
    ("Voetkliniek", "Wij zijn open op weekdagen tussen 9 en 17 uur", "gesloten"),
    ("Pacemakercentrum", "Van dinsdag tot zaterdag van 8.30 tot 12 uur", "8:30-12:00"),
    ("Rugschool", "Open in het weekend van 10 tot 16 uur", "10:00-16:00"),
)  # fmt: skip
ON_ITS_PAGE = (
    ("Prikpunt", "Open van maandag tot vrijdag van 7 tot 17 uur, zaterdag gesloten.", "gesloten"),
    ("Thuiszorgwinkel", "De winkel is open van maandag tot zaterdag van 9 tot 18 uur.", "9:00-18:00"),
    ("Kapsalon", "Dinsdag tot vrijdag van 9 tot 17 uur, zaterdag van 9 tot 12 uur.", "9:00-12:00"),
    ("Fietspunt", "Wij zijn elke dag open van 8 tot 20 uur.", "8:00-20:00"),
    ("Leeszaal", "Op weekdagen van 10 tot 16 uur. In het weekend gesloten.", "gesloten"),
)  # fmt: skip


def column(file, **values):
    with file.open(encoding="utf-8", newline="") as rows:
        names = next(csv.reader(rows))
    with file.open("a", encoding="utf-8", newline="") as rows:
        csv.DictWriter(rows, names).writerow(values)


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places") / "pack"
    for file in MINI.rglob("*"):
        if file.is_file():
            target = folder / file.relative_to(MINI)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes().replace(b"azm-mini", b"azm-places"))
    for name, hours, _ in (*IN_ITS_ROW, *ON_ITS_PAGE):
        key, url = name.lower(), f"https://www.azm-places.example/diensten/{name.lower()}"
        in_row = hours if (name, hours, _) in IN_ITS_ROW else ""
        row = {"key": key, "name": name, "kind": "service", "phone": "", "campuses": "oever"}
        column(folder / "taxonomy/departments.csv", **row, url=url, hours=in_row)
        said = "" if in_row else f"<h2>Openingsuren</h2><p>{hours}</p>"
        (folder / f"pages/diensten/{key}.html").write_text(
            f"<html lang='nl'><main><h1>{name}</h1><p>{name} ligt op campus Oever.</p>{said}</main>"
        )
        page = {"path": f"diensten/{key}.html", "url": url, "title": name, "language": "nl"}
        column(folder / "pages/index.csv", **page, category="Department", updated_at="2026-03-02")
    return folder


@pytest.fixture
def places(mini, pack):
    hospital = loaded(pack)
    with serving(hospital):
        yield hospital


def test_the_day_is_told_beside_the_sentence(places):
    told = {
        name: services.take_turn(Turn(f"Is {name} open op zaterdag?", "nl", at=NOW)).context.answer
        for name, _, _ in (*IN_ITS_ROW, *ON_ITS_PAGE)
    }

    missing = {
        name: told[name]
        for name, _, saturday in (*IN_ITS_ROW, *ON_ITS_PAGE)
        if f"{SATURDAY}{saturday}" not in told[name]
    }
    assert missing == {}
