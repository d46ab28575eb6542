"""What follows an answer: doctors that it left out, further questions, bulletins."""

from __future__ import annotations

from collections.abc import Iterator

from chat.behaviours import Behaviour
from chat.interventions import Intervention
from chat.sources.lookup import asked_of
from chat.sources.sentences import Teller, doctor_name, facts_of
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from taxonomy.lookup.finding import PEOPLE, Finding, Says
from taxonomy.lookup.question import LookupQuestion, dealt_with, reach, visiting
from taxonomy.resolvers import resolver_index
from taxonomy.tokens import folded
from taxonomy.vocabulary import Thing
from zol.markdown import Markdown
from zol.text import fold, spaced, words

#: Departments that doctors are added for, and doctors of one: longer is no addition but a list.
MOST_DEPARTMENTS, MOST_DOCTORS = 2, 12
#: Concepts of the lexicon that ask for people.
ASKS_FOR_PEOPLE = frozenset({"who", "doctor", "specialist", "surgeon"})


def supplement(ctx: Context, tools: Tools) -> StageResult:
    """Add the doctors of a department that the question leads to, when doctors were asked for.

    Additive only, and marked: nothing that was written changes. The safety net for a question
    whose doctors were asked for in passing and that was answered from pages alone.
    """
    if ctx.behaviour is not Behaviour.ANSWER or not asks_for_doctors(ctx, tools):
        return StageResult(ctx)
    told = list(additions(ctx, tools))
    if not told:
        return StageResult(ctx)
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    texts = [
        teller.say(
            "supplement",
            department=teller.name(department),
            doctors=teller.phrases.listed([doctor_name(d) for d in doctors], teller.language),
        )
        for department, doctors in told
    ]
    answer = "\n\n".join((ctx.answer.rstrip(), *(f"*{text}*" for text in texts if text)))
    return StageResult(
        ctx.learn(answer=answer),
        {"supplement": {d.name: [doctor.name for doctor in doctors] for d, doctors in told}},
    )


def asks_for_doctors(ctx: Context, tools: Tools) -> bool:
    """Whether people were asked for, by the question or in passing: "… en bij wie?"."""
    meant = ctx.understanding
    lexicon = tools.snapshot.derived(lexicon_of)
    uses = lexicon.read(words(ctx.question), meant.detected or meant.language)
    said = {concept.name for use in uses for concept in use.concepts}
    return meant.intent is Intent.DOCTOR_LOOKUP or not ASKS_FOR_PEOPLE.isdisjoint(said)


def additions(ctx: Context, tools: Tools) -> Iterator[tuple[Thing, tuple[Thing, ...]]]:
    """Yield departments that question and answer name with a word of their own, and whoever of them
    fits what is asked of a doctor: all of these, or nobody.

    Where doctors were found for the question, those are the answer.
    """
    if any(finding.says in PEOPLE for finding in ctx.findings):
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
        # Where some are named, these were chosen: by campus, or by what they treat.
        if any(names(ctx.answer, doctor) for doctor in doctors):
            continue
        fitting = asked.filters.keep(doctors, vocabulary)
        if 0 < len(fitting) <= MOST_DOCTORS:
            yield department, fitting


def names(answer: str, thing: Thing) -> bool:
    """Whether an answer names a thing, as words of their own: "Neurologie" is no "Urologie"."""
    return spaced(thing.name) in spaced(answer)


def unnamed(ctx: Context) -> tuple[Thing, ...]:
    """Return the routed departments when the answer names none of them."""
    if any(names(ctx.answer, department) for department in ctx.routed):
        return ()
    return ctx.routed


def missing(ctx: Context) -> tuple[Thing, ...]:
    """Return the doctors of the roster whom the answer does not list."""
    return tuple(doctor for doctor in ctx.roster if not names(ctx.answer, doctor))


