"""Grade live answers, by code and optionally by a model, outside the answer's path.

A grade sets the order of review; it is no verdict (docs/evaluation.md gives its accuracy). A score
is a share from 0 to 1, or one of `REASONS` if there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import mean
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pydantic import Field
from scipy.special import expit

from chat.answering.release import Fate
from chat.behaviours import Behaviour, Certainty
from chat.checking.base import Citation
from chat.checking.knowledge import Knowledge, knowledge_of
from chat.models import Message
from chat.phrases import prompts_of
from chat.selectors import prices_of
from chat.services import note_calls
from chat.turn import Turn, told_by
from chat.wiring import detected
from evaluation.metrics import FEWEST_WORDS, other_language, own_words
from evaluation.models import LiveGrade
from retrieval.tuning import steering_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.errors import ExpectedError, UnusableReply
from zol.llm import base, get_llm, has_tier
from zol.text import words

#: Age of the answers graded, and how often grading runs in that time.
DAY, TIMES = timedelta(days=1), 96
#: Not graded: answers that found nothing say so, and curated ones are staff's to judge.
UNGRADED = (Certainty.NOTHING, Certainty.CURATED)
LIMITS = base.Limits(tokens=100, patience=20.0, seconds=20.0)
REASONS: Mapping[str, Any] = {
    "no_statement": _("not written by a model"),
    "no_words": _("too few words to recognise a language"),
    "no_judge": _("no judging model is set"),
    "bad_reply": _("the model gave no grade"),
    "away": _("the judging model could not be reached"),
}
#: Log odds that an outsider calls an answer right, and the weight of `supported`: fitted on 642
#: graded answers.
START, SUPPORTED = -0.82, 1.23


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The reply schema of a judge."""

    value: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """A live answer with the published snapshot."""

    message: Message
    snapshot: Snapshot
    known: Knowledge
    #: The asker's language, supported or not.
    language: str
    #: The question; for a follow-up, the rewritten one.
    asked: str
    citations: tuple[Citation, ...]
    #: The verdict on each statement, as in the trace.
    statements: tuple[Mapping[str, Any], ...]


def read(message: Message) -> LiveAnswer:
    snapshot, question = live_snapshot(), message.question
    known = snapshot.derived(knowledge_of)
    heard = detected(Turn(question, message.conversation.language), snapshot)
    stages, language = message.trace.get("stages", ()), heard.written_in
    meant: Mapping[str, Any] = next(told_by("understand", stages), {})
    written: Mapping[str, Any] = next(told_by("generation", stages), {})
    asked = (meant.get("query") or question) if meant.get("follow_up") else question
    cited = tuple(Citation(**each) for each in message.citations)
    stated = tuple(written.get("statements", ()))
    return LiveAnswer(message, snapshot, known, language, asked, cited, stated)


def supported(answer: LiveAnswer) -> float | str:
    """Return the share of the model's statements that passed the checks unchanged."""
    told = [each["became"] == Fate.SAID for each in answer.statements if each["text"]]
    return mean(told) if told else "no_statement"


def in_language(answer: LiveAnswer) -> float | str:
    """Return the share of the answer's words, quotations included, in the asker's language."""
    text, asked = answer.message.answer, answer.language
    names = [thing.name for thing in answer.known.named(words(text)).values()]
    own = own_words(text, names)
    parts = [(own, asked)] if len(own.split()) >= FEWEST_WORDS else []
    said = ((c, c.translated or c.passage) for c in answer.citations)
    parts += [(text, asked if c.translated else c.language or asked) for c, text in said if text]
    sizes = [
        (len(text.split()), told == asked and not other_language(own_words(text, names), asked))
        for text, told in parts
    ]
    theirs = sum(size for size, is_theirs in sizes if is_theirs)
    return theirs / sum(size for size, _is_theirs in sizes) if sizes else "no_words"


def judged(answer: LiveAnswer, prompt: str, meter: base.Meter) -> float | str:
    """Return a model's grade; it reads the redacted question and the product's own texts."""
    system = answer.snapshot.derived(prompts_of).say(prompt, {})
    if not system or not has_tier("judge"):
        return "no_judge"
    material = [f"[{c.n}] {c.title}\n{c.passage}\n{c.translated}" for c in answer.citations]
    asked = [f"Question: {answer.asked}", f"Answer: {answer.message.answer}"]
    shown = "\n\n".join([*(material if prompt == "faithfulness" else ()), *asked])
    said = [base.Message("system", system), base.Message("user", shown)]
    how: dict[str, Any] = {"name": "grade", "attempts": 1, "limits": LIMITS, "meter": meter}
    try:
        return base.structured_call(get_llm("judge"), said, JudgedShare, **how).value
    except UnusableReply:
        return "bad_reply"


SIGNS: Mapping[str, Callable[[LiveAnswer], float | str]] = {
    each.__name__: each for each in (supported, in_language)
}
JUDGES = ("faithfulness", "relevancy")


def grade(message: Message) -> None:
    """Grade an answer once, and keep it unless the answer was forgotten meanwhile."""
    answer, meter = read(message), base.Meter()
    found: dict[str, float | str] = {}
    for name in (*SIGNS, *JUDGES):
        try:
            found[name] = SIGNS[name](answer) if name in SIGNS else judged(answer, name, meter)
        except ExpectedError:
            found[name] = "away"
    signs = {name: None if isinstance(v, str) else v for name, v in found.items()}
    unjudged = {name: v for name, v in found.items() if isinstance(v, str)}
    cost = answer.snapshot.derived(prices_of).cost(meter.calls)
    note_calls(message.hospital_id, meter.calls, message)
    by = ["code", *dict.fromkeys(call.model for call in meter.calls)]
    told = signs | {"unjudged": unjudged, "graded_by": ", ".join(by), "overall": overall(signs)}
    try:
        with transaction.atomic():
            if Message.objects.filter(pk=message.pk).update(cost=F("cost") + cost):
                LiveGrade.objects.create(hospital_id=message.hospital_id, message=message, **told)
    except IntegrityError:
        return  # Another worker has graded it meanwhile.


def overall(signs: Mapping[str, float | None]) -> float | None:
    """Return the mean of the checks' and the judges' grades; None without any."""
    sure = signs["supported"]
    by_code = [] if sure is None else [float(expit(START + SUPPORTED * sure))]
    said = [*by_code, *(v for name in JUDGES if (v := signs[name]) is not None)]
    return mean(said) if said else None


def due() -> QuerySet[Message]:
    """Return a random sample of the last day's answers to grade now, within the day's limit."""
    since = timezone.now() - DAY
    most = steering_of(live_snapshot()).tuning.live_grades
    left = most - LiveGrade.objects.filter(graded_at__gte=since).count()
    answered = {"state": Message.State.FINISHED, "behaviour": Behaviour.ANSWER}
    rows = Message.objects.filter(created_at__gte=since, live_grade=None, **answered)
    ordinary = rows.exclude(certainty__in=UNGRADED).exclude(citations=[])
    number = max(0, min(left, ceil(most / TIMES)))
    return ordinary.select_related("conversation").order_by("?")[:number]
