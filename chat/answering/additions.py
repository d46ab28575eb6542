"""Additions to an answer: departments and doctors that it should name, and suggested questions, by
the taxonomy or by a model."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from chat.behaviours import Certainty
from chat.checking.base import CheckedQuestion, CitedClaim, Claim, Line, NumberedEvidence
from chat.checking.by_line import OF_WORDS, fault_in
from chat.checking.knowledge import knowledge_of
from chat.phrases import prompts_of
from chat.question.content_words import concepts_asked
from chat.sources.lookup import asked_of
from chat.sources.numbered import conversation_of, rendered
from chat.sources.sentences import Phrasing, sentences_of
from chat.tools import Tools
from chat.turn import Context, Exchange
from retrieval.intents import Intent
from taxonomy.lookup.finding import PEOPLE, Finding, FindingKind
from taxonomy.lookup.question import LookupQuestion, dealt_with, reach, visiting
from taxonomy.resolvers import resolver_index
from taxonomy.vocabulary import Thing
from zol.errors import LLMError
from zol.llm.base import Limits, Message, Meter, structured_call
from zol.text import Markdown, fold, spaced, squash, storable, words

logger = logging.getLogger(__name__)

PROMPT = "suggest"
LIMITS = Limits(tokens=300, patience=4.0, seconds=4.0)
#: Maximum suggestions, letters of one, and lines that a model reads for them.
MOST, LONGEST, READ = 3, 120, 60
#: Minimum share of a suggestion's content words in one of its lines, within one language.
LEAST_SHARED = 1 / 3
#: Maximum departments whose doctors are added, and doctors of each.
MOST_DEPARTMENTS, MOST_DOCTORS = 2, 12
#: Lexicon concepts that ask for people.
ASKS_FOR_PEOPLE = frozenset({"who", "doctor", "specialist", "surgeon"})


def asks_for_doctors(ctx: Context, tools: Tools) -> bool:
    """Return whether a question asks for people, possibly as a second question: "… en bij wie?"."""
    is_looked_up = ctx.understanding.intent is Intent.DOCTOR_LOOKUP
    return is_looked_up or not ASKS_FOR_PEOPLE.isdisjoint(concepts_asked(ctx, tools.snapshot))


def additions(ctx: Context, tools: Tools) -> Iterator[tuple[Thing, tuple[Thing, ...]]]:
    """Yield the departments that both question and answer name, with all their matching doctors.

    Nothing is added if doctors were found for the question, or if there are too many.
    """
    if any(finding.kind in PEOPLE for finding in ctx.published.findings):
        return
    asked = asked_of(ctx.understanding, tools.snapshot, ctx.question)
    vocabulary, index = tools.snapshot.vocabulary, tools.snapshot.derived(resolver_index)
    named = [
        department
        for department in asked.departments
        if names(ctx.answer, department) and not index.is_bare_ward(department)
    ]
    for department in named[:MOST_DEPARTMENTS]:
        doctors = vocabulary.doctors_in(department)
        # Doctors already named were chosen by campus or by what they treat.
        if any(names(ctx.answer, doctor) for doctor in doctors):
            continue
        fitting = asked.filters.keep(doctors, vocabulary)
        if 0 < len(fitting) <= MOST_DOCTORS:
            yield department, fitting


def names(answer: str, thing: Thing) -> bool:
    """Return whether an answer names a thing as whole words: "Neurologie" is not "Urologie"."""
    return spaced(thing.name) in spaced(answer)


def unnamed(ctx: Context) -> tuple[Thing, ...]:
    """Return the departments that the question is routed to, if the answer names none of them."""
    if any(names(ctx.answer, department) for department in ctx.published.routed):
        return ()
    return ctx.published.routed


def missing(ctx: Context) -> tuple[Thing, ...]:
    """Return the doctors of the roster that the answer omits."""
    return tuple(doctor for doctor in ctx.published.roster if not names(ctx.answer, doctor))


def routing_text(ctx: Context, tools: Tools) -> str:
    """Return a text that names the responsible department and how to reach it."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    about = next(thing for thing in asked.care if asked.departments_of(thing))
    found = (*dealt_with(asked, about), *reach(asked, asked.routed[0]))
    return _text_of(found, ctx, tools)


def member_list(doctors: tuple[Thing, ...], ctx: Context, tools: Tools) -> str:
    """Return doctors as the lines of a list."""
    return _text_of(tuple(Finding(FindingKind.MEMBER, doctor) for doctor in doctors), ctx, tools)


