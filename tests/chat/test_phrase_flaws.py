"""Every fixed text is there in every language, and says the same in each."""

import pytest

from chat.models import FixedText
from chat.phrases import Flaw, What, flaws
from chat.safety.phrases import defaults
from tests.zol.staff import signed_in
from zol.languages import LANGUAGES
from zol.models import Role

WORDS = "Bel {helpdesk_phone} tijdens de kantooruren, dan helpen wij u graag verder."


def texts(**changed: str) -> dict[tuple[str, str], str]:
    return {("helpdesk", code): changed.get(code, WORDS) for code in LANGUAGES}


@pytest.mark.parametrize(
    ("language", "text", "flaw"),
    [
        ("tr", "", Flaw("helpdesk", "tr", What.MISSING)),
        ("el", "   ", Flaw("helpdesk", "el", What.MISSING)),
        ("fr", WORDS.replace("helpdesk_phone", "phone"),
         Flaw("helpdesk", "fr", What.PLACEHOLDERS, "helpdesk_phone, phone")),
        ("de", "Rufen Sie {helpdesk_phone} an.", None),
        ("ro", "{helpdesk_phone}", Flaw("helpdesk", "ro", What.LENGTH, "16 / 75")),
    ],
)  # fmt: skip
def test_says_what_is_wrong_with_a_text(language: str, text: str, flaw: Flaw | None) -> None:
    assert list(flaws(texts(**{language: text}), ())) == ([flaw] if flaw else [])


def test_a_text_of_which_there_is_nothing_is_missing_in_every_language() -> None:
    found = list(flaws(texts(), {"disclaimer", "helpdesk"}))

    assert {flaw.kind for flaw in found} == {"disclaimer"}
    assert [flaw.language for flaw in found] == list(LANGUAGES)


def test_what_a_hospital_starts_with_is_complete() -> None:
    rows = {(str(r["kind"]), str(r["language"])): str(r["text"]) for r in defaults("texts")}

    assert list(flaws(rows, ())) == []
    assert len(rows) > 8 * 50


@pytest.fixture
def texts_of(hospital):
    """A hospital with the texts that it starts with."""
    FixedText.objects.bulk_create(
        FixedText.from_default(row, hospital.pk) for row in defaults("texts")
    )
    return hospital


def test_staff_are_shown_what_is_missing_and_where_to_write_it(texts_of) -> None:
    browser = signed_in(texts_of, Role.CURATOR)
    assert "with the same placeholders." in browser.get("/admin/chat/fixedtext/check/").text

    FixedText.objects.filter(kind="disclaimer", language="tr").delete()

    page = browser.get("/admin/chat/fixedtext/check/").text
    assert "is missing" in page
    assert "?kind=disclaimer&amp;language=tr" in page
    assert "/admin/chat/fixedtext/check/" in browser.get("/admin/").text
    assert "/admin/chat/fixedtext/check/" in browser.get("/admin/chat/fixedtext/").text
