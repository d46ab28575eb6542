"""Grades of live answers: by code, and by a model if one judges. Never on the answer's path.

A grade says what to read first; it is no verdict (docs/evaluation.md says how good it is). A sign
is a share from 0 to 1, or one of `REASONS` if there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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

from chat.answering.certainty import Certainty
from chat.behaviours import Behaviour
from chat.checking.evidence import Evidence, Exhibit, data_of
from chat.checking.faults import faults_of, is_honest, is_lead_in
from chat.checking.knowledge import Knowledge, knowledge_of
from chat.checking.statements import Statement, kept, sentences
from chat.costs import prices_of
from chat.live import detected
from chat.models import Message
from chat.phrases import phrases_of, prompts_of
from chat.services import note_calls
from chat.turn import Citation, Turn, told_by
from evaluation.metrics.conduct import FEWEST_WORDS, heard_instead, own_words
from evaluation.models import LiveGrade
from retrieval.selectors import live_pages
from retrieval.tuning import steering_of
from taxonomy.facts.index import facts_of
from taxonomy.facts.print import said as fact_said
from taxonomy.live import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import ExpectedError, UnusableReply
from zol.llm import base, get_llm, has_tier
from zol.text import fold, words

#: How far back answers are taken, and how often in that time.
DAY, TIMES = timedelta(days=1), 96
#: What found nothing says so itself, and what staff approved is theirs to judge.
UNGRADED = (Certainty.NOTHING, Certainty.CURATED)
LIMITS = base.Limits(tokens=100, patience=20.0, seconds=20.0)
REASONS: Mapping[str, Any] = {
    "no_statement": _("it only says fixed texts"),
    "no_words": _("too few words to hear a language"),
    "no_judge": _("no model judges"),
    "bad_reply": _("the model gave no number"),
    "away": _("what judges could not be reached"),
}
#: Odds that a stranger calls an answer right, and what `supported` adds to them: fitted on 642
#: graded answers.
START, SUPPORTED = -0.82, 1.23


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The shape that a judge is held to."""

    value: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """An answer as it was given, with what is published now."""

    message: Message
    snapshot: Snapshot
    known: Knowledge
    #: The asker's, whether it is spoken here or not.
    language: str
    #: The question; of one that follows another, as it was understood.
    asked: str
    citations: tuple[Citation, ...]
    #: What is quoted, and what the taxonomy holds of whom question and answer name.
    evidence: Evidence


def read(message: Message) -> LiveAnswer:
    snapshot, question = live_snapshot(), message.question
    known = snapshot.derived(knowledge_of)
    heard = detected(Turn(question, message.conversation.language), snapshot)
    meant: Mapping[str, Any] = next(told_by("understand", message.trace.get("stages", ())), {})
    query, language = meant.get("query") or question, heard.detected or heard.language
    asked = query if meant.get("follow_up") else question
    cited = tuple(Citation(**each) for each in message.citations)
    named = tuple(known.named(words(f"{question} {message.answer}")).values())
    shown = [part for each in cited for part in (each.updated_on[:4], *each.parts)]
    shown += [str(len(snapshot.vocabulary.doctors_in(each))) for each in named]
    evidence = Evidence(
        tuple(Exhibit(c, "\n".join((c.title, c.passage, c.translated))) for c in cited),
        (question, *data_of(named), *shown, *stated(cited, snapshot, message.language)),
        own=known.own, language=message.language, figures=known.figures, called=known.called,
    )  # fmt: skip
    return LiveAnswer(message, snapshot, known, language, asked, cited, evidence)


def stated(cited: Iterable[Citation], snapshot: Snapshot, language: str) -> list[str]:
    """Return the facts of a version that are told of cited pages."""
    urls, own = {each.url for each in cited}, snapshot.profile.default_language
    pages = {path for path, page in live_pages().by_path.items() if page.url in urls}
    facts = (each for found in facts_of(snapshot).values() for each in found)
    told = (each for each in facts if each.source in pages)
    return [f"{each.sentence}\n{fact_said(each.value, language, own=own)}" for each in told]


def fixed_sentences(snapshot: Snapshot) -> frozenset[str]:
    """Return what a version's fixed texts say; use it through `snapshot.derived`."""
    phrases = phrases_of(snapshot)
    lines = (line for text in phrases.texts for line in phrases.say(*text).splitlines())
    return frozenset(fold(said).strip("*_ ") for line in lines for said in sentences(line))


def supported(answer: LiveAnswer) -> float | str:
    """The share of its statements, fixed texts apart, that no check finds a fault with."""
    fixed, language = answer.snapshot.derived(fixed_sentences), answer.message.language
    told: list[bool] = []

    def note(sentence: str) -> bool:
        said = Statement(sentence, language=language)
        is_fixed = fold(said.plain).strip("*_ ") in fixed
        if not (is_fixed or is_lead_in(said, answer.known) or is_honest(said, answer.known)):
            told.append(not any(faults_of(said, answer.evidence, answer.known)))
        return True

    kept(answer.message.answer, note)
    return mean(told) if told else "no_statement"


def in_language(answer: LiveAnswer) -> float | str:
    """The share of its words, its own and quoted ones, that is in the asker's language."""
    text, asked = answer.message.answer, answer.language
    names = [thing.name for thing in answer.known.named(words(text)).values()]
    own = own_words(text, names)
    parts = [(own, asked)] if len(own.split()) >= FEWEST_WORDS else []
    said = ((c, c.translated or c.passage) for c in answer.citations)
    parts += [(text, asked if c.translated else c.language or asked) for c, text in said if text]
    sizes = [
        (len(text.split()), told == asked and not heard_instead(own_words(text, names), asked))
        for text, told in parts
    ]
    theirs = sum(size for size, is_theirs in sizes if is_theirs)
    return theirs / sum(size for size, _is_theirs in sizes) if sizes else "no_words"


def judged(answer: LiveAnswer, prompt: str, meter: base.Meter) -> float | str:
    """What a model says of the question, which has no personal data, and our own texts."""
    system = answer.snapshot.derived(prompts_of).say(prompt, {})
    if not system or not has_tier("judge"):
        return "no_judge"
    evidence = answer.evidence
    material = [*(f"[{each.n}] {each.text}" for each in evidence.exhibits), *evidence.facts[1:]]
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
    """Return the mean of what the checks and the models say; None if none of them says anything."""
    sure = signs["supported"]
    by_code = [] if sure is None else [float(expit(START + SUPPORTED * sure))]
    said = [*by_code, *(v for name in JUDGES if (v := signs[name]) is not None)]
    return mean(said) if said else None


def due() -> QuerySet[Message]:
    """Return which answers of the last day to grade now: at random, of what a day may have."""
    since = timezone.now() - DAY
    most = steering_of(live_snapshot()).tuning.live_grades
    left = most - LiveGrade.objects.filter(graded_at__gte=since).count()
    answered = {"state": Message.State.FINISHED, "behaviour": Behaviour.ANSWER}
    rows = Message.objects.filter(created_at__gte=since, live_grade=None, **answered)
    ordinary = rows.exclude(certainty__in=UNGRADED).exclude(citations=[])
    number = max(0, min(left, ceil(most / TIMES)))
    return ordinary.select_related("conversation").order_by("?")[:number]
