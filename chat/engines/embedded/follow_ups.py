"""Detect follow-up questions without a model, and what they keep of the previous one.

A network over the vector detects a follow-up; its named entities replace earlier ones that answer
the same need.
"""

from __future__ import annotations

from collections.abc import Iterable

from chat.engines.embedded.wording import AND
from chat.question.networks import Follows
from chat.question.understanding import MessageReader, MessageReading
from chat.turn import Understanding
from retrieval.intents import Intent
from taxonomy.facts.phrases import day_name
from taxonomy.facts.schedules import slots
from taxonomy.language.tokens import folded
from taxonomy.resolvers import Match
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.vocabulary import Kind, Thing

#: Probability from which a message is a follow-up (table in the model card).
FOLLOWS = 0.2
#: The same after a list of doctors, for intents that visit one but name none.
HARDLY, VISITS = 0.1, frozenset({Intent.BOOKING_OR_CONTACT, Intent.DOCTOR_LOOKUP})
#: Maximum words besides names of a message that only changes the subject: "en in Genk?".
BESIDES = 2
CARE = frozenset({Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION})
PLACES = frozenset({Kind.DEPARTMENT, Kind.SPECIALTY, Kind.DOCTOR})
SUBJECTS = CARE | PLACES
#: Entity kinds that answer the same need: a new one replaces the old one.
SAME_NEED = (CARE, PLACES, frozenset({Kind.CAMPUS}))
#: Topics of a place: asked of a place mentioned before.
VISITING = "visiting"
OF_A_PLACE = frozenset({VISITING, "hours", "contact", "appointment", "route"})
#: Topics asked of any subject: after another topic they refer to it.
ASPECTS = frozenset({"billing", "hours"})
#: Ordinals that choose among offered items.
ORDINALS = {"ordinal_first": 0, "ordinal_second": 1, "ordinal_third": 2, "ordinal_last": -1}


def leans(read: MessageReading, intent: Intent, before: Understanding) -> bool:
    """Return whether a message depends on the question before it."""
    named = _kinds(read.matches)
    if (
        intent is Intent.DOCTOR_LOOKUP
        and named <= {Kind.CAMPUS}
        and not SUBJECTS.isdisjoint(_kinds(before.matches))
    ):
        return True  # Doctors of nothing in particular: "een van deze artsen".
    chance = Follows.of_file().chance(read.vector)
    if chance >= FOLLOWS or goes_on(read) or only_names(read, before):
        return True
    is_visit = intent in VISITS and before.intent is Intent.DOCTOR_LOOKUP and not read.matches
    if is_visit and chance >= HARDLY:
        return True
    kinds = _kinds(before.matches)
    is_bare = not read.matches and read.topic in OF_A_PLACE
    if read.topic == VISITING and before.intent is Intent.DOCTOR_LOOKUP:
        return False  # Nobody visits the doctors of a list.
    return is_bare and bool(kinds) and kinds <= PLACES | {Kind.CAMPUS, Kind.EXAMINATION}


def goes_on(read: MessageReading) -> bool:
    """Return whether a message begins with a conjunction: "en als ik …?"."""
    return any(use.start == 0 and any(c.name == AND for c in use.concepts) for use in read.uses)


def only_names(read: MessageReading, before: Understanding) -> bool:
    """Return whether a message only names another entity of a kind asked about, or a campus."""
    kinds, earlier = _kinds(read.matches), _kinds(before.matches)
    if unnamed(read) or not kinds or before.intent.is_blocked:
        return False
    return kinds == {Kind.CAMPUS} or any(need & kinds and need & earlier for need in SAME_NEED)


def unnamed(read: MessageReading) -> int:
    """Count the words outside names and conjunctions."""
    named = [word for match in read.matches for word in folded(match.text)]
    joining = [word for use in read.uses if use.concepts[0].name == AND
               for word in read.words[use.start : use.end]]  # fmt: skip
    return sum(word not in {*named, *joining} for word in read.words)


def changes_subject(read: MessageReading) -> bool:
    """Return whether a message asks the previous question about another entity."""
    kinds = _kinds(read.matches)
    return bool(kinds) and (kinds == {Kind.CAMPUS} or unnamed(read) <= BESIDES)


def kept_matches(read: MessageReading, before: Understanding) -> tuple[Match, ...]:
    """Return the entities of a later question, and those kept from the one before."""
    own = tuple(m for m in read.matches if m.by != FROM_CONDITION) or read.matches
    kinds = _kinds(own)
    replaced = {kind for need in SAME_NEED for kind in need if need & kinds}
    kept = tuple(match for match in before.matches if match.thing.kind not in replaced)
    return (*own, *kept)


def kept_topic(read: MessageReading, before: Understanding) -> str:
    """Return the topic, kept from the question before if it fits: costs after parking are
    parking's; after no topic they are not a bill's."""
    own, earlier = read.topic, before.topic
    if own not in ("", *ASPECTS) or earlier in ASPECTS:
        return own or earlier
    is_practical = before.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO and not read.matches
    return earlier if earlier or is_practical else own


def is_aspect_of(read: MessageReading, before: Understanding) -> bool:
    """Return whether a message asks for the price or hours of the previous subject."""
    is_practical = before.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO and not read.matches
    is_kept = kept_topic(read, before) == before.topic != read.topic
    return is_kept and (bool(before.topic) or is_practical)


def kept_terms(
    read: MessageReading, matches: Iterable[Match], before: Understanding
) -> tuple[str, ...]:
    """Return the content words of the question before, without replaced ones."""
    kept = {match.thing for match in matches}
    gone = [match for match in before.matches if match.thing not in kept]
    named = {
        word for match in gone for text in (match.text, match.thing.name) for word in folded(text)
    } - {word for term in read.terms for word in folded(term)}
    return tuple(term for term in before.terms if named.isdisjoint(folded(term)))


def chosen(read: MessageReading, before: Understanding, reader: MessageReader) -> tuple[Match, ...]:
    """Return the previous entities with the one that a message chooses, by its position in the list
    or by words that only it has; empty without a choice."""
    offered = next((match for match in before.matches if match.is_ambiguous), None)
    if offered is None or offered.thing.kind is not Kind.DOCTOR:
        return ()
    options = (offered.thing, *offered.alternatives)
    place = next((ORDINALS[name] for name in read.concepts if name in ORDINALS), None)
    left: Iterable[Thing] = () if place is None else options[place:][:1]
    called = {option: _called(option, reader, read.detected.language) for option in options}
    common = frozenset.intersection(*called.values())
    named = [each for each in options if not called[each].isdisjoint({*read.words} - common)]
    left = tuple(left) or tuple(named)
    if len(left) != 1:
        return ()
    match = Match(left[0], offered.text, "chosen")
    return tuple(match if each is offered else each for each in before.matches)


def _called(thing: Thing, reader: MessageReader, language: str) -> frozenset[str]:
    """Return the words that distinguish a doctor from namesakes, consultation days included."""
    departments = reader.index.vocabulary.departments_of(thing)
    campuses = reader.index.vocabulary.campuses_of(thing)
    texts = [thing.name, thing.get("first_name"), thing.get("specialty")]
    texts += [place.name for place in (*departments, *campuses)]
    texts += [alias.text for place in (*departments, *campuses) for alias in place.aliases]
    texts += [day_name(slot.day, language) for slot in slots(thing.get("schedule"))]
    stop = reader.lexicon.stop_words(reader.index.language)
    return frozenset(word for text in texts for word in folded(text) if word not in stop)


def _kinds(matches: Iterable[Match]) -> set[Kind]:
    return {match.thing.kind for match in matches if match.by != FROM_CONDITION}
