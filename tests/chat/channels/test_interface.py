"""The interface says the same in every language."""

import re

import pytest

from chat.interface import interface_of, strings
from retrieval.models.documents import DocumentCategory
from tests.builders import PROFILE
from zol.languages import LANGUAGES

DUTCH = strings("nl")


def placeholders(text):
    return sorted(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_string_exists_with_the_same_placeholders(language):
    said = strings(language)

    assert list(said) == list(DUTCH)
    assert set(said["categories"]) == set(DocumentCategory.values)
    for name, text in said.items():
        if isinstance(text, str):
            assert text.strip(), name
            assert placeholders(text) == placeholders(DUTCH[name]), name


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "nl"])
def test_nothing_was_left_in_dutch(language):
    same = [name for name, text in strings(language).items() if text == DUTCH[name]]

    # "Bladzijde" and "Nee" differ everywhere; these few words are really the same.
    assert set(same) <= {"call", "count", "yes", "no", "stop", "assistant", "print", "copy"}


def test_the_hospitals_values_are_filled_in_and_the_pages_own_are_left():
    said = interface_of(PROFILE, "nl")

    assert "ZT" in said["hero_text"]
    assert said["source_n"] == "Bron {n}"
