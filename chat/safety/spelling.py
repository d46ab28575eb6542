"""How words are written in a hurry, in dialect or in chat: "nie" for "niet", "nn" for "non".

Rows say it per language, once for each word instead of once for each phrase in which it occurs.
What is meant may be an ending too ("*yor", written "*yo"): it holds for every word that ends so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from taxonomy.tokens import folded

Row = tuple[str, str, str]


class Spellings:
    """Other ways to write words, by language. Immutable once built."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Take what is meant, the language, and how it is also written."""
        self._written: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._endings: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for meant, language, written in rows:
            said, other = " ".join(folded(meant)), " ".join(folded(written))
            if said and meant.startswith("*"):
                self._endings[language].append((said, other))
            elif said:
                self._written[language][said].append(other)

    def all_of(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows of phrases, each followed by the other ways to write it."""
        for name, language, phrase in rows:
            yield name, language, phrase
            for other in self._others(phrase, language):
                yield name, language, other

    def _others(self, phrase: str, language: str) -> Iterator[str]:
        """Write one word of a phrase otherwise; endings that are open stay so."""
        ending = "*" if phrase.endswith("*") else ""
        said = f" {' '.join(folded(phrase))} "
        for meant, written in self._written.get(language, {}).items():
            if f" {meant} " in said:
                for other in written:
                    yield said.replace(f" {meant} ", f" {other} ", 1).strip() + ending
        for meant, other in self._endings.get(language, ()):
            if f"{meant} " in said:
                yield said.replace(f"{meant} ", f"{other} ").strip() + ending
