"""A refusal said "Bel ." and ended in the bare title of a page: "Borstkanker [1]".

Who is refused advice reads what a page tells everybody about it, unless it counts a dose.
"""

from __future__ import annotations

from dataclasses import replace

from chat.answering.refusals import refused as refusal
from chat.behaviours import Behaviour
from chat.checking.knowledge import CUES, DOSE_UNIT
from chat.safety.advice import ROWS as ADVICE
from retrieval.intents import Intent
from retrieval.passage import Page, Pages
from retrieval.query import SearchResult
from retrieval.tuning import RetrievalTuning, Steering
from taxonomy.kinds import Kind, Predicate
from taxonomy.snapshot import Snapshot
from tests.builders import (
    PROFILE,
    context,
    meant,
    passage,
    phrases,
    snapshot,
    thing,
    tools,
    vocabulary,
)
from zol.errors import SearchFailed

BREAST = thing(Kind.DEPARTMENT, "Borstkliniek", phone="089 00 11 55")
CANCER = thing(Kind.CONDITION, "Borstkanker")
WORDS = vocabulary((BREAST, Predicate.HANDLES, CANCER))
SAID = phrases(
    refuse_medical=(
        "Dat kan alleen een zorgverlener u zeggen.\n"
        "1. Bent u patiënt bij {desk}? Bel {desk_phone}.\n2. Bel uw huisarts."
    ),
    refuse_page="Algemene uitleg leest u op onze pagina “{title}”.",
)
#: As little as this is sure enough; and nothing is.
EASY, STRICT = (Steering(tuning=RetrievalTuning(sure_from=least)) for least in (0.001, 1.0))
MILLIGRAMS = {"kind": DOSE_UNIT, "target": "mg", "language": "nl", "text": "mg", "weight": 1.0}
FEEDING = "Borstvoeding geven mag gewoon na een CT-scan met contrast."
ASKED = "Moet ik stoppen met borstvoeding geven na een CT-scan met contrast?"
PAGES = Pages(by_url={CANCER.url: Page(1, "Borstkanker", CANCER.url)})


def refused(question, *things, **kit):
    asked = meant(*things, intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, language="nl")
    values = tools(**{"words": WORDS, "phrases": SAID, "pages": PAGES} | kit)
    return refusal(context(question, understanding=asked), values).context


def test_the_department_of_what_is_named_is_called_on_its_own_number():
    answer = refused("Mag ik dat?", CANCER).answer

    assert "Bent u patiënt bij Borstkliniek? Bel 089 00 11 55." in answer


def test_who_names_nothing_calls_the_hospital():
    assert "Bent u patiënt bij ZT? Bel 089 00 00 00." in refused("Mag ik dat?").answer


def test_where_there_is_no_number_nobody_is_told_to_call_it():
    profile = replace(PROFILE, phone="")
    mute = Snapshot(1, 1, profile)

    answer = refused("Mag ik dat?", snapshot=mute, phrases=replace(SAID, profile=profile)).answer

    assert answer.endswith("zeggen.\n1. Bel uw huisarts.")


def test_a_page_is_told_in_a_sentence():
    told = refused("Mag ik sporten met borstkanker?", CANCER)

    assert told.answer.endswith("Algemene uitleg leest u op onze pagina “Borstkanker”. [1]")
    assert len(told.citations) == 1


def quoting(text, question=ASKED, **kit):
    given = {
        "finds": [passage(text, 0.9)],
        "steering": EASY,
        "snapshot": snapshot(**{CUES: [MILLIGRAMS]}),
    }
    return refused(question, **given | kit)


def test_the_refusal_comes_first_and_then_what_a_page_says():
    told = quoting(FEEDING)

    assert told.behaviour is Behaviour.REFUSE_MEDICAL
    assert told.answer.startswith("Dat kan alleen een zorgverlener u zeggen.")
    assert told.answer.endswith(
        f"Algemene uitleg leest u op onze pagina “Een pagina”.\n\n> {FEEDING} [1]"
    )
    assert [each.passage for each in told.citations] == [FEEDING]


def test_who_surely_asks_for_a_decision_reads_no_page_beside_the_refusal():
    stops = {"kind": "advice", "language": "nl", "role": "phrase", "text": "moet ik stoppen"}

    assert quoting(FEEDING, snapshot=snapshot(**{ADVICE: [stops]})).citations == ()


def test_who_speaks_of_a_medicine_reads_no_page_beside_the_refusal():
    contrast = {"kind": "med", "language": "nl", "role": "slot", "text": "contrast"}

    assert quoting(FEEDING, snapshot=snapshot(**{ADVICE: [contrast]})).citations == ()


def test_what_only_comes_near_is_not_shown_beside_a_refusal():
    assert "\n>" not in quoting(FEEDING, steering=STRICT).answer


def test_a_page_that_counts_a_dose_is_not_quoted_to_one_person():
    dosed = "Neem bij koorts 500 mg paracetamol, om de zes uur."

    assert quoting(dosed, "Moet ik stoppen met paracetamol bij koorts?").citations == ()


def test_a_search_that_fails_leaves_the_refusal():
    def fails(query) -> SearchResult:
        raise SearchFailed

    assert quoting(FEEDING, search=fails).citations == ()
