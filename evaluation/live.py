"""Live answers, graded away from their path: by code, and by a model where one judges.

A grade is a hint of what to read first, no verdict (docs/evaluation.md says how good it is). What
cannot be judged is None, with the reason. Nothing is kept of the words of a question or an answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from math import ceil, exp, log
from statistics import mean
from typing import Annotated, Any

import numpy as np
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.behaviours import Behaviour
from chat.certainty import Certainty
from chat.checks.evidence import Evidence, Exhibit, data_of
from chat.checks.faults import faults_of, is_honest, is_lead_in
from chat.checks.knowledge import Knowledge, knowledge_of
from chat.checks.statement import Statement, kept, sentences
from chat.comparing import Comparing
from chat.costs import prices_of
from chat.live import detected
from chat.models import Message
from chat.phrases import phrases_of, prompts_of
from chat.turn import Citation, Turn
from evaluation.metrics.conduct import FEWEST_WORDS, heard_instead, own_words
from evaluation.models import LiveGrade
from retrieval.embedding import get_embedder, get_hearer
from retrieval.index.statements import told_now
from retrieval.passage import Passage, Source
from retrieval.query import Spoken
from retrieval.reader import AFTER, BEFORE, reader
from retrieval.tuning import steering_of
from taxonomy.selectors import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import ExpectedError, LLMError, StructuredCallError
from zol.llm import base, get_llm, has_tier
from zol.text import fold, words

logger = logging.getLogger(__name__)

#: How far back answers are taken, and how often in that time.
DAY, TIMES = timedelta(days=1), 96
#: What found nothing says so itself, and what staff approved is theirs to judge.
UNGRADED = (Certainty.NOTHING, Certainty.CURATED)
LIMITS = base.Limits(tokens=100, patience=20.0, seconds=20.0)
#: Why a sign says nothing of an answer.
REASONS: Mapping[str, Any] = {
    "no_quotation": _("no page is quoted"),
    "no_statement": _("it only says fixed texts"),
    "no_words": _("too few words to hear a language"),
    "no_reader": _("the reader cannot read what is quoted"),
    "no_judge": _("no model is set up to judge"),
    "no_prompt": _("the prompt is not published"),
    "bad_reply": _("the model gave no number"),
    "away": _("what judges could not be reached"),
}
#: What is kept of a citation that is looked at here.
CITED = ("n", "title", "url", "passage", "language", "translated")
#: What signs add to the odds that a stranger calls an answer right, fitted on 642 that strangers
#: graded; the other signs told nothing more. On the subject is said in odds.
START, SUPPORTED, ON_SUBJECT = -0.16, 1.71, 0.47
#: What they are taken for where they say nothing.
USUALLY = {"supported": 0.8, "on_subject": 0.1}


class UnjudgedSign(Exception):
    """Why a sign says nothing of an answer: one of `REASONS`."""


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The shape that a judge is held to."""

    value: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class LiveAnswer:
    """An answer as it was given, with what is published now."""

    message: Message
    snapshot: Snapshot

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        rows = self.message.citations
        return tuple(Citation(**{name: row.get(name, "") for name in CITED}) for row in rows)

    @cached_property
    def language(self) -> str:
        """The asker's, whether it is spoken here or not."""
        turn = Turn(self.message.question, self.message.conversation.language)
        meant = detected(turn, self.snapshot)
        return meant.detected or meant.language

    @cached_property
    def spoken(self) -> Spoken:
        """The question; of one that follows another, as it was understood."""
        stages = self.message.trace.get("stages", ())
        found = [each["detail"] for each in stages if each["stage"] == "understand"]
        meant = found[0] if found else {}
        query = meant.get("query") or self.message.question
        if meant.get("follow_up"):
            return Spoken(query, self.snapshot.profile.default_language, query)
        return Spoken(self.message.question, self.language, query)

    @cached_property
    def quoted(self) -> list[Passage]:
        cited = [each for each in self.citations if each.passage]
        if not cited:
            raise UnjudgedSign("no_quotation")
        of = [
            Source(0, c.title, c.url, language=c.language or self.message.language) for c in cited
        ]
        return [Passage(0, c.passage, source) for c, source in zip(cited, of, strict=True)]

    @cached_property
    def known(self) -> Knowledge:
        return self.snapshot.derived(knowledge_of)

    @cached_property
    def evidence(self) -> Evidence:
        """What is quoted, and what the taxonomy holds of whom question and answer name."""
        named = self.known.named(words(f"{self.message.question} {self.message.answer}"))
        shown = (
            part for c in self.message.citations for part in (c["updated_on"][:4], *c["parts"])
        )
        return Evidence(
            tuple(Exhibit(c, f"{c.title}\n{c.passage}\n{c.translated}") for c in self.citations),
            (*data_of(named.values()), *filter(None, shown), self.spoken.asked),
            own=self.known.own,
            language=self.message.language,
            figures=self.known.figures,
            called=self.known.called,
        )


def fixed_sentences(snapshot: Snapshot) -> frozenset[str]:
    """Return what a version's fixed texts say; use it through `snapshot.derived`."""
    phrases = phrases_of(snapshot)
    texts = (phrases.say(kind, language) for kind, language in phrases.texts)
    lines = (line for text in texts for line in text.splitlines())
    return frozenset(fold(said).strip("*_ ") for line in lines for said in sentences(line))


def supported(answer: LiveAnswer) -> float:
    """The share of its statements, fixed texts apart, that no check finds a fault with."""
    fixed, known = answer.snapshot.derived(fixed_sentences), answer.known
    found: list[bool] = []

    def note(sentence: str) -> bool:
        said = Statement(sentence, language=answer.message.language)
        is_fixed = fold(said.plain).strip("*_ ") in fixed
        if not (is_fixed or is_lead_in(said, known) or is_honest(said, known)):
            found.append(not any(faults_of(said, answer.evidence, known)))
        return True

    kept(answer.message.answer, note)
    if not found:
        raise UnjudgedSign("no_statement")
    return mean(found)


