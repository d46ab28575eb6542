"""What was asked for comes first; what only resembles it is not shown as an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.answering.plan import NEAREST, Asking, Lead, is_doubtful, plan
from chat.question.answer_types import Sort
from chat.sources.quotation.scores import Quote, statements_of
from retrieval.intents import Intent
from retrieval.statements import quotable
from retrieval.tuning import SETTINGS
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import Finding, Says
from tests.builders import passage, thing

CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie")
SURGERY = thing(Kind.DEPARTMENT, "Heelkunde")
PALPITATIONS = thing(Kind.CONDITION, "Palpitaties")
ANN = thing(Kind.DOCTOR, "Ann Peeters")
NORTH = thing(Kind.CAMPUS, "Campus Noord")
WHERE = Finding(Says.DEALT_WITH, PALPITATIONS, things=(CARDIOLOGY, SURGERY))
CALL = Finding(Says.PHONE, CARDIOLOGY, value="089 00 11 22")
CALL_SURGERY = Finding(Says.PHONE, SURGERY, value="089 00 11 33")


def quote(surety, text="Een zin."):
    page = passage(text)
    return Quote(page, tuple(statements_of(page, quotable(text))), surety)


def durations(quote):
    return frozenset({Sort.DURATION} if "duurt" in quote.text else ())


def test_how_long_something_takes_is_answered_by_the_page_and_then_routed():
    asking = Asking(
        Intent.TREATMENT_OR_EXAM_INFORMATION, frozenset({Sort.DURATION}), is_routed=True
    )

    planned = plan(asking, [WHERE, CALL, CALL_SURGERY], [quote(0.7)])

    assert planned.lead is Lead.PAGES
    assert planned.findings == (WHERE, CALL)


def test_where_to_go_is_answered_by_the_taxonomy():
    asking = Asking(Intent.CONDITION_INFORMATION, frozenset({Sort.PLACE}), is_routed=True)

    planned = plan(asking, [WHERE, CALL], [quote(0.4)])

    assert planned.lead is Lead.FACTS
    assert planned.quotes == ()


@pytest.mark.parametrize(
    ("sure_from", "lead"),
    [(0.3, Lead.PAGES), (0.4, Lead.PAGES), (0.41, Lead.UNCERTAIN), (0.08, Lead.PAGES)],
)
def test_a_hospital_says_how_sure_an_answer_must_be(sure_from, lead):
    asking = Asking(Intent.UNKNOWN, frozenset(), sure_from=sure_from)

    planned = plan(asking, [], [quote(0.4)])

    assert (planned.lead, len(planned.quotes)) == (lead, 1)


def test_where_more_is_asked_of_an_answer_more_is_asked_of_what_stands_beside_facts():
    asking = Asking(Intent.BOOKING_OR_CONTACT, frozenset(), sure_from=0.6)

    assert plan(asking, [CALL], [quote(0.4)]).quotes == ()
    assert plan(replace(asking, sure_from=0.3), [CALL], [quote(0.4)]).quotes != ()


def test_how_it_is_settled_is_told_by_what_is_half_as_sure():
    asking = Asking(Intent.UNKNOWN, frozenset(), is_told_by_pages=True, sure_from=0.6)

    assert plan(asking, [CALL], [quote(0.3)]).lead is Lead.PAGES
    assert plan(asking, [CALL], [quote(0.29)]).lead is not Lead.PAGES


def test_no_hospital_asks_for_less_than_what_is_offered_at_all():
    assert SETTINGS["sure_from"].lowest > NEAREST
    assert not SETTINGS["sure_from"].allows(NEAREST)
    assert not SETTINGS["sure_from"].allows(1.0)


def test_a_person_needs_no_quotation():
    planned = plan(Asking(Intent.UNKNOWN, frozenset()), [Finding(Says.DOCTOR, ANN)], [quote(0.9)])

    assert (planned.lead, planned.quotes) == (Lead.FACTS, ())


def test_how_long_it_takes_is_said_beside_who_does_it():
    """ "Hoe lang duurt het, en wie doet het?": people alone answer half of it."""
    asking = Asking(
        Intent.DOCTOR_LOOKUP, frozenset({Sort.DURATION}), is_routed=True, gives=durations
    )
    lasts, other = quote(0.8, "Het duurt 10 minuten."), quote(0.9, "Breng uw kaart mee.")

    planned = plan(asking, [Finding(Says.DOCTOR, ANN)], [other, lasts])

    assert (planned.lead, planned.quotes) == (Lead.FACTS, (lasts,))


def test_how_long_is_not_answered_by_sentences_that_do_not_say_it():
    asking = Asking(Intent.UNKNOWN, frozenset({Sort.DURATION}), gives=durations)

    planned = plan(asking, [], [quote(0.9, "Breng uw kaart mee.")])

    assert planned.lead is Lead.UNCERTAIN


def test_what_may_be_how_long_it_takes_is_offered_though_it_is_known_where():
    asking = Asking(
        Intent.TREATMENT_OR_EXAM_INFORMATION,
        frozenset({Sort.DURATION}),
        is_routed=True,
        gives=durations,
    )
    lasts = quote(0.1, "Het duurt 10 minuten.")

    assert plan(asking, [WHERE, CALL], [lasts]).quotes == (lasts,)
    assert plan(asking, [WHERE, CALL], [quote(0.1, "Welkom.")]).quotes == ()


def test_the_hours_of_a_campus_do_not_answer_when_its_shop_closes():
    hours = Finding(Says.HOURS, NORTH, value="ma-zo 6:00-22:00")
    shop = Asking(
        Intent.NAVIGATION_OR_PRACTICAL_INFO, frozenset({Sort.TIME}), has_other_subject=True
    )
    campus = Asking(Intent.NAVIGATION_OR_PRACTICAL_INFO, frozenset({Sort.TIME}))

    assert plan(shop, [hours], [quote(0.8)]).lead is Lead.PAGES
    assert plan(campus, [hours], [quote(0.8)]).lead is Lead.FACTS


def test_what_hardly_resembles_the_question_is_not_shown_beside_facts():
    planned = plan(Asking(Intent.UNKNOWN, frozenset()), [CALL], [quote(0.05)])

    assert (planned.lead, planned.quotes) == (Lead.FACTS, ())


def test_what_comes_nearest_is_offered_openly():
    planned = plan(Asking(Intent.UNKNOWN, frozenset()), [], [quote(0.25), quote(0.2)])

    assert planned.lead is Lead.UNCERTAIN
    assert len(planned.quotes) == 2


def test_a_department_that_is_named_does_not_answer_what_is_asked_about_it():
    planned = plan(Asking(Intent.UNKNOWN, frozenset()), [CALL], [quote(0.2)])

    assert planned.lead is Lead.UNCERTAIN
    assert planned.findings == (CALL,)


def test_nothing_is_said_when_nothing_answers():
    assert plan(Asking(Intent.UNKNOWN, frozenset()), [], [quote(0.05)]).lead is Lead.NOTHING


def test_what_answers_best_stays_before_what_is_surer():
    best, surer, unsure = quote(0.2), quote(0.8), quote(0.1)

    planned = plan(Asking(Intent.UNKNOWN, frozenset()), [], [best, surer, unsure])

    assert (planned.lead, planned.quotes) == (Lead.PAGES, (best, surer))


def test_how_an_appointment_is_cancelled_is_told_before_whom_to_call():
    asking = Asking(Intent.BOOKING_OR_CONTACT, frozenset(), is_told_by_pages=True)

    planned = plan(asking, [CALL], [quote(0.4)])

    assert (planned.lead, planned.findings) == (Lead.PAGES, (CALL,))


def test_whom_to_call_is_told_where_no_page_says_how_an_appointment_is_cancelled():
    asking = Asking(Intent.BOOKING_OR_CONTACT, frozenset(), is_told_by_pages=True)

    planned = plan(asking, [CALL], [quote(0.1)])

    assert (planned.lead, planned.findings) == (Lead.FACTS, (CALL,))


def spots(quote):
    return frozenset({Sort.SPOT} if "paviljoen" in quote.text else ())


def test_which_building_it_is_is_answered_by_what_names_one():
    asking = Asking(Intent.DEPARTMENT_OR_SERVICE_LOOKUP, frozenset({Sort.SPOT}), gives=spots)
    there = quote(0.7, "U vindt ons in paviljoen 2.")

    planned = plan(asking, [CALL], [quote(0.6), there])

    assert (planned.lead, planned.quotes, planned.findings) == (Lead.PAGES, (there,), (CALL,))


def test_where_no_page_names_the_building_nothing_is_shown_as_the_answer():
    asking = Asking(Intent.DEPARTMENT_OR_SERVICE_LOOKUP, frozenset({Sort.SPOT}), gives=spots)

    assert plan(asking, [CALL], [quote(0.6)]).lead is Lead.UNCERTAIN


def test_a_page_that_names_the_floor_stands_beside_the_doctor_who_is_asked_about():
    asking = Asking(Intent.DOCTOR_LOOKUP, frozenset({Sort.SPOT}), gives=spots)
    there = quote(0.5, "Dokter Peeters ontvangt in paviljoen 2.")

    planned = plan(asking, [Finding(Says.DOCTOR, ANN)], [quote(0.6), there])

    assert (planned.lead, planned.quotes) == (Lead.FACTS, (there,))


def moments(quote):
    return frozenset({Sort.MOMENT} if "nacht" in quote.text else ())


def at_night(*quotes):
    asked = frozenset({Sort.MOMENT})
    asking = Asking(Intent.TREATMENT_OR_EXAM_INFORMATION, asked, is_routed=True, gives=moments)
    return plan(asking, [WHERE, CALL], quotes)


def test_whether_it_is_done_at_night_too_is_told_by_the_page_and_who_does_it_beside_it():
    planned = at_night(quote(0.7, "Dag en nacht mogelijk."))

    assert (planned.lead, planned.findings) == (Lead.PAGES, (WHERE, CALL))


def test_a_page_that_comes_near_is_offered_before_who_does_it_is_all_that_is_said():
    planned = at_night(quote(0.1, "Dag en nacht mogelijk."))

    assert (planned.lead, len(planned.quotes)) == (Lead.UNCERTAIN, 1)


def test_where_no_page_speaks_of_the_night_it_is_said_who_does_it():
    planned = at_night(quote(0.5))

    assert (planned.lead, planned.quotes) == (Lead.FACTS, ())


LOOKS_UP = Asking(Intent.DEPARTMENT_OR_SERVICE_LOOKUP, frozenset(), is_routed=True, asks_whom=True)


def test_whether_something_is_done_at_all_is_answered_by_the_page_as_well():
    planned = plan(replace(LOOKS_UP, asks_whom=False), [WHERE, CALL], [quote(0.9)])

    assert planned.quotes
    assert not planned.is_verified


def test_where_to_turn_to_is_told_by_the_taxonomy_alone():
    planned = plan(LOOKS_UP, [WHERE, CALL], [quote(0.9)])

    assert (planned.lead, planned.quotes) == (Lead.FACTS, ())
    assert planned.is_verified


def test_a_contact_stands_beside_the_page_where_something_else_is_asked_as_well():
    asking = Asking(Intent.BOOKING_OR_CONTACT, frozenset({Sort.PHONE}), has_other_subject=True)

    planned = plan(asking, [CALL], [quote(0.9)])

    assert planned.quotes
    assert not planned.is_verified


def test_who_comes_without_an_appointment_is_not_told_how_one_is_made():
    asking = Asking(Intent.BOOKING_OR_CONTACT, frozenset(), without_appointment=True)

    assert plan(asking, [CALL], [quote(0.6)]).lead is Lead.PAGES


def test_nothing_is_verified_that_a_page_says_or_that_is_guessed():
    asking = Asking(Intent.UNKNOWN, frozenset())
    asks_back = Finding(Says.AMBIGUOUS, ANN, things=(ANN,))
    suits = Finding(Says.SUITED, CARDIOLOGY)
    complaints = Asking(Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION, frozenset(), is_described=True)

    assert not plan(asking, [], [quote(0.9)]).is_verified
    assert not plan(asking, [asks_back], []).is_verified
    assert not plan(complaints, [suits, CALL], []).is_verified
    assert plan(asking, [Finding(Says.DOCTOR, ANN)], []).is_verified


def test_a_department_is_no_answer_to_what_something_costs():
    asking = Asking(Intent.TREATMENT_OR_EXAM_INFORMATION, frozenset({Sort.AMOUNT}), is_routed=True)

    planned = plan(asking, [WHERE, CALL], [])

    assert planned.lead is Lead.FACTS
    assert not planned.is_verified


@pytest.mark.parametrize(
    ("intent", "confidence", "needed", "is_doubted"),
    [
        (Intent.BOOKING_OR_CONTACT, 0.5, 0.1, True),
        (Intent.DOCTOR_LOOKUP, 0.5, 0.1, True),
        (Intent.BOOKING_OR_CONTACT, 0.7, 0.1, False),
        (Intent.BOOKING_OR_CONTACT, 0.5, 0.3, False),
        (Intent.CONDITION_INFORMATION, 0.5, 0.1, False),
    ],
)
def test_an_unsure_look_up_is_doubted_where_something_else_is_needed(
    intent, confidence, needed, is_doubted
):
    needs = {Intent.BOOKING_OR_CONTACT: needed, Intent.TREATMENT_OR_EXAM_INFORMATION: 1 - needed}

    assert is_doubtful(intent, confidence, needs) is is_doubted
    assert not is_doubtful(intent, confidence, {})


def test_pages_that_may_answer_come_before_people_whom_nobody_seems_to_need():
    roster = Finding(Says.ROSTER, CARDIOLOGY, things=(ANN,))

    people = plan(Asking(Intent.DOCTOR_LOOKUP, frozenset()), [roster, CALL], [quote(0.4)])
    pages = plan(
        Asking(Intent.DOCTOR_LOOKUP, frozenset(), is_told_by_pages=True),
        [roster, CALL],
        [quote(0.4)],
    )

    assert (people.lead, pages.lead) == (Lead.FACTS, Lead.PAGES)
