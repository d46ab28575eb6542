"""Campus, ward, medicine and age are read off headings, captions, heads and cells, not off prose."""

import pytest

from retrieval.fields import Place
from retrieval.scope import ScopeReader
from taxonomy.language.lexicon import Lexicon
from taxonomy.vocabulary import AliasKind, Kind

NAMES = [
    (Kind.CAMPUS, "noord", "Campus Noord", "", "nl"),
    (Kind.CAMPUS, "zuid", "Campus Zuid", "", "nl"),
    (Kind.DEPARTMENT, "hart", "Cardiologie", "", "nl"),
    (Kind.DEPARTMENT, "hart", "cardioloog", AliasKind.PROFESSION, "nl"),
    (Kind.DEPARTMENT, "hart", "heart department", AliasKind.SYNONYM, "en"),
    (Kind.DEPARTMENT, "hart", "heart failure", AliasKind.SYNONYM, "en"),
    (Kind.DEPARTMENT, "bewaking", "Hartbewaking cardiologie", "", "nl"),
]
WORDS = [
    {"concept": "child", "kind": "person", "nl": "kind|kinderen"},
    {"concept": "baby", "kind": "person", "nl": "baby"},
    {"concept": "year", "kind": "time", "nl": "jaar"},
    {"concept": "department", "kind": "practical", "nl": "dienst", "en": "department"},
    {"concept": "heart", "kind": "body", "en": "heart"},
    {"concept": "cardiology", "kind": "specialty", "en": "heart department"},
    {"concept": "where", "kind": "function", "nl": "waar"},
]
MEDICINES = [("any", "insuline*"), ("any", "*pil"), ("it", "moment")]


@pytest.fixture(scope="module")
def read():
    reader = ScopeReader(NAMES, MEDICINES, Lexicon(WORDS))
    return lambda place, line="", title="", language="nl": dict(
        reader.of(title, language)(place, line)
    )


@pytest.mark.parametrize(
    ("place", "line", "scope"),
    [
        (Place(("Campus Zuid", "Tarieven")), "gratis", {"campus": "zuid"}),
        (Place(("Campus Zuid",)), "maandag | Campus Noord", {"campus": "noord"}),
        (Place(caption="Dosis bij kinderen"), "5 ml", {"age": "child"}),
        (Place(heads=("Leeftijd", "Insuline")), "6-12 jaar | 5 ml", {"age": "child", "medicine": "insuline"}),
        (Place(("Hartbewaking cardiologie",)), "", {"ward": "bewaking"}),
        (Place(("De cardioloog",)), "", {}),
        (Place(("De insulinepomp",)), "", {}),
        (Place(lead=("Op campus Zuid:",)), "", {}),
        (Place(), f"pijn | Wie pijn heeft, belt {'heel ' * 20}campus Noord.", {}),
        (Place(), "Cardiologie | gsm uit", {"ward": "hart"}),
        (Place(), "gsm | niet op Cardiologie", {}),
        (Place(heads=("Klacht", "Dienst")), "pijn op de borst | Cardiologie", {"ward": "hart"}),
        (Place(), "Dienst | Cardiologie", {"ward": "hart"}),
        (Place(), "verplicht | Hartbewaking cardiologie, Cardiologie", {"ward": "hart"}),
        (Place(), "- Campus Noord: Kerkstraat 1", {"campus": "noord"}),
        (Place(), "- Waar: Kerkstraat 1, Campus Noord", {"campus": "noord"}),
        (Place(), "- Let op: campus Noord is gesloten", {}),
        (Place(), "Campus Noord: daar is het druk", {}),
        (Place(("Het beste moment",)), "", {}),
    ],
    ids=[
        "a heading", "a cell before a heading", "a caption", "heads and cells", "the longest name",
        "no profession", "no device", "no prose over a list", "no prose in a cell",
        "the first cell", "nothing mentioned in another", "a column that lists wards",
        "a first cell that announces one", "a list in another", "the label of an item",
        "a label that announces a place", "nothing mentioned in an item", "no prose with a colon", "no medicine of another language",
    ],
)  # fmt: skip
def test_scope_is_what_the_nearest_words_over_a_line_name(read, place, line, scope):
    assert read(place, line) == scope


def test_a_title_counts_where_nothing_nearer_does(read):
    assert read(Place(), title="Baby's op Campus Noord")["campus"] == "noord"
    assert read(Place(("Campus Zuid",)), title="Campus Noord") == {"campus": "zuid"}


def test_an_alias_of_a_department_is_judged_in_its_own_language(read):
    assert read(Place(("Heart department",)), language="en") == {"ward": "hart"}
    assert read(Place(("Heart failure",)), language="en") == {}


def test_a_medicine_is_read_in_its_own_language(read):
    assert read(Place(("Moment",)), language="it") == {"medicine": "moment"}
