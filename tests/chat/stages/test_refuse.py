"""Who is refused advice reads what a page tells everybody about it, unless it counts a dose."""

from __future__ import annotations

from chat.behaviours import Behaviour
from chat.checking.knowledge import CUES, DOSE_UNIT
from chat.stages.refuse import refuse
from retrieval.intents import Intent
from retrieval.query import SearchResult
from retrieval.tuning import RetrievalTuning, Steering
from tests.builders import context, meant, passage, phrases, snapshot, tools
from zol.errors import SearchFailed

ADVICE = meant(intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, language="nl")
SAID = phrases(
    refuse_medical="Dat kan alleen een zorgverlener u zeggen.",
    refuse_page="Algemene uitleg leest u op onze pagina “{title}”.",
)
#: As little as this is sure enough.
EASY, STRICT = (Steering(tuning=RetrievalTuning(sure_from=least)) for least in (0.001, 1.0))
DOSED = snapshot(
    **{CUES: [{"kind": DOSE_UNIT, "target": "mg", "language": "nl", "text": "mg", "weight": 1.0}]}
)
FEEDING = "Borstvoeding geven mag gewoon na een CT-scan met contrast."
ASKED = "Moet ik stoppen met borstvoeding geven na een CT-scan met contrast?"


def refused(question, text, **kit):
    found = passage(text, 0.9)
    values = {"finds": [found], "phrases": SAID, "steering": EASY, "snapshot": DOSED} | kit
    asked = context(question, understanding=ADVICE)
    return refuse(asked, tools(**values)).context


def test_the_refusal_comes_first_and_then_what_the_page_says():
    told = refused(ASKED, FEEDING)

    assert told.behaviour is Behaviour.REFUSE_MEDICAL
    assert told.answer.startswith("Dat kan alleen een zorgverlener u zeggen.\n\nAlgemene uitleg")
    assert told.answer.endswith(f"> {FEEDING} [1]")
    assert [each.passage for each in told.citations] == [FEEDING]


def test_what_only_comes_near_is_not_shown_beside_a_refusal():
    assert "\n>" not in refused(ASKED, FEEDING, steering=STRICT).answer


def test_a_page_that_counts_a_dose_is_not_quoted_to_one_person():
    asked = "Moet ik stoppen met paracetamol bij koorts?"

    told = refused(asked, "Neem bij koorts 500 mg paracetamol, om de zes uur.")

    assert told.answer == "Dat kan alleen een zorgverlener u zeggen."
    assert told.citations == ()


def test_a_search_that_fails_leaves_the_refusal():
    def fails(query) -> SearchResult:
        raise SearchFailed

    assert (
        refused(ASKED, FEEDING, search=fails).answer == "Dat kan alleen een zorgverlener u zeggen."
    )
