"""The sentences that are quoted answer the question, from pages of the right subject."""

from __future__ import annotations

from chat.engines.embedded.quotes import Wanted, choose, texts
from chat.engines.embedded.statements import Line, is_quotable, lines
from tests.builders import passage, source

PARKING = passage(
    "Parkeren kan in de ondergrondse parking. Een uur kost € 1,50. De bus stopt aan de hoofdingang.",
    0.8,
    category="practical",
    section="Tarieven parkeren",
)
REIMBURSEMENT = passage(
    "De mutualiteit betaalt een rolstoel terug.", 0.7, category="regulatory", affinity=0.55
)


def asked(*words):
    return tuple(frozenset({word}) for word in words)


def test_of_the_names_of_one_thing_any_will_do():
    page = passage("Palpitaties zijn meestal onschuldig.", 0.8)
    names = (frozenset({"hartkloppingen", "palpitaties"}),)

    assert texts(choose([page], Wanted(names), str)) == [page.text]


def test_the_sentence_that_holds_the_words_is_quoted():
    found = choose([PARKING], Wanted(asked("bus", "hoofdingang")), str)

    assert texts(found) == ["De bus stopt aan de hoofdingang."]


def test_a_heading_above_counts_for_the_sentences_below():
    found = choose([PARKING], Wanted(asked("parkeren", "uur"), figures=True), str)

    assert texts(found)[0] == "Een uur kost € 1,50."


def test_nothing_is_quoted_when_nothing_answers():
    assert choose([PARKING], Wanted(asked("orgaandonatie", "register")), str) == ()


def test_another_subject_is_not_quoted_beside_the_dominant_one():
    found = choose([PARKING, REIMBURSEMENT], Wanted(asked("rolstoel"), category="practical"), str)

    assert found == ()


def test_the_same_sentence_of_two_pages_is_quoted_once():
    copy = passage(PARKING.text, 0.7, category="practical", source=source())

    found = choose([PARKING, copy], Wanted(asked("bus", "hoofdingang")), str)

    assert len(texts(found)) == 1


def test_sentences_items_and_rows_are_statements():
    text = (
        "Eerste zin. Tweede zin van dr. Jans.\n- een item\n## Uren\n"
        "| Dienst | Open | Opmerking\nHeelkunde | 8-17 | bel vooraf\nKinderen | 9-12 |"
    )

    assert [line.text for line in lines(text)] == [
        "Eerste zin.",
        "Tweede zin van dr. Jans.",
        "een item",
        "Heelkunde · Open: 8-17 · Opmerking: bel vooraf",
        "Kinderen · Open: 9-12",
    ]


def test_a_row_is_about_what_its_heading_and_columns_say():
    *_, row = lines("## Bezoek\n| Dienst | Uren\nHeelkunde | 14-20")

    assert row.above == "Bezoek Dienst Uren"


def test_a_question_or_a_fragment_is_not_quoted():
    assert not is_quotable(Line("Wat moet ik meebrengen?"))
    assert not is_quotable(Line("Drempelvrij naar binnen"))
    assert is_quotable(Line("Breng uw identiteitskaart mee."))
    assert is_quotable(Line("Heelkunde · Open: 8-17", is_row=True))
