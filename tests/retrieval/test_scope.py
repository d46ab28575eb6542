"""Campus, ward, medicine and age are read off headings, captions, heads and cells, not off prose."""

import pytest

from retrieval.fields import Place
from retrieval.scope import ScopeReader
from taxonomy.language.lexicon import Lexicon
from taxonomy.vocabulary import AliasKind, Kind

NAMES = [
    (Kind.CAMPUS, "noord", "Campus Noord", ""),
    (Kind.CAMPUS, "zuid", "Campus Zuid", ""),
    (Kind.DEPARTMENT, "hart", "Cardiologie", ""),
    (Kind.DEPARTMENT, "hart", "cardioloog", AliasKind.PROFESSION),
    (Kind.DEPARTMENT, "bewaking", "Hartbewaking cardiologie", ""),
]
WORDS = [
    {"concept": "child", "kind": "person", "nl": "kind|kinderen"},
    {"concept": "baby", "kind": "person", "nl": "baby"},
    {"concept": "year", "kind": "time", "nl": "jaar"},
]


@pytest.fixture(scope="module")
def read():
    reader = ScopeReader(NAMES, ["insuline*", "*pil"], Lexicon(WORDS))
    return lambda place, *cells, title="": dict(reader.of(title, "nl")(place, cells))


@pytest.mark.parametrize(
    ("place", "cells", "scope"),
    [
        (Place(("Campus Zuid", "Tarieven")), (), {"campus": "zuid"}),
        (Place(("Campus Zuid",)), ("maandag", "Campus Noord"), {"campus": "noord"}),
        (Place(caption="Dosis bij kinderen"), (), {"age": "child"}),
        (Place(heads=("Leeftijd", "Insuline")), ("6-12 jaar",), {"age": "child", "medicine": "insuline"}),
        (Place(("Hartbewaking cardiologie",)), (), {"ward": "bewaking"}),
        (Place(("De cardioloog",)), (), {}),
        (Place(("De insulinepomp",)), (), {}),
        (Place(lead=("Op campus Zuid:",)), (), {}),
        (Place(), (f"Wie na de ingreep nog pijn heeft, belt {'heel ' * 20}campus Noord.",), {}),
    ],
    ids=[
        "a heading", "a cell before a heading", "a caption", "heads and cells", "the longest name",
        "no profession", "no device", "no prose over a list", "no prose in a cell",
    ],
)  # fmt: skip
def test_scope_is_what_the_nearest_words_over_a_line_name(read, place, cells, scope):
    assert read(place, *cells) == scope


def test_a_title_counts_where_nothing_nearer_does(read):
    assert read(Place(), title="Baby's op Campus Noord")["campus"] == "noord"
    assert read(Place(("Campus Zuid",)), title="Campus Noord") == {"campus": "zuid"}
