"""Closed sets of values that the API, stored messages and golden questions share."""

from __future__ import annotations

from enum import StrEnum


class Behaviour(StrEnum):
    ANSWER = "answer"
    REFUSE_MEDICAL = "refuse_medical"
    REFUSE_OFFTOPIC = "refuse_offtopic"
    REFUSE_OTHER_HOSPITAL = "refuse_other_hospital"
    CLARIFY = "clarify"
    BLOCK_ATTACK = "block_attack"
    EMERGENCY = "emergency"


class Certainty(StrEnum):
    """Certainty of an answer, derived from the kind of its evidence."""

    FACT = "fact"
    CURATED = "curated"
    SURE = "sure"
    NEAR = "near"
    NOTHING = "nothing"
    #: No answer: a refusal, a question back, or an emergency text.
    NONE = ""


#: Certainties of answers that may not have helped.
UNSURE = (Certainty.NEAR, Certainty.NOTHING)


class Channel(StrEnum):
    WEB = "web"
    WIDGET = "widget"
    API = "api"
    #: Questions that fill the lists of the demonstration.
    DEMO = "demo"


class Mode(StrEnum):
    STANDARD = "standard"
    FULL = "full"
    ESCALATED = "escalated"
