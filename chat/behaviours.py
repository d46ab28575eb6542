"""Behaviours and certainties of answers: a contract with patients, the API and golden questions."""

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
    """The evidence behind an answer, and its certainty."""

    FACT = "fact"
    CURATED = "curated"
    SURE = "sure"
    NEAR = "near"
    NOTHING = "nothing"
    #: Refuses, asks back, or refers to an emergency number.
    NONE = ""


#: Certainties of answers that may not have helped.
UNSURE = (Certainty.NEAR, Certainty.NOTHING)


class Channel(StrEnum):
    WEB = "web"
    WIDGET = "widget"
    API = "api"
    #: Questions that the demonstration asks itself to fill its lists.
    DEMO = "demo"


class Mode(StrEnum):
    STANDARD = "standard"
    FULL = "full"
    ESCALATED = "escalated"
