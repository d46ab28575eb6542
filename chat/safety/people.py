"""First names and surnames common in the region.

They come from the package `Faker`, for the countries of the supported languages and the main
countries of origin.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import NamedTuple

from zol.text import fold

LOCALES = (
    "nl_BE", "nl_NL", "fr_BE", "fr_FR", "fr_CH", "de_DE", "de_AT", "tr_TR", "it_IT", "ro_RO",
    "el_GR", "en_GB", "en_IE", "en_US", "es_ES", "pt_PT", "pl_PL",
    "fr_DZ", "hr_HR", "hu_HU", "cs_CZ", "sv_SE",
)  # fmt: skip
FIRST = ("first_names", "first_names_male", "first_names_female")
LAST = ("last_names", "last_names_male", "last_names_female")
#: Case endings of Greek names: "Γιώργος", "του Γιώργου", "τον Γιώργο".
_GREEK_ENDING = re.compile(r"(?<=[α-ω]{3})(?:ιου|ου|οσ|ο|ησ|η|ασ|α|υσ|υ|εσ|ε|ισ|ι)$")


class People(NamedTuple):
    """Folded first names and surnames; a surname of several words as one."""

    first: frozenset[str]
    last: frozenset[str]

    def is_first(self, word: str) -> bool:
        return base(word) in self.first

    def is_last(self, word: str) -> bool:
        return base(word) in self.last

    def has(self, word: str) -> bool:
        return self.is_first(word) or self.is_last(word)


def base(word: str) -> str:
    """Return a folded name without its Greek case ending."""
    return _GREEK_ENDING.sub("", word)


@cache
def people() -> People:
    return People(_listed(FIRST), _listed(LAST))


def _listed(kinds: tuple[str, ...]) -> frozenset[str]:
    lists = (
        getattr(import_module(f"faker.providers.person.{locale}").Provider, kind, ())
        for locale in LOCALES
        for kind in kinds
    )
    named = {fold(name) for each in lists for name in each}
    return frozenset(base(re.sub(r"[\W_]", "", name)) for name in named if len(name) > 1)
