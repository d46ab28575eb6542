"""A quotation is written as it stands on its page: a list stays a list."""

from __future__ import annotations

from chat.engines.embedded.quotes import choose
from chat.engines.embedded.quoting import beside_source, lines_of
from chat.engines.embedded.scoring import Quote, Wanted
from chat.presentation import html_of
from tests.builders import passage
from tests.chat.test_quotes import asked


def quoted(text: str, *words: str) -> Quote:
    (quote,) = choose([passage(text, 0.8)], Wanted(asked(*words)), str)
    return quote


def shown(quote: Quote) -> str:
    return html_of("\n".join(f"> {line}".rstrip() for line in lines_of(quote)))


def test_sentences_are_one_paragraph():
    quote = quoted("Parkeren kan hier. De parking is open.", "parking")

    assert list(lines_of(quote)) == ["Parkeren kan hier. De parking is open."]


def test_steps_keep_their_numbers_and_all_their_sentences():
    quote = quoted(
        "2. Meld u aan de balie. Neem daarna even plaats.\n3. Wacht op uw naam.", "balie"
    )

    assert beside_source(quote).splitlines() == [
        "2. Meld u aan de balie. Neem daarna even plaats.",
        "3. Wacht op uw naam.",
    ]
    assert '<ol start="2">' in shown(quote)


def test_steps_under_a_line_of_text_are_a_list_of_their_own():
    page = "## Opname\nZo verloopt het:\n2. Meld u aan de balie.\n3. Wacht op uw naam."

    html = shown(quoted(page, "balie"))

    assert "Zo verloopt het:</p>" in html
    assert html.count("<li>") == 2


def test_steps_of_which_some_are_left_out_are_not_counted_anew():
    steps = "\n".join(
        f"{number}. {'Meld u aan de balie' if number % 2 else 'Lees dit'} {'rustig ' * 10}{number}."
        for number in range(1, 9)
    )

    said = list(lines_of(quoted(steps, "balie")))

    assert len(said) < 8
    assert all(line.startswith("- ") for line in said)


def test_a_short_item_says_something():
    quote = quoted("Neem mee:\n- uw kaart\n- bril\n- medicatie van thuis", "kaart")

    assert list(lines_of(quote)) == ["Neem mee:", "- uw kaart", "- bril", "- medicatie van thuis"]


def test_a_heading_with_the_number_to_call_is_said():
    said = quoted("## Eerst bellen: 1733\nEen medewerker beslist met u.", "medewerker")

    assert next(lines_of(said)) == "**Eerst bellen: 1733**"


def test_the_number_of_a_chapter_is_no_reason_to_say_its_heading():
    said = quoted("## 2. De opname\nEen medewerker wacht op u.", "medewerker")

    assert list(lines_of(said)) == ["Een medewerker wacht op u."]
