"""The text of an answer has citation numbers in order of first use, and lines as on their page."""

import pytest

from chat.answering.written import WrittenAnswer
from chat.checking.base import Citation, Form, Line, LineKind, NumberedEvidence, Source
from retrieval.passage import Page
from tests.builders import phrases

STEPS = tuple(
    Line(f"2.{n}", text, "Stappen", kind=LineKind.ITEM, chunk_id=7, mark=f"{n}.")
    for n, text in enumerate(("Kom nuchter.", "Breng uw [kaart](x) mee."), start=1)
)
ROWS = tuple(
    Line(f"3.{n}", f"Parking: {name}; Tarief: {price}", above, "nl", LineKind.ROW, 20 + n,
         cells=(("Parking", name), ("Tarief", price)))
    for n, (name, price, above) in enumerate(
        (("Dijk", "€ 1 | uur", ""), ("Dorp", "€ 2", ""), ("Beek", "€ 3", "Elders")), start=1
    )
)  # fmt: skip
HOURS = Line("4.1", "Ouvert le lundi.", "Horaires", "fr", chunk_id=9)
EVIDENCE = NumberedEvidence(
    tuple(
        Source(Citation(n, title, f"https://ziekenhuis.test/{n}", document_id=n), lines)
        for n, title, lines in (
            (2, "Opname", STEPS),
            (3, "Parkeren", ROWS),
            (4, "Accueil", (HOURS,)),
        )
    )
)
TEXTS = phrases(quote_language="Dit staat er in het {language_name}:", language_name_fr="Frans")


@pytest.fixture
def answer():
    return WrittenAnswer(EVIDENCE, TEXTS, "nl")


def test_sources_count_in_the_order_in_which_they_are_shown(answer):
    answer.add_statement("Parkeren kan.", ROWS[:1], Form.SENTENCE)
    answer.add_statement("Kom nuchter.", (STEPS[0], ROWS[1]), Form.SENTENCE)

    assert answer.text == "Parkeren kan. [1] Kom nuchter. [2] [1]"
    assert [(each.n, each.title) for each in answer.citations] == [(1, "Parkeren"), (2, "Opname")]
    assert (answer.citations[0].chunk_id, answer.citations[0].also) == (21, (22,))
    assert answer.citations[0].passage == f"{ROWS[0].text}\n{ROWS[1].text}"


def test_another_page_begins_a_paragraph_once_the_first_has_two_sentences(answer):
    for line in (STEPS[0], STEPS[1], ROWS[0], ROWS[1]):
        answer.add_statement("Zin.", (line,), Form.SENTENCE)

    assert answer.text == "Zin. [1] Zin. [1]\n\nZin. [2] Zin. [2]"


def test_items_make_one_list(answer):
    answer.add_statement("Breng mee:", (), Form.SENTENCE)
    answer.add_statement("uw kaart", STEPS[1:], Form.ITEM)
    answer.add_statement("uw bril", STEPS[1:], Form.ITEM)

    assert answer.text == "Breng mee:\n\n- uw kaart [1]\n- uw bril [1]"


def test_rows_become_a_table_for_each_heading_with_escaped_cells(answer):
    answer.show(ROWS)

    assert answer.text == (
        "| Parking | Tarief |\n|---|---|\n| Dijk | € 1 \\| uur |\n| Dorp | € 2 |\n\n[1]\n\n"
        "**Elders** [1]\n\n| Parking | Tarief |\n|---|---|\n| Beek | € 3 |"
    )


def test_steps_keep_their_numbers_and_lines_are_printed_once(answer):
    answer.show(STEPS)
    again = answer.show(STEPS[:1], is_quotation=True)

    assert answer.text == "**Stappen**\n1. Kom nuchter.\n2. Breng uw \\[kaart](x) mee. [1]"
    assert again == ""


def test_a_quotation_in_another_language_says_which(answer):
    answer.show((HOURS,), is_quotation=True)

    assert answer.text == ("Dit staat er in het Frans:\n\n> **Horaires**\n> Ouvert le lundi. [1]")


def test_remarks_continue_the_numbers_and_reuse_that_of_a_page(answer):
    answer.add_statement("Zin.", STEPS[:1], Form.SENTENCE)

    answer.remark("Meer.", Page(1, "Opname", "https://ziekenhuis.test/2"))
    answer.remark("Uren.", Page(2, "Bezoek", "https://ziekenhuis.test/9"))

    assert answer.text == "Zin. [1]\n\nMeer. [1]\n\nUren. [2]"
    assert [each.n for each in answer.citations] == [1, 2]