def _text_of(findings: tuple[Finding, ...], ctx: Context, tools: Tools) -> str:
    phrasing = Phrasing(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    lines = sentences_of(findings, phrasing)
    return "\n".join(f"- {text}" if is_item else text for text, is_item in lines)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested question, and the ids of the lines that answer it."""

    lines: Annotated[tuple[str, ...], Field(max_length=4)]
    question: Annotated[str, Field(max_length=LONGEST)]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The reply schema of a model."""

    suggestions: Annotated[tuple[Suggestion, ...], Field(max_length=MOST)]


def next_questions(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield questions about the department that the taxonomy can answer and that were not asked.

    Page headings are not used, because asking them as questions often finds no answer.
    """
    asked = asked_of(ctx.understanding, tools.snapshot)
    for department in asked.departments[:1]:
        for kind in _kinds_for(ctx, asked, department):
            # A button shows Markdown characters as they are.
            name = Markdown(department.name)
            question = tools.phrases.say(kind, ctx.understanding.language, department=name)
            if question and fold(question) != fold(ctx.question):
                yield question


def _kinds_for(ctx: Context, asked: LookupQuestion, department: Thing) -> Iterator[str]:
    """Yield the kinds of questions that the taxonomy can answer about a department."""
    answered = {finding.kind for finding in ctx.published.findings}
    doctors = asked.vocabulary.doctors_in(department)
    if FindingKind.ROSTER not in answered and doctors:
        yield "suggest_doctors"
    # Without consultation hours nothing can be booked: patients walk in or are referred.
    if FindingKind.BOOKED_AT not in answered and any(doctor.get("schedule") for doctor in doctors):
        yield "suggest_booking"
    if FindingKind.VISITING_HOURS not in answered and any(visiting(asked, department)):
        yield "suggest_hours"


def suggested(ctx: Context, tools: Tools, meter: Meter) -> tuple[str, ...]:
    """Return up to three suggestions of a model in the asker's language; none without a model."""
    evidence = unused(ctx)
    if (
        tools.models.tier is None
        or not evidence.sources
        or ctx.reply.certainty is Certainty.NOTHING
    ):
        return ()
    language = ctx.understanding.language
    # Include the current exchange, so that its answer is not asked for again.
    history = (*ctx.turn.history, Exchange(ctx.question, ctx.answer))
    conversation = conversation_of(replace(ctx.turn, history=history), tools)
    name = tools.phrases.say(f"language_name_{language}", "en") or language
    asks = [
        Message("system", tools.snapshot.derived(prompts_of).say(PROMPT, {})),
        Message(
            "user",
            f"{rendered(evidence, tools)}\nWrite in {name}.\nAnswered already:\n{conversation}",
        ),
    ]
    try:
        found = structured_call(
            tools.models.tier("fast"), asks, Suggestions,
            name=PROMPT, attempts=1, limits=LIMITS, meter=meter,
        )  # fmt: skip
    except LLMError:
        logger.info("Suggestions failed", exc_info=True)
        return ()
    return tuple(dict.fromkeys(_answered(found, evidence, ctx, tools)))


def unused(ctx: Context) -> NumberedEvidence:
    """Return the first page lines of the evidence that the answer does not cite."""
    evidence, used = ctx.dossier.evidence or NumberedEvidence(), set()
    for citation in ctx.citations:
        used |= set(citation.passage.split("\n"))
    left, sources = READ, []
    for source in evidence.sources[1:]:
        lines = tuple(line for line in source.lines if line.text not in used)[:left]
        left -= len(lines)
        sources += [replace(source, lines=lines)] if lines else []
    return NumberedEvidence(tuple(sources))


def _answered(
    found: Suggestions, evidence: NumberedEvidence, ctx: Context, tools: Tools
) -> Iterator[str]:
    asked = CheckedQuestion(ctx.question, language=ctx.understanding.language)
    known = tools.snapshot.derived(knowledge_of)
    for each in found.suggestions:
        question, lines = squash(storable(each.question)), evidence.lines(each.lines)
        claim = CitedClaim(Claim(question), question, lines, evidence, asked, known)
        is_new = fold(question) != fold(ctx.question)
        is_answered = any(_answers(line, question, asked.language, tools) for line in lines)
        if question and is_new and is_answered and not fault_in(claim, OF_WORDS):
            yield question


def _answers(line: Line, question: str, language: str, tools: Tools) -> bool:
    """Return whether a line's words match a question; true if their languages differ."""
    if line.language != language:
        return True
    known = tools.snapshot.derived(knowledge_of)
    content = known.lexicon.content_words(words(question), language)
    stems = {tools.corpus.stem(word) for word in content}
    line_stems = {tools.corpus.stem(word) for word in words(line.full_text)}
    return len(stems & line_stems) >= LEAST_SHARED * len(stems)
