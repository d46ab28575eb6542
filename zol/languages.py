"""The supported languages; all texts for visitors exist in each."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """A language code, with the name of the language in itself as label."""

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
        """Return codes and labels; model fields take the callable, so they need no migration."""
        return [(each.value, each.label) for each in cls]


LANGUAGES = tuple(each.value for each in Language)
