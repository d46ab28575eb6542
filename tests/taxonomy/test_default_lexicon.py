"""The words that every hospital starts with are complete, and nothing in them misleads."""

from __future__ import annotations

import csv
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

import pytest

from taxonomy.lexicon import FUNCTION, Lexicon
from taxonomy.models import LexiconConcept
from taxonomy.models.lexicon import DEFAULTS
from taxonomy.tokens import folded, join
from zol.languages import LANGUAGES

#: Concepts in the lexicon, at least.
ENOUGH = 1_500
COLUMNS = ["concept", "kind", *LANGUAGES, "note"]
#: Controls, formats, private and unassigned letters, separators of lines.
INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp"})
#: Abbreviations of two letters that stand for nothing else; a shorter word is never safe.
TWO_LETTERS = frozenset({
    "tv", "wc", "ae", "dr", "gp", "an", "ct", "rx", "ms", "iz", "op", "ok", "id", "er", "zi", "os",
    "is", "ev", "dk", "ay", "es", "el", "ur", "mr", "bt", "ac", "rm", "tc", "su", "nu", "zu",
    "po", "tb", "st", "δρ",
})  # fmt: skip


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


def test_every_row_says_where_its_words_come_from() -> None:
    assert [
        row["concept"] for row in ROWS if not row["note"].strip() or len(row["note"]) > 200
    ] == []


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


def test_greek_is_written_in_greek_letters() -> None:
    """Latin letters are for what the whole world writes so, and look-alikes are an accident."""
    foreign = [
        word
        for row in ROWS
        for word in _words(row, "el")
        if not _is_greek(word) and not _is_international(word, row)
    ]
    mixed = [
        part
        for row in ROWS
        for word in _words(row, "el")
        for part in folded(word)
        if not part.isascii() and any(letter.isascii() and letter.isalpha() for letter in part)
    ]

    assert foreign == []
    assert mixed == []


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "el"])
def test_no_other_language_has_greek_letters(language: str) -> None:
    assert [word for row in ROWS for word in _words(row, language) if _is_greek(word)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_content_word_is_shorter_than_a_known_abbreviation(language: str) -> None:
    keys = {join(folded(word)) for word, _ in _content(language)}

    assert {key for key in keys if len(key) < 3} - TWO_LETTERS == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_leads_to_its_concept(language: str) -> None:
    lexicon = Lexicon(ROWS)
    lost = [
        (word, concept)
        for word, concept in _content(language)
        if concept not in {found.name for found in lexicon.find(join(folded(word)), language)}
    ]

    assert lost == []


def _is_international(word: str, row: dict[str, str]) -> bool:
    return join(folded(word)) in {join(folded(said)) for said in _words(row, "en")}


def _is_greek(word: str) -> bool:
    return any("GREEK" in unicodedata.name(letter, "") for letter in word)
