"""An answer as the page shows it: harmless, and its telephone numbers can be dialled."""

from __future__ import annotations

import pytest

from chat.presentation import html_of


@pytest.mark.parametrize(
    ("text", "dialled"),
    [
        pytest.param("Bel 089 32 50 50.", "08932505" + "0", id="with spaces"),
        pytest.param("Bel +32 (0)89 32.50.50", "+3289325050", id="from abroad"),
        pytest.param("**011/30.00.00**", "011300000", id="in bold, with signs"),
    ],
)
def test_a_telephone_number_can_be_dialled(text, dialled):
    assert f'<a href="tel:{dialled}">' in html_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Op 01/02/2026 om 14:30",
        "Van 08:00-16:30",
        "0,5 mg",
        "3600 Genk 12",
        "[089 32 50 50](https://a.be)",
    ],
)
def test_what_is_no_telephone_number_is_left_alone(text):
    assert "tel:" not in html_of(text)


def test_what_a_text_smuggles_in_does_no_harm():
    html = html_of(
        '<script>alert(1)</script> [x](javascript:alert(1)) <img src="x" alt="089 32 50 50">'
    )

    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
