"""Behaviours of answers: a contract with patients, API and golden questions."""

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
    """What an answer rests on, and how surely it answers."""

    FACT = "fact"
    CURATED = "curated"
    SURE = "sure"
    NEAR = "near"
    NOTHING = "nothing"
    #: It refuses, asks back, or sends to an emergency number.
    NONE = ""


class Channel(StrEnum):
    WEB = "web"
    WIDGET = "widget"
    API = "api"
    #: Nobody asked: what the demonstration asks itself, so that its lists are not empty.
    DEMO = "demo"


class Mode(StrEnum):
    STANDARD = "standard"
    FULL = "full"
    ESCALATED = "escalated"
