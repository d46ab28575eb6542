"""Completeness of the default lexicon."""

import csv
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

import pytest

from taxonomy.language.lexicon import FUNCTION, Lexicon
from taxonomy.language.tokens import folded, join
from taxonomy.models import LexiconConcept
from taxonomy.models.lexicon import DEFAULTS
from zol.languages import LANGUAGES

#: Concepts in the lexicon, at least.
ENOUGH = 1_500
COLUMNS = ["concept", "kind", *LANGUAGES, "note"]
#: Controls, formats, private and unassigned letters, separators of lines.
INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp"})


def _rows() -> list[dict[str, str]]:
    with (DEFAULTS / "lexicon.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == COLUMNS
        return list(reader)


ROWS = _rows()


def _words(row: dict[str, str], language: str) -> list[str]:
    return row[language].split("|")


def _content(language: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a language that are no function words, with their concept."""
    for row in ROWS:
        if row["kind"] != FUNCTION:
            for word in _words(row, language):
                yield word, row["concept"]


def test_every_kind_of_concept_has_enough_words() -> None:
    names = [row["concept"] for row in ROWS]

    assert len(names) >= ENOUGH
    assert len(set(names)) == len(names)
    assert {row["kind"] for row in ROWS} == set(LexiconConcept.Kind.values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_concept_is_found_by_its_words_in_every_language(language) -> None:
    keys = {row["concept"]: [join(folded(word)) for word in _words(row, language)] for row in ROWS}
    owners, lexicon = defaultdict(set), Lexicon(ROWS)
    for word, concept in _content(language):
        owners[join(folded(word))].add(concept)

    assert [name for name, its in keys.items() if len(set(its)) < len(its) or not all(its)] == []
    assert {word: concepts for word, concepts in owners.items() if len(concepts) > 1} == {}
    for word, (concept,) in owners.items():
        assert concept in {found.name for found in lexicon.find(word, language)}, word


def test_is_plain_text() -> None:
    cells = [row[language] for row in ROWS for language in LANGUAGES]

    assert not [cell for cell in cells for letter in cell
                if unicodedata.category(letter) in INVISIBLE or letter in '"_;']  # fmt: skip
    assert all(cell == unicodedata.normalize("NFC", cell) for row in ROWS for cell in row.values())
    assert all(word == word.strip() for cell in cells for word in cell.split("|"))
