"""The words that every hospital starts with are complete, and nothing in them misleads."""

from __future__ import annotations

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


def test_speaks_of_all_that_a_hospital_is_asked_about() -> None:
    names = [row["concept"] for row in ROWS]

    assert len(names) >= ENOUGH
    assert len(set(names)) == len(names)
    assert {row["kind"] for row in ROWS} == set(LexiconConcept.Kind.values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_concept_has_a_word_in_every_language(language: str) -> None:
    assert [row["concept"] for row in ROWS if not row[language].strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_alternative_is_empty_or_written_twice(language: str) -> None:
    careless = [
        row["concept"]
        for row in ROWS
        for keys in [[join(folded(word)) for word in _words(row, language)]]
        if len(set(keys)) < len(keys) or not all(keys)
    ]

    assert careless == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_stands_for_one_concept(language: str) -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for word, concept in _content(language):
        owners[join(folded(word))].add(concept)

    assert {word: concepts for word, concepts in owners.items() if len(concepts) > 1} == {}


def test_is_plain_text() -> None:
    odd = {
        (row["concept"], letter)
        for row in ROWS
        for language in LANGUAGES
        for letter in row[language]
        if unicodedata.category(letter) in INVISIBLE or letter in '"_;'
    }

    assert odd == set()
    assert all(cell == unicodedata.normalize("NFC", cell) for row in ROWS for cell in row.values())
    assert all(word == word.strip() for row in ROWS for c in LANGUAGES for word in _words(row, c))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_leads_to_its_concept(language: str) -> None:
    lexicon = Lexicon(ROWS)
    lost = [
        (word, concept)
        for word, concept in _content(language)
        if concept not in {found.name for found in lexicon.find(join(folded(word)), language)}
    ]

    assert lost == []
