"""The question as everything downstream knows it."""

from __future__ import annotations

from dataclasses import dataclass

from chat.question.conditions import Conditions
from chat.question.forms import Form
from chat.question.needs import Need
from retrieval.intents import Intent
from taxonomy.resolvers.base import Match


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked."""

    text: str
    #: What it is about, most important first, with how it was found and how sure that is.
    subjects: tuple[Match, ...]
    #: The likeliest needs, the best first.
    needs: tuple[Need, ...]
    conditions: Conditions
    form: Form
    intent: Intent
    #: The row of the affinity matrix; empty is neutral.
    row: str

    @property
    def need(self) -> Need:
        """Return the likeliest need."""
        return self.needs[0]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its parts; one that asks one thing has one."""

    text: str
    #: The language to answer in.
    language: str
    parts: tuple[Part, ...]
