"""Who describes complaints is told to ask a doctor, also where no page says anything sure."""

from __future__ import annotations

import pytest

from chat.answering.composition import compose
from retrieval.intents import Intent
from tests.builders import context, meant, phrases, tools

SEE_A_DOCTOR = "Bespreek uw klachten met uw huisarts."


def answer(intent):
    heard = meant(intent=intent, language="nl")
    said = phrases(ask_gp=SEE_A_DOCTOR, no_answer="Bel {phone}.")
    return compose(context("ik ben altijd zo moe", understanding=heard), tools(phrases=said)).text


def test_a_complaint_of_which_no_page_speaks_is_for_a_doctor():
    assert answer(Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION).startswith(SEE_A_DOCTOR)


@pytest.mark.parametrize(
    "intent", [Intent.NAVIGATION_OR_PRACTICAL_INFO, Intent.CONDITION_INFORMATION]
)
def test_who_describes_nothing_is_not_sent_to_one(intent):
    assert SEE_A_DOCTOR not in answer(intent)
