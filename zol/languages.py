"""The languages that are spoken here. Everything said to a visitor exists in each."""

from __future__ import annotations

from django.db.models import TextChoices


class Language(TextChoices):
    """A language, labelled by its own name, as language menus show it."""

    NL = "nl", "Nederlands"
    EN = "en", "English"
    FR = "fr", "Français"
    DE = "de", "Deutsch"
    TR = "tr", "Türkçe"
    IT = "it", "Italiano"
    RO = "ro", "Română"
    EL = "el", "Ελληνικά"


LANGUAGES = tuple(Language)
