"""Incident 28: an answer gave the right telephone number in another format and counted as wrong."""

import pytest

from evaluation.golden import Case
from evaluation.metrics import Outcome, failings, measure

ANSWER = "U bereikt de dienst Cardiologie op {number}, elke werkdag van 8.30 tot 17 uur."


def failures(case, answer):
    return list(failings(case.category, measure(case, Outcome(answer=answer, home="be"))))


@pytest.mark.parametrize(
    "number",
    ["089 00 51 03", "089/00.51.03", "089005103", "+32 89 00 51 03", "0032 (0)89 00 51 03"],
)
def test_the_right_number_is_right_in_every_format(number):
    case = Case("28", "service_info", "nl", "tel cardiologie?", entities=("089 00 51 03",))

    assert failures(case, ANSWER.format(number=number)) == []


def test_a_wrong_number_is_wrong_in_every_format():
    case = Case("28", "service_info", "nl", "tel cardiologie?", entities=("+32 89 00 51 03",))

    assert failures(case, ANSWER.format(number="089 00 51 30")) == [
        "entity_recall: missing: +32 89 00 51 03"
    ]


def test_a_number_that_must_not_be_given_is_seen_in_every_format():
    case = Case("28", "outdated_brochure", "nl", "tel cardiologie?", must_not=("089 00 19 03",))

    assert failures(case, ANSWER.format(number="+3289/001903")) == ["must_not: said: 089 00 19 03"]
