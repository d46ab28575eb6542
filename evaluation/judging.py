"""Grade a sample of live answers after they were sent, by code and optionally by a model.

A grade sets the order of review; it is no verdict (docs/evaluation.md gives its accuracy). Every
score is a share from 0 to 1, or None where there is nothing to judge or no judge answered.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import mean
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from pydantic import Field
from scipy.special import expit

from chat.answering.release import Fate
from chat.behaviours import Behaviour, Certainty
from chat.checking.knowledge import knowledge_of
from chat.models import Message
from chat.phrases import prompts_of
from chat.selectors import prices_of
from chat.services import note_calls
from chat.turn import Turn, details_of
from chat.wiring import detected
from evaluation.metrics import FEWEST_WORDS, other_language, own_words
from evaluation.models import LiveGrade
from retrieval.tuning import steering_of
from taxonomy.publishing.live import live_snapshot
from zol.errors import ExpectedError
from zol.llm import base, get_llm, has_tier
from zol.text import words

logger = logging.getLogger(__name__)
#: Age of the answers graded, and how often grading runs in that time.
DAY, TIMES = timedelta(days=1), 96
#: Not graded: answers that found nothing say so, and curated ones are staff's to judge.
UNGRADED = (Certainty.NOTHING, Certainty.CURATED)
LIMITS = base.Limits(tokens=100, patience=20.0, seconds=20.0)
#: Log odds that an outsider calls an answer right, and the weight of `supported`: fitted on 642
#: graded answers.
START, SUPPORTED = -0.82, 1.23
JUDGES = ("faithfulness", "relevancy")


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The reply schema of a judge."""

    value: Annotated[float, Field(ge=0, le=1)]


def supported(stages: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the share of the model's statements that passed the checks unchanged."""
    generated: Mapping[str, Any] = next(details_of("generation", stages), {})
    statements = [each for each in generated.get("statements", ()) if each["text"]]
    return mean(each["became"] == Fate.SAID for each in statements) if statements else None


def in_language(message: Message) -> float | None:
    """Return the share of the answer's words, quotations included, in the asker's language."""
    snapshot, text = live_snapshot(), message.answer
    turn = Turn(message.question, message.conversation.language)
    asked = detected(turn, snapshot).written_in
    named = snapshot.derived(knowledge_of).named(words(text))
    names = [thing.name for thing in named.values()]
    own = own_words(text, names)
    # The texts of the answer, each with its declared language.
    parts = [(own, asked)] if len(own.split()) >= FEWEST_WORDS else []
    for each in message.citations:
        if each.get("translated"):
            parts.append((each["translated"], asked))
        elif each["passage"]:
            parts.append((each["passage"], each["language"] or asked))
    sizes = [
        (len(part.split()), code == asked and not other_language(own_words(part, names), asked))
        for part, code in parts
    ]
    right = sum(size for size, is_right in sizes if is_right)
    return right / sum(size for size, _is_right in sizes) if sizes else None


def judged(message: Message, prompt: str, meter: base.Meter) -> float | None:
    """Return a model's grade; it reads the redacted question and the product's own texts.

    A follow-up is judged as the pipeline rewrote it.
    """
    system = live_snapshot().derived(prompts_of).say(prompt, {})
    if not system or not has_tier("judge"):
        return None
    meant: Mapping[str, Any] = next(details_of("understand", message.trace.get("stages", ())), {})
    question = (meant.get("follow_up") and meant.get("query")) or message.question
    sources = [
        f"[{c['n']}] {c['title']}\n{c['passage']}\n{c.get('translated', '')}"
        for c in message.citations
    ]
    material = sources if prompt == "faithfulness" else []
    content = "\n\n".join([*material, f"Question: {question}", f"Answer: {message.answer}"])
    prompts = [base.Message("system", system), base.Message("user", content)]
    how: dict[str, Any] = {"name": "grade", "attempts": 1, "limits": LIMITS, "meter": meter}
    try:
        return base.structured_call(get_llm("judge"), prompts, JudgedShare, **how).value
    except ExpectedError:
        logger.warning("A live answer could not be judged for %s", prompt, exc_info=True)
        return None


def grade(message: Message) -> None:
    """Grade an answer once, and keep it unless the answer was forgotten meanwhile."""
    meter = base.Meter()
    scores = {
        "supported": supported(message.trace.get("stages", ())),
        "in_language": in_language(message),
    }
    scores |= {name: judged(message, name, meter) for name in JUDGES}
    cost = live_snapshot().derived(prices_of).cost(meter.calls)
    note_calls(message.hospital_id, meter.calls, message)
    graders = ["code", *dict.fromkeys(call.model for call in meter.calls)]
    values = scores | {"overall": overall(scores)}
    try:
        with transaction.atomic():
            if Message.objects.filter(pk=message.pk).update(cost=F("cost") + cost):
                LiveGrade.objects.create(
                    hospital_id=message.hospital_id, message=message,
                    graded_by=", ".join(graders), **values,
                )  # fmt: skip
    except IntegrityError:
        return  # Another worker has graded it meanwhile.


def overall(scores: Mapping[str, float | None]) -> float | None:
    """Return the mean of the checks' and the judges' grades; None without any."""
    share = scores["supported"]
    by_code = [] if share is None else [float(expit(START + SUPPORTED * share))]
    grades = [*by_code, *(score for name in JUDGES if (score := scores[name]) is not None)]
    return mean(grades) if grades else None


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
