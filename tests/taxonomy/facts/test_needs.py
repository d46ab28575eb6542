import csv
from collections import Counter
from pathlib import Path

from taxonomy.facts import needs
from zol.languages import LANGUAGES

KINDS = {"hours", "money", "duration", "place", "contact", "items", "text", "yesno"}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_need_has_a_kind_of_value_and_a_name_in_every_language() -> None:
    assert set(needs.kinds().values()) <= KINDS
    assert all(row[code] for row in rows(needs.NEEDS) for code in LANGUAGES)


def test_names_tell_needs_apart_in_every_language() -> None:
    for code in LANGUAGES:
        named = Counter(needs.name(key, code) for key in needs.kinds())
        assert max(named.values()) == 1, (code, named.most_common(1))


def test_a_language_without_a_name_gets_the_english_one() -> None:
    assert needs.name("lost", "xx") == "lost things"
    assert needs.name("no such need", "nl") == "no such need"
