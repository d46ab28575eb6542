"""Text of pages and rows is shown literally, whatever Markdown it contains."""

import re
from html import unescape

import pytest

from chat.channels.frames import html_of, markdown_with
from tests.tricks import TRICKS
from zol.text import JOINER, Markdown, escaped

#: Where text of a page or row is put: by itself, quoted, in a list, under its heading.
PLACES = {
    "{}": "<p>{}</p>",
    "> {} [1]": "<blockquote> <p>{} [1]</p> </blockquote>",
    "- {}\n- {}": "<ul> <li>{}</li> <li>{}</li> </ul>",
    "**{}**": "<p><strong>{}</strong></p>",
    "> Prijs: {}\n> {}": "<blockquote> <p>Prijs: {}<br> {}</p> </blockquote>",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("trick", TRICKS)
def test_a_text_shows_as_it_is_written(trick, place):
    # As if every link were ours: what is tried is the text, not the list of addresses.
    every = markdown_with(lambda address: True)

    html = html_of(place.replace("{}", escaped(trick)), markdown=every)

    shown = " ".join(unescape(html).replace(JOINER, "").split())
    assert shown == PLACES[place].replace("{}", trick)


def test_a_note_inside_a_text_is_no_source():
    text = escaped("Zie [1] en [12].")

    assert not re.search(r"\[\d+\]", text)
    assert text.replace(JOINER, "").replace("\\", "") == "Zie [1] en [12]."


@pytest.mark.parametrize(
    "text",
    [
        "+32 89 32 50 50",
        "-5 °C",
        "a.b_c@azm.be",
        "< 18 jaar",
        "2,5 mg",
        "ma-vr: 9.00 – 12.00 u",
        "R&D",
    ],
)
def test_an_ordinary_text_stays_letter_by_letter(text):
    assert escaped(text) == text


def test_what_is_markdown_already_is_not_escaped_again():
    assert escaped(Markdown("**112**")) == escaped(escaped(Markdown("**112**"))) == "**112**"
