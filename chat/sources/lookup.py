"""Look up the entities of a question in the published taxonomy, and build the contact card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from chat.behaviours import Behaviour
from chat.phrases import calendar_of, phrases_of
from chat.question.content_words import without_marks
from chat.safety.phrases import Rows, rows_of_kind
from chat.tools import Tools
from chat.turn import Context, Understanding
from retrieval.intents import Intent
from taxonomy.facts.needs import is_practical
from taxonomy.language.lexicon import lexicon_of
from taxonomy.lookup.finding import FilterReader, Filters, Finding
from taxonomy.lookup.handlers import (
    find_booking,
    find_care,
    find_departments,
    find_doctors,
    find_named,
    find_places,
    roster,
    with_absences,
)
from taxonomy.lookup.question import Handler, LookupQuestion, address_of, is_implied
from taxonomy.resolvers import resolver_index
from taxonomy.resolvers.entries import FROM_CONDITION, Match
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Thing
from zol import phones
from zol.text import fold, spaced, web_address, words

HANDLERS: Mapping[Intent, Handler] = {
    Intent.DOCTOR_LOOKUP: find_doctors,
    Intent.DEPARTMENT_OR_SERVICE_LOOKUP: find_departments,
    Intent.CONDITION_INFORMATION: find_care,
    Intent.TREATMENT_OR_EXAM_INFORMATION: find_care,
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: find_care,
    Intent.BOOKING_OR_CONTACT: find_booking,
}
#: Default expected answer, by topic and by intent.
OF_TOPIC = {"hours": "time", "visiting": "time"}
OF_INTENT = {
    Intent.DOCTOR_LOOKUP: "people",
    Intent.DEPARTMENT_OR_SERVICE_LOOKUP: "place",
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: "place",
    Intent.BOOKING_OR_CONTACT: "one",
}
#: Expected answers that are too vague to use if topic or intent give a better one.
VAGUE = ("", "other", "one", "yes_no")
#: Expected answer of questions for all doctors of a department.
ROSTERS = {Intent.DOCTOR_LOOKUP: "all", Intent.DEPARTMENT_OR_SERVICE_LOOKUP: "people"}
#: Needs for which booking instructions are omitted.
NO_BOOKING = frozenset({"appointment_change", "appointment_needed"})
#: Kinds of entities by which a department is found, most direct first.
NAMING = (Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
#: Behaviours that refer nobody to a department.
WITHOUT_REFERRAL = (Behaviour.EMERGENCY, Behaviour.BLOCK_ATTACK, Behaviour.REFUSE_OTHER_HOSPITAL)
#: The number of a source in an answer.
_CITED = re.compile(r"\s*\[\d+\]")
#: Prefix of the text kinds that name languages, and concepts of gender.
LANGUAGE, GENDERS = "language_name_", {"woman": "f", "man": "m"}


def asked_of(
    meant: Understanding,
    snapshot: Snapshot,
    question: str = "",
    matches: Sequence[Match] | None = None,
) -> LookupQuestion:
    """Return the look-up of a question, for all its entities or for some.

    A practical question is not routed to a department that it only mentions: parking before an
    operation does not concern the surgeons. A question for a place is routed if it uses a synonym
    of the department or refers to the entity of the previous question.
    """
    named = meant.matches if matches is None else tuple(matches)
    wants = wants_of(meant)
    if meant.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO:
        is_where = wants == "place" and meant.topic in ("", "route")
        named = tuple(
            each
            for each in named
            if not is_implied(each)
            or (
                is_where and (meant.is_followup or (each.is_borrowed and each.by != FROM_CONDITION))
            )
        )
    return LookupQuestion(
        snapshot.vocabulary,
        named,
        wants,
        meant.topic,
        filters_of(meant, snapshot, question),
        snapshot.derived(resolver_index).is_bare_ward,
        snapshot.derived(lexicon_of),
        snapshot.profile.default_language,
    )


def lookup_in(ctx: Context, tools: Tools, matches: Sequence[Match] | None = None) -> LookupQuestion:
    """Return the look-up of a turn, with the filters of the previous question in a follow-up."""
    asked = asked_of(ctx.understanding, tools.snapshot, ctx.turn.question, matches)
    if ctx.understanding.is_followup and ctx.turn.history:
        # The filters of the previous question still apply.
        before = ctx.turn.history[-1].question
        earlier = filters_of(replace(ctx.understanding, is_followup=False), tools.snapshot, before)
        asked = replace(asked, filters=asked.filters.after(earlier))
    needs = tools.reading.needs(ctx)
    need = max(needs, key=needs.__getitem__, default="")
    return replace(asked, topic="") if need in NO_BOOKING else asked


def is_complaint(ctx: Context, tools: Tools) -> bool:
    """Return whether a question describes complaints and has no practical need."""
    if ctx.understanding.intent is not Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION:
        return False
    needs = tools.reading.needs(ctx)
    return not is_practical(max(needs, key=needs.__getitem__, default=""))


def wants_of(meant: Understanding) -> str:
    """Return the expected answer: as classified, else by topic and intent."""
    if meant.wants_list:
        return ROSTERS.get(meant.intent, "all")
    if meant.wants not in VAGUE:
        return meant.wants
    return OF_TOPIC.get(meant.topic) or OF_INTENT.get(meant.intent) or meant.wants


def filters_of(meant: Understanding, snapshot: Snapshot, question: str) -> Filters:
    """Return the filters of a question for a list of doctors."""
    language = meant.written_in
    filters = snapshot.derived(reader_of).read(without_marks(question), language)
    genders: frozenset[str] = frozenset()
    if meant.is_followup:  # otherwise the gender may be the patient's
        found = snapshot.derived(lexicon_of).concepts_in(words(question), language)
        genders = frozenset(GENDERS[each.name] for each in found if each.name in GENDERS)
    return replace(filters, genders=genders, campuses=meant.matched(Kind.CAMPUS))


def findings_of(asked: LookupQuestion, intent: Intent, today: date) -> tuple[Finding, ...]:
    """Return the findings for a look-up, most important first, without duplicates."""
    handler = HANDLERS.get(intent, find_places)
    if asked.named(Kind.DOCTOR):
        handler = find_named
    elif asked.wants == "place" and handler is find_doctors:
        handler = find_departments
    elif asked.wants == "all" and handler is find_places:
        handler = find_departments  # departments of a campus
    return tuple(dict.fromkeys(with_absences(handler(asked), today)))


def department_listed(asked: LookupQuestion, intent: Intent) -> Thing | None:
    """Return the department whose full roster is asked for, else None."""
    if asked.wants != ROSTERS.get(intent):
        return None
    named = (thing for kind in NAMING for thing in asked.named(kind))
    return next((d for thing in named for d in asked.departments_of(thing)[:1]), None)


def listed(asked: LookupQuestion, intent: Intent, today: date) -> tuple[Finding, ...]:
    """Return every doctor of the department whose roster is asked for, else the findings."""
    if department := department_listed(asked, intent):
        return tuple(with_absences(roster(asked, department), today))
    return findings_of(asked, intent, today)


def contact_of(ctx: Context, snapshot: Snapshot) -> dict[str, Any]:
    """Return the contact card of the department referred to; empty if none."""
    if ctx.reply.cached or ctx.reply.contact:
        return dict(ctx.reply.contact)
    if ctx.behaviour in WITHOUT_REFERRAL:
        return {}
    asked = asked_of(ctx.understanding, snapshot)
    routed = (*ctx.published.routed, *asked.departments)
    if ctx.was_written:
        is_practical = ctx.understanding.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO
        named = departments_in(ctx.answer, snapshot)
        routed = named if named is not None else () if is_practical else routed
    department = next(iter(routed), None)
    if department is None:
        return {}
    campuses = snapshot.vocabulary.campuses_of(department)
    numbers = (place.get("phone") for place in (department, *campuses))
    return {
        "name": department.name,
        "phone": next(filter(None, numbers), ""),
        "email": department.get("email"),
        "hours": phrases_of(snapshot).hours(asked.hours(department), ctx.understanding.language),
        "places": [{"name": campus.name, "address": address_of(campus)} for campus in campuses],
        "url": web_address(department.url),
    }


def departments_in(answer: str, snapshot: Snapshot) -> tuple[Thing, ...] | None:
    """Return the departments that a model's answer refers to, in its order.

    These are the departments whose telephone number it gives, else those that it names; empty if it
    gives only other numbers, None if it refers to nobody.
    """
    answer = _CITED.sub("", answer)  # "00 11 44 [1]" is no longer number.
    given = phones.numbers(answer, snapshot.profile.country)
    by_phone = snapshot.derived(_departments_by_phone)
    if dialled := dict.fromkeys(by_phone[number] for number in given if number in by_phone):
        return tuple(dialled)
    text, departments = spaced(answer), tuple(snapshot.vocabulary.of_kind(Kind.DEPARTMENT))
    at = {department: text.find(spaced(department.name)) for department in departments}
    named = sorted((d for d in departments if at[d] >= 0), key=at.__getitem__)
    return tuple(named) if named or given else None


def _departments_by_phone(snapshot: Snapshot) -> Mapping[str, Thing]:
    """Return departments by the telephone numbers that no other department shares."""
    owners: dict[str, list[Thing]] = {}
    for department in snapshot.vocabulary.of_kind(Kind.DEPARTMENT):
        for number in phones.numbers(department.get("phone"), snapshot.profile.country):
            owners.setdefault(number, []).append(department)
    return {number: found[0] for number, found in owners.items() if len(found) == 1}


def reader_of(snapshot: Snapshot) -> FilterReader:
    """Return a hospital's filter reader; use it through `snapshot.derived(reader_of)`."""
    languages: dict[str, list[tuple[str, str]]] = {}
    for (kind, code), text in phrases_of(snapshot).texts.items():
        if kind.startswith(LANGUAGE) and text:
            languages.setdefault(code, []).append((fold(text), kind.removeprefix(LANGUAGE)))
    except_, titles = (
        _by_language(rows_of_kind(snapshot, "chat.cue", "cues", kind=kind))
        for kind in ("except", "person_title")
    )
    return FilterReader(snapshot.derived(calendar_of), languages, except_, titles)


def _by_language(rows: Iterable[Mapping[str, Any]] | Rows) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(str(row["language"]), set()).add(fold(str(row["text"])))
    return {language: frozenset(texts) for language, texts in found.items()}