def on_subject(answer: LiveAnswer) -> float:
    """The reader's chance that the best quoted statement answers."""
    verdict = Comparing(get_embedder()).read(answer.spoken, answer.quoted)
    if verdict is None or not verdict.answers:
        raise UnjudgedSign("no_reader")
    return max(verdict.answers)


def complete(answer: LiveAnswer) -> float:
    """How near the quoted statements come to the pieces of the question: the mean of the best."""
    told = told_now(answer.quoted, get_embedder())
    rows = [each.rows[each.sorts == 2] for passage in told for each in passage.pieces]
    if not rows:
        raise UnjudgedSign("no_reader")
    _row, states = get_hearer().half_read(answer.spoken.asked)
    near = reader().narrowed(states)[BEFORE:-AFTER] @ np.concatenate(rows).T
    return float(near.max(axis=1).mean()) if len(near) else 0.0


def in_language(answer: LiveAnswer) -> float:
    """The share of its words, its own and quoted ones, that is in the asker's language."""
    text, asked = answer.message.answer, answer.language
    names = [thing.name for thing in answer.known.named(words(text)).values()]
    own = own_words(text, names)
    size = len(own.split())
    read = [(size, not heard_instead(own, asked))] if size >= FEWEST_WORDS else []
    for cited in filter(lambda each: each.passage, answer.citations):
        is_theirs = cited.language in ("", asked) and not heard_instead(
            own_words(cited.passage, names), asked
        )
        read.append((len(cited.passage.split()), bool(cited.translated) or is_theirs))
    if not (total := sum(size for size, _is_read in read)):
        raise UnjudgedSign("no_words")
    return sum(size for size, is_read in read if is_read) / total


def judged(answer: LiveAnswer, prompt: str, meter: base.Meter) -> float:
    """What a model says; of the question, without personal data, and our own texts."""
    if not has_tier("judge"):
        raise UnjudgedSign("no_judge")
    system = answer.snapshot.derived(prompts_of).say(prompt, {})
    if not system:
        raise UnjudgedSign("no_prompt")
    evidence = answer.evidence
    material = [*(f"[{each.n}] {each.text}" for each in evidence.exhibits), *evidence.facts[:-1]]
    asked = [f"Question: {answer.spoken.asked}", f"Answer: {answer.message.answer}"]
    said = "\n\n".join([*(material if prompt == "faithfulness" else ()), *asked])
    messages = [base.Message("system", system), base.Message("user", said)]
    llm = get_llm("judge")
    how: dict[str, Any] = {"attempts": 1, "limits": LIMITS, "meter": meter}
    try:
        return base.structured_call(llm, messages, JudgedShare, **how).value
    except StructuredCallError as error:
        raise UnjudgedSign("bad_reply") from error
    except LLMError as error:
        raise UnjudgedSign("away") from error


SIGNS: Mapping[str, Callable[[LiveAnswer], float]] = {
    each.__name__: each for each in (supported, complete, on_subject, in_language)
}
JUDGES = ("faithfulness", "relevancy")


def grade(message: Message) -> None:
    """Grade an answer once, and keep it unless the answer was forgotten meanwhile."""
    answer, meter = LiveAnswer(message, live_snapshot()), base.Meter()
    found: dict[str, float | None] = {}
    unjudged: dict[str, str] = {}
    for name in (*SIGNS, *JUDGES):
        found[name] = None
        try:
            found[name] = SIGNS[name](answer) if name in SIGNS else judged(answer, name, meter)
        except UnjudgedSign as reason:
            unjudged[name] = str(reason)
        except ExpectedError:
            unjudged[name] = "away"
    cost = answer.snapshot.derived(prices_of).cost(meter.calls)
    by = [f"reader {reader().digest[:8]}", *dict.fromkeys(call.model for call in meter.calls)]
    row = LiveGrade(
        hospital_id=message.hospital_id, message_id=message.pk, overall=overall(found),
        unjudged=unjudged, graded_by=", ".join(by)[:200], **found,
    )  # fmt: skip
    try:
        with transaction.atomic():
            if Message.objects.filter(pk=message.pk).update(cost=F("cost") + cost):
                row.save(force_insert=True)
    except IntegrityError:
        logger.info("An answer was graded by another meanwhile")


def overall(found: Mapping[str, float | None]) -> float | None:
    """The chance that a stranger calls an answer right, and what models say of it; None where
    neither the checks nor the reader say anything."""
    if all(found[name] is None for name in USUALLY):
        return None
    sure, near = (usual if (v := found[name]) is None else v for name, usual in USUALLY.items())
    near = min(max(near, 1e-4), 1 - 1e-4)
    odds = START + SUPPORTED * sure + ON_SUBJECT * log(near / (1 - near))
    said = (value for name in JUDGES if (value := found[name]) is not None)
    return mean((1 / (1 + exp(-odds)), *said))


def due() -> QuerySet[Message]:
    """Return which answers of the last day to grade now: at random, of what a day may have."""
    since = timezone.now() - DAY
    most = steering_of(live_snapshot()).tuning.live_grades
    left = most - LiveGrade.objects.filter(graded_at__gte=since).count()
    rows = Message.objects.filter(
        state=Message.State.FINISHED, behaviour=Behaviour.ANSWER, created_at__gte=since,
        live_grade=None,
    )  # fmt: skip
    ordinary = rows.exclude(certainty__in=UNGRADED).exclude(citations=[])
    number = max(0, min(left, ceil(most / TIMES)))
    return ordinary.select_related("conversation").order_by("?")[:number]