def said_of_routing(ctx: Context, tools: Tools) -> str:
    """Return where what is asked about belongs, and how that department is reached."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    about = next(thing for thing in asked.care if asked.departments_of(thing))
    found = (*dealt_with(asked, about), *reach(asked, asked.routed[0]))
    return said(found, ctx, tools)


def said_of_members(doctors: tuple[Thing, ...], ctx: Context, tools: Tools) -> str:
    """Return the doctors who were left out, as lines of a list."""
    return said(tuple(Finding(Says.MEMBER, doctor) for doctor in doctors), ctx, tools)


def said(findings: tuple[Finding, ...], ctx: Context, tools: Tools) -> str:
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    return "\n".join(_lines(findings, teller))


def _lines(findings: tuple[Finding, ...], teller: Teller) -> Iterator[str]:
    for fact in facts_of(findings, teller):
        yield f"- {fact.text}" if fact.is_item else fact.text


def suggest(ctx: Context, tools: Tools) -> StageResult:
    """Offer next questions that the taxonomy can answer; where it cannot, none. What a model
    suggests comes once its answer was sent.

    A page's headings are no questions: whoever asked one would read what was not asked for.
    """
    if ctx.was_written:
        return StageResult(ctx)
    asked = fold(ctx.question)
    offered = (question for question in about_department(ctx, tools) if fold(question) != asked)
    return StageResult(ctx.learn(follow_ups=tuple(offered)))


def about_department(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield what can be asked of the department at hand and was not answered yet."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    for department in asked.departments[:1]:
        for kind in kinds_for(ctx, asked, department):
            # A button shows every sign of it as it is.
            name = Markdown(department.name)
            said = tools.phrases.say(kind, ctx.understanding.language, department=name)
            if said:
                yield said


def kinds_for(ctx: Context, asked: LookupQuestion, department: Thing) -> Iterator[str]:
    """Yield the questions that the taxonomy can answer of a department."""
    told = {finding.says for finding in ctx.findings}
    doctors = asked.vocabulary.doctors_in(department)
    if Says.ROSTER not in told and doctors:
        yield "suggest_doctors"
    # Where nobody holds consultations there is nothing to book: one goes there, or is sent.
    if Says.BOOKED_AT not in told and any(doctor.get("schedule") for doctor in doctors):
        yield "suggest_booking"
    if Says.VISITING_HOURS not in told and any(visiting(asked, department)):
        yield "suggest_hours"


def add_bulletins(ctx: Context, tools: Tools) -> StageResult:
    """Put what staff announce before an answer, whichever stage gave it; never above one that is
    about safety. What is remembered of the answer is without it."""
    held = tools.interventions.bulletins(tools.today)
    if not held or ctx.behaviour is not Behaviour.ANSWER or ctx.alarm or not ctx.answer:
        return StageResult(ctx)
    words = frozenset(folded(ctx.question))
    told = [b for b in held if b.is_general or b.is_about(words) or names_subject(b, ctx, tools)]
    language = ctx.understanding.language
    said = (each.announced(tools.phrases, language) for each in told)
    bulletin = "".join(f"**{heading}**\n{text}\n\n" for heading, text, _ in said)
    learned = ctx.learn(answer=bulletin + ctx.answer, bulletin=bulletin)
    return StageResult(learned, {"bulletins": [each.id for each in told]})


def names_subject(bulletin: Intervention, ctx: Context, tools: Tools) -> bool:
    """Whether a question names what a bulletin is about, or what is done or who works there; to
    patients a specialty is its departments."""
    vocabulary = tools.snapshot.vocabulary
    kind, key = bulletin.subject or ("", "")
    subject = vocabulary.get(Kind(kind), key) if kind else None
    if subject is None:
        return False
    places = vocabulary.departments_of(subject) if subject.kind is Kind.SPECIALTY else ()
    return not things_of(ctx, tools).isdisjoint((subject, *places))


def things_of(ctx: Context, tools: Tools) -> set[Thing]:
    """Return what a question names or may mean by a name, and the departments of that."""
    meant = ctx.understanding
    # Nothing was understood of a question whose answer was remembered.
    read = meant if meant.matches else tools.read(ctx.turn, tools.snapshot)
    asked = (read, *(part.understanding for part in ctx.parts))
    named = {t for each in asked for m in each.matches for t in (m.thing, *m.alternatives)}
    return named.union(*(asked_of(each, tools.snapshot).departments for each in asked))
