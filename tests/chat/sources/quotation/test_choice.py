"""The sentences that are quoted answer the question, from pages of the right subject."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.answering.quotation.layout import beside_source, lines_of
from chat.question.answer_types import Sort, Sorts
from chat.question.word_matching import Term
from chat.sources.quotation.blocks import Candidate, block_of
from chat.sources.quotation.choice import choose, of_other_pages, ranking, seen_in
from chat.sources.quotation.scores import AT_LENGTH, GLANCE, QuoteRequest
from retrieval.fields import Place
from retrieval.statements import Form, Line, is_quotable, lines
from taxonomy.lexicon import Lexicon
from tests.builders import passage, source, texts

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
    return tuple(Term(frozenset({word}), is_subject=True) for word in words)


def test_of_the_names_of_one_thing_any_will_do():
    page = passage("Palpitaties zijn meestal onschuldig.", 0.8)
    names = (Term(frozenset({"hartkloppingen", "palpitaties"})),)

    assert texts(choose([page], QuoteRequest(names), str)) == [page.text]


def test_a_name_of_several_words_is_found_where_all_of_them_stand():
    page = passage(
        "Les urgences sont ouvertes jour et nuit. Le temps de votre repas compte. "
        "Le temps d'attente peut donc varier.",
        0.8,
    )
    phrase = frozenset({"temps", "attente"})
    waiting = Term(frozenset({"temps"}), phrases=frozenset({phrase}), loose=frozenset({"temps"}))

    seen = seen_in([page], QuoteRequest((waiting,)), str)

    assert ranking(seen)[0].statement.text == "Le temps d'attente peut donc varier."


def test_where_no_page_has_the_whole_name_the_word_that_says_most_will_do():
    page = passage("La clinique est ouverte le lundi.", 0.8)
    phrase = frozenset({"clinique", "mémoire"})
    clinic = Term(
        frozenset({"clinique"}), phrases=frozenset({phrase}), loose=frozenset({"clinique"})
    )

    assert texts(choose([page], QuoteRequest((clinic,)), str)) == [page.text]


def test_the_sentence_that_holds_the_words_is_quoted():
    found = choose([PARKING], QuoteRequest(asked("bus", "hoofdingang")), str)

    assert texts(found)[-1] == "De bus stopt aan de hoofdingang."


def test_a_heading_above_counts_for_the_sentences_below():
    found = choose([PARKING], QuoteRequest(asked("tarieven", "uur")), str)

    assert "Een uur kost € 1,50." in texts(found)


def test_nothing_is_quoted_when_nothing_answers():
    assert choose([PARKING], QuoteRequest(asked("orgaandonatie", "register")), str) == ()


def test_another_subject_is_not_quoted_beside_the_dominant_one():
    entrance = passage("Met de rolstoel komt u binnen langs ingang A.", 0.7, category="practical")
    found = choose([entrance, REIMBURSEMENT], QuoteRequest(asked("rolstoel")), str)

    assert texts(found) == [entrance.text]


def test_the_sort_of_answer_that_is_asked_for_comes_along():
    prices = passage(
        "Parkeren doet u op P1, naast het gebouw.\n\n## Tarieven\nDag | € 9,00 per dag\n"
        "Week | € 25,00 per week",
        0.8,
        section="Parkeren",
    )
    wanted = QuoteRequest(asked("parkeren", "naast"), sorts=frozenset({Sort.AMOUNT}))

    found = choose([prices], wanted, str, Sorts(Lexicon(), dict.fromkeys(Sort, frozenset())))

    assert any("€" in text for text in texts(found))


def test_of_two_campuses_the_one_that_is_asked_about_is_quoted():
    table = passage("## Tarieven parkeren\nNoord | € 1,00 per uur\nZuid | € 2,00 per uur", 0.8)
    there = {"Noord": False, "Zuid": True}

    def is_there(text):
        named = [at for name, at in there.items() if name in text]
        return named[0] if len(named) == 1 else None

    found = choose([table], QuoteRequest(asked("parkeren"), is_there=is_there), str)

    assert "Zuid · € 2,00 per uur" in found[0].text


def test_a_quotation_reads_on_in_its_paragraph():
    page = passage("Vraag een tolk Gebarentaal. Bel daarvoor naar het onthaal.", 0.8)

    assert texts(choose([page], QuoteRequest(asked("gebarentaal")), str)) == [
        "Vraag een tolk Gebarentaal.",
        "Bel daarvoor naar het onthaal.",
    ]


def test_a_short_section_is_quoted_whole():
    page = passage(
        "## Stille ruimte\nOm te bidden of stil te zijn. Volg de blauwe lijn. Ze is altijd open.",
        0.8,
    )

    assert texts(choose([page], QuoteRequest(asked("bidden")), str)) == [
        "Om te bidden of stil te zijn.",
        "Volg de blauwe lijn.",
        "Ze is altijd open.",
    ]


def test_an_opening_that_says_little_is_completed_by_its_page():
    page = source("Stille ruimte")
    opening = passage("Een plek om te bidden.", 0.8, source=page)
    where = passage("De stille ruimte is open. Volg de blauwe lijn.", 0.7, source=page, ordinal=1)

    found = choose([opening, where], QuoteRequest(asked("bidden", "open")), str)

    assert texts(found)[0] == "Een plek om te bidden."
    assert "Volg de blauwe lijn." in texts(found)
    assert {quote.surety for quote in found} == {found[0].surety}


def test_of_a_long_table_with_a_row_for_each_ward_those_that_are_asked_about_are_quoted():
    wards = ("Bevallen", "Geriatrie", "Heelkunde", "Oncologie", "Pediatrie", "Revalidatie")
    rows = "\n".join(
        f"{ward} | elke dag van 14:00 tot 20:00{' , na overleg' * 5}" for ward in wards
    )
    table = passage(f"## Bezoekuren\n| Afdeling | Uren\n{rows}", 0.8)

    def names_ward(text):
        return any(ward in text for ward in wards)

    wanted = QuoteRequest(asked("bezoekuren", "oncologie"), names_one=names_ward)
    (found,) = choose([table], wanted, str)

    assert [text.partition(" ")[0] for text in texts([found])] == ["Oncologie"]
    assert (found.shown, found.of, found.is_part) == (1, 6, True)
    assert len(beside_source(found).splitlines()) == 7


def test_a_schedule_is_quoted_whole_however_little_of_it_is_asked_about():
    steps = ("drie dagen vooraf", "de dag voordien", "de avond voordien", "de ochtend zelf")
    rows = "\n".join(f"{step} | {'eet licht, drink veel water ' * 6}" for step in steps)
    table = passage(f"## Schema\n| Wanneer | Wat\n{rows}", 0.8)

    (found,) = choose([table], QuoteRequest(asked("schema", "ochtend")), str)

    assert [text.partition(" \u00b7")[0] for text in texts([found])] == list(steps)
    assert not found.is_part


def test_a_table_that_two_passages_share_is_one():
    page = source("Schema")
    first = passage("| Wanneer | Wat\nmaandag | eet licht en gezond", 0.8, source=page, ordinal=0)
    second = passage("| Wanneer | Wat\ndinsdag | drink veel water", 0.8, source=page, ordinal=1)
    near = {first.chunk_id: [second], second.chunk_id: [first]}
    wanted = QuoteRequest(asked("dinsdag", "water"), beside=lambda passages: near)

    (found,) = choose([second], wanted, str)

    assert [text.partition(" ")[0] for text in texts([found])] == ["maandag", "dinsdag"]


def test_steps_that_two_passages_share_are_all_quoted():
    page = source("Opname")
    first = passage("1. Bel ons op tijd.\n2. Kom met uw kaart.", 0.8, source=page, ordinal=0)
    second = passage("2. Kom met uw kaart.\n3. Wacht op uw naam.", 0.8, source=page, ordinal=1)
    near = {first.chunk_id: [second], second.chunk_id: [first]}
    wanted = QuoteRequest(asked("wacht", "naam"), beside=lambda passages: near)

    (found,) = choose([second], wanted, str)

    assert [line.partition(" ")[0] for line in lines_of(found)] == ["1.", "2.", "3."]


def test_of_a_long_section_no_more_is_quoted_than_one_takes_in():
    page = passage(
        " ".join(f"Zin {n} zegt iets over de tuin van het huis." for n in range(40)), 0.8
    )

    found = choose([page], QuoteRequest(asked("tuin")), str)

    assert 0 < sum(len(quote.text) for quote in found) <= GLANCE.letters


def test_how_sure_a_quotation_is_grows_with_what_it_covers():
    page = passage("De bus stopt aan de hoofdingang.", 0.8)

    (whole,) = choose([page], QuoteRequest(asked("bus", "hoofdingang")), str)
    (half,) = choose([page], QuoteRequest(asked("bus", "orgaandonatie")), str)

    assert 0 < half.surety < whole.surety < 1


def test_a_part_of_a_compound_and_a_misspelling_are_understood():
    page = passage("Een eenpersoonskamer kost 65 euro.", 0.8)

    assert choose([page], QuoteRequest(asked("kamer")), str)
    assert choose([page], QuoteRequest(asked("eenpersonskamer")), str)


def test_rows_stay_in_their_table_though_an_outdated_page_has_the_same_words():
    rows = "- Stop bloedverdunners.\n- Volg een dieet.\n- Drink de coloscopie drank."
    pages = [
        passage(f"De voorbereiding:\n{rows}", 0.8, section=f"Uitgave {year}",
                source=source("Coloscopie", document_id=year))
        for year in (2014, 2026)
    ]  # fmt: skip
    name = Term(frozenset({"coloscopie"}), is_subject=True, is_thing=True)

    found = choose(pages, QuoteRequest((name,), replaced=frozenset({2014})), str)

    (quote,) = (each for each in found if each.passage is pages[1])
    assert list(lines_of(quote)) == ["**Uitgave 2026**", "De voorbereiding:", *rows.splitlines()]


def test_a_quotation_says_headings_caption_and_heads_and_what_opens_its_list():
    path = ("Campus Zuid", "Dosis")
    table = Place(path, "Dosis per gewicht", ("Gewicht (kg)", "Dosis"))
    bring = Place(path, lead=("Breng mee:", "Voor kinderen"))
    page = passage("6-12 | 5 ml siroop\n- een knuffel siroop", places=(table, bring))

    dose, toy = (choose([page], QuoteRequest(asked(word)), str)[0] for word in ("ml", "knuffel"))

    assert list(lines_of(dose)) == [
        "**Campus Zuid \u203a Dosis \u203a Dosis per gewicht**",
        "- Gewicht (kg): 6-12 \u00b7 Dosis: 5 ml siroop",
    ]
    assert list(lines_of(toy)) == [
        "**Campus Zuid \u203a Dosis**", "Breng mee:", "Voor kinderen", "- een knuffel siroop",
    ]  # fmt: skip


def test_who_asks_to_look_further_gets_no_page_beside_the_one_that_took_its_place():
    terms = tuple(
        Term(frozenset({word}), is_subject=True, is_thing=word == "coloscopie")
        for word in ("coloscopie", "spoelvloeistof")
    )
    old, new = (
        passage(f"Voor een coloscopie drinkt u spoelvloeistof en {what}.", 0.8)
        for what in ("van gisteren", "water")
    )
    outdated = frozenset({old.source.document_id})
    wanted = QuoteRequest(terms, replaced=outdated, measure=AT_LENGTH)

    assert texts(choose([old, new], wanted, str)) == [new.text]
    assert texts(choose([old], replace(wanted, replaced=frozenset()), str)) == [old.text]


def test_a_compound_that_no_page_has_is_understood_by_its_halves():
    page = passage("De knieschool is op donderdag om 14:00.", 0.8)
    other = passage("Het onthaal is op donderdag open om 8:00.", 0.8)

    assert texts(choose([other, page], QuoteRequest(asked("knieschooluren")), str))[0] == page.text


def test_of_a_table_the_row_about_the_campus_says_how_sure_it_is():
    table = passage("## Bidden\nNoord | kapel in de tuin\nZuid | stille kamer, gang 2", 0.8)
    there = {"Noord": False, "Zuid": True}

    def is_there(text):
        return next((at for name, at in there.items() if name in text), None)

    seen = seen_in([table], QuoteRequest(asked("kapel"), is_there=is_there), str)
    north, south = (
        Candidate(each, 1.0, sure) for each, sure in zip(seen.pool, (0.01, 0.4), strict=True)
    )

    found = block_of(north, [north, south], seen.reading)

    assert (found.text, found.surety) == ("Zuid · stille kamer, gang 2", 0.4)


def test_two_translations_of_a_page_are_not_quoted_together():
    text = "Parkeren kost 2 euro per uur.\n\n## {}\nParkeren aan de bus kost niets."
    dutch = passage(text.format("Bus"), 0.8, source=source("Parkeren", language="nl"))
    french = passage(text.format("Autobus"), 0.8, source=source("Parking", language="fr"))

    found = choose([dutch, french], QuoteRequest(asked("parkeren", "bus"), language="it"), str)

    assert len({quote.passage.source.language for quote in found}) == 1


def test_the_same_sentence_of_two_pages_is_quoted_once():
    copy = passage(PARKING.text, 0.7, category="practical", source=source())

    found = choose([PARKING, copy], QuoteRequest(asked("bus", "hoofdingang")), str)

    assert len(texts(found)) == len(set(texts(found)))


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


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        pytest.param(
            "Zes weken rust. Koorts met pijn? Kom meteen naar spoed. Bel eerst.",
            ["Zes weken rust.", "Koorts met pijn? Kom meteen naar spoed.", "Bel eerst."],
            id="a question and what it asks for",
        ),
        pytest.param(
            "Vous ronflez ? Vous \u00eates fatigu\u00e9 ? Un examen le montre.",
            ["Vous ronflez ? Vous \u00eates fatigu\u00e9 ? Un examen le montre."],
            id="two questions",
        ),
        pytest.param(
            "Not for:\nchildren under six.\nBring a towel.",
            ["Not for: children under six.", "Bring a towel."],
            id="a line that a next one completes",
        ),
        pytest.param("Bis bald! Noch Fragen?", ["Bis bald!", "Noch Fragen?"], id="nothing follows"),
    ],
)
def test_what_depends_on_a_question_is_one_statement_with_it(text, statements):
    assert [line.text for line in lines(text)] == statements


def test_items_know_the_line_over_their_list():
    found = [
        (line.text, line.lead) for line in lines("Kom niet als u:\n- hoest\n- koorts hebt\nBel.")
    ]

    assert found == [
        ("Kom niet als u:", ""),
        ("hoest", "Kom niet als u:"),
        ("koorts hebt", "Kom niet als u:"),
        ("Bel.", ""),
    ]


def test_a_list_is_quoted_under_the_line_that_denies_it():
    page = passage("Breng niet mee:\n- juwelen en sieraden\n- grote sommen geld", 0.8)

    (found,) = choose([page], QuoteRequest(asked("juwelen")), str)

    assert list(lines_of(found)) == [
        "Breng niet mee:",
        "- juwelen en sieraden",
        "- grote sommen geld",
    ]


def test_a_heading_that_asks_is_quoted_with_its_answer():
    page = passage("## Koorts na de ingreep?\nKom meteen naar de spoedgevallen.", 0.8)

    (found,) = choose([page], QuoteRequest(asked("koorts", "ingreep")), str)

    assert list(lines_of(found)) == [
        "**Koorts na de ingreep?**",
        "Kom meteen naar de spoedgevallen.",
    ]


def test_a_column_that_asks_keeps_its_own_mark():
    *_, row = lines("| Gang | Met rolstoel?\nA 12 | ja")

    assert row.text == "A 12 · Met rolstoel? ja"


def test_a_row_is_about_what_its_heading_and_columns_say():
    *_, row = lines("## Bezoek\n| Dienst | Uren\nHeelkunde | 14-20")

    assert row.above == "Bezoek Dienst Uren"


def test_a_question_or_a_fragment_is_not_quoted():
    assert not is_quotable(Line("Wat moet ik meebrengen?"))
    assert not is_quotable(Line("Drempelvrij naar binnen"))
    assert is_quotable(Line("Breng uw identiteitskaart mee."))
    assert is_quotable(Line("Heelkunde · Open: 8-17", form=Form.ROW))


def test_who_asks_to_look_further_reads_more_pages():
    pages = [
        passage(f"De bus van lijn {n} stopt aan de hoofdingang van het ziekenhuis.", 0.8 - n / 50)
        for n in range(5)
    ]
    terms = asked("bus", "hoofdingang")

    glance, further = (
        choose(pages, QuoteRequest(terms, measure=measure), str) for measure in (GLANCE, AT_LENGTH)
    )

    assert len({quote.passage.chunk_id for quote in glance}) <= 2
    assert len({quote.passage.chunk_id for quote in further}) > 2
    assert set(texts(glance)) <= set(texts(further))


def test_a_telephone_number_or_an_hour_counts_nothing():
    sorts = Sorts(Lexicon(), {sort: frozenset() for sort in Sort})

    assert Sort.COUNT in sorts.given("De groep telt 8 mensen.")
    assert Sort.COUNT not in sorts.given("Cardiologie, telefoon 089 00 51 03, tot 16:30")


def test_of_pages_that_answer_alike_the_one_of_the_answer_before_is_quoted():
    text = "Water drinken mag tot twee uur ervoor."
    first, second = (passage(text, 0.6, source=source(title)) for title in ("Maag", "Darm"))
    before = QuoteRequest(asked("water"), cited_before=frozenset({second.source.url}))

    assert choose([first, second], QuoteRequest(asked("water")), str)[0].passage == first
    assert choose([first, second], before, str)[0].passage == second


def test_where_the_best_may_not_answer_a_page_joins_that_is_about_as_likely_to():
    pages = [
        passage(f"De bus van lijn {n} stopt aan de hoofdingang.", source=source(f"Lijn {n}"))
        for n in range(3)
    ]
    seen = seen_in(pages, QuoteRequest(asked("bus")), str)
    ranked = [
        Candidate(statement, score=-place, surety=surety)
        for place, (statement, surety) in enumerate(zip(seen.pool, (0.5, 0.1, 0.4), strict=True))
    ]
    first = block_of(ranked[0], ranked, seen.reading)

    joined = of_other_pages(ranked, [first], seen.reading)

    assert [quote.passage for quote in joined] == [pages[2]]
