"""The languages that are spoken here: the only list. Everything said to a visitor is in each."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """A language, labelled by its own name, as language menus show it."""

    label: str

    NL = "nl", "Nederlands"
    EN = "en", "English"
    FR = "fr", "Français"
    DE = "de", "Deutsch"
    TR = "tr", "Türkçe"
    IT = "it", "Italiano"
    RO = "ro", "Română"
    EL = "el", "Ελληνικά"

    def __new__(cls, code: str, label: str = "") -> Language:
        member = str.__new__(cls, code)
        member._value_, member.label = code, label
        return member

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        """Return codes and labels. Forms and models ask each time: choices are no migration."""
        return [(each.value, each.label) for each in cls]


LANGUAGES = tuple(each.value for each in Language)
