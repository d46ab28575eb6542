"""Detect courtesy messages, several questions in one message, and follow-up questions.

Courtesy phrases are rows (cues); question words and conjunctions are concepts of the lexicon. A
network detects a follow-up by its embedding. A follow-up takes the entities and topic of the
question before, except entities of a kind that it names itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from chat.question.classification import MOST_PARTS
from chat.question.networks import Follows
from chat.question.understanding import MessageReader, MessageReading
from chat.safety.phrases import PhraseBook
from chat.turn import Understanding
from retrieval.intents import Intent
from taxonomy.facts.phrases import day_name
from taxonomy.facts.schedules import slots
from taxonomy.language.lexicon import FUNCTION
from taxonomy.language.tokens import folded, tokens
from taxonomy.resolvers import Match, resolve
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.snapshot import SharedValue, Snapshot
from taxonomy.vocabulary import Kind, Thing

ROWS = "chat.cue"
#: Cue kinds of courtesy; the first match wins.
COURTESY = ("person", "identity", "thanks", "goodbye", "greeting")
#: Unknown words allowed beside courtesy, such as a name.
FEW = 2
#: Concepts of question words.
ASKING = frozenset(
    {
        "what", "who", "whose", "where", "when", "what_time", "how", "how_much", "how_long",
        "how_often", "why", "which",
    }
)  # fmt: skip
#: Concepts of contact, which may accompany the wish to speak to a person.
REACHING = frozenset({"call", "contact", "phone_number", "language_word", "staff", "someone"})
#: Concepts that connect thanks and its reason, and two questions; the concept kind of symptoms.
FOR, AND, SYMPTOM = "for", "and", "symptom"
#: Distance in words from a conjunction to the second question word.
NEAR = 3
#: Concept kinds unrelated to hospital matters.
IDLE = frozenset({FUNCTION, "person", "everyday", "time"})
#: Probability from which a message is a follow-up (table in the model card).
FOLLOWS = 0.2
#: Maximum words besides names of a message that only changes the subject: "en in Genk?".
BESIDES = 2
CARE = frozenset({Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION})
PLACES = frozenset({Kind.DEPARTMENT, Kind.SPECIALTY, Kind.DOCTOR})
#: Entity kinds that answer the same need: a new one replaces the old one.
SAME_NEED = (CARE, PLACES, frozenset({Kind.CAMPUS}))
#: Topics that apply to any subject, such as the costs of parking.
ASPECTS = frozenset({"billing", "hours"})
#: Ordinals that choose among offered items.
ORDINALS = {"ordinal_first": 0, "ordinal_second": 1, "ordinal_third": 2, "ordinal_last": -1}
#: Question marks; the last alternative is the Greek one.
_QUESTION = re.compile(r"\?|\u037e|(?<=[\u0370-\u03ff]);\s*$")
_ENDED = re.compile(r"[?;\u037e]+\s+|\n+")


def courtesy_of(read: MessageReading, snapshot: Snapshot) -> str:
    """Return the courtesy kind of a message that asks nothing; empty for other messages."""
    phrases = snapshot.derived(courtesy_book_of).find(read.words)
    found = [each for each in phrases if each.meaning[0] == read.detected.language]
    if not found or any(match.start < match.end for match in read.matches):
        return ""
    kind = min((each.meaning[1] for each in found), key=COURTESY.index)
    taken = {at for each in found for at in range(each.start, each.end)}
    rest = [use for use in read.uses if taken.isdisjoint(range(use.start, use.end))]
    concepts = {concept for use in rest for concept in use.concepts}
    is_wish = kind in ("person", "identity")
    if not is_wish and any(concept.name in ASKING for concept in concepts):
        return ""
    if kind in ("thanks", "goodbye") and _QUESTION.search(read.text):
        return ""
    # Thanks may name their reason: "merci pour l'explication".
    is_for = kind == "thanks" and any(concept.name == FOR for concept in concepts)
    reached = REACHING if is_wish else frozenset[str]()
    kinds = {
        use.concepts[0].kind for use in rest if reached.isdisjoint(c.name for c in use.concepts)
    }
    has_subject = SYMPTOM in kinds if is_for else not kinds <= IDLE
    known = taken.union(*(range(use.start, use.end) for use in rest))
    return kind if not has_subject and len(read.words) - len(known) <= FEW else ""


def courtesy_book_of(snapshot: Snapshot) -> PhraseBook[tuple[str, str]]:
    """Return a version's courtesy phrases, with their languages and kinds."""
    return _courtesy.of(snapshot.rows_of(ROWS))


_courtesy = SharedValue[Any, PhraseBook[tuple[str, str]]](
    lambda rows: PhraseBook(
        (str(row["text"]), (str(row["language"]), str(row["kind"])))
        for row in rows
        if row["kind"] in COURTESY
    )
)


def parts_of(read: MessageReading, reader: MessageReader) -> tuple[str, ...]:
    """Return the questions of a message that asks several; empty if it asks one.

    Splits at question marks, and at a conjunction between two question words. Each part must ask,
    and name an entity or a hospital matter; otherwise the message is not split.
    """
    language, words = read.detected.language, tokens(read.text)
    asks = [_asks(word, language, reader) for word in read.words]
    cuts = [(found.start(), found.end()) for found in _ENDED.finditer(read.text)]
    for use in read.uses:
        is_joint = any(concept.name == AND for concept in use.concepts)
        if is_joint and any(asks[: use.start]) and any(asks[use.end : use.end + NEAR]):
            cuts.append((words[use.start].start, words[use.end - 1].end))
    pieces, start = [], 0
    for end, resume in sorted(cuts):
        pieces.append(read.text[start : end + (read.text[end : end + 1] == "?")].strip(" ,:-–\n"))
        start = resume
    pieces = [piece for piece in (*pieces, read.text[start:].strip(" ,:-–\n")) if piece]
    is_split = len(pieces) > 1 and all(_stands_alone(piece, read, reader) for piece in pieces)
    return tuple(pieces[:MOST_PARTS]) if is_split else ()


def _asks(word: str, language: str, reader: MessageReader) -> bool:
    """Return whether a word is a question word."""
    uses = reader.lexicon.read((word,), language)
    return any(concept.name in ASKING for use in uses for concept in use.concepts)


def _stands_alone(piece: str, read: MessageReading, reader: MessageReader) -> bool:
    """Return whether a piece is a complete question."""
    language = read.detected.language
    uses = reader.lexicon.read(folded(piece), language)
    is_asked = piece.endswith(("?", ";")) or any(
        _asks(word, language, reader) for word in folded(piece)
    )
    has_subject = any(use.concepts[0].kind not in IDLE for use in uses)
    return is_asked and (has_subject or bool(resolve(piece, reader.index, language)))


def is_followup(read: MessageReading, intent: Intent, before: Understanding) -> bool:
    """Return whether a message depends on the question before it."""
    is_known = not (CARE | PLACES).isdisjoint(_kinds(before.matches))
    if intent is Intent.DOCTOR_LOOKUP and is_known and _kinds(read.matches) <= {Kind.CAMPUS}:
        return True  # Doctors without a department or illness: "een van deze artsen".
    is_likely = Follows.of_file().chance(read.vector) >= FOLLOWS
    return is_likely or begins_with_and(read) or only_names(read, before)


def begins_with_and(read: MessageReading) -> bool:
    """Return whether a message begins with "and": "en als ik …?"."""
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
    """Return the entities of a follow-up, and those that it takes from the question before."""
    own = tuple(m for m in read.matches if m.by != FROM_CONDITION) or read.matches
    kinds = _kinds(own)
    replaced = {kind for need in SAME_NEED for kind in need if need & kinds}
    kept = tuple(match for match in before.matches if match.thing.kind not in replaced)
    return (*own, *kept)


def kept_topic(read: MessageReading, before: Understanding) -> str:
    """Return the topic of a follow-up, that of the question before if it fits: "and the costs?"
    after a question about parking is about parking, not about a bill."""
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
    """Return the content words of the question before, without the names of replaced entities."""
    kept = {match.thing for match in matches}
    gone = [match for match in before.matches if match.thing not in kept]
    named = {
        word for match in gone for text in (match.text, match.thing.name) for word in folded(text)
    } - {word for term in read.terms for word in folded(term)}
    return tuple(term for term in before.terms if named.isdisjoint(folded(term)))


def chosen(read: MessageReading, before: Understanding, reader: MessageReader) -> tuple[Match, ...]:
    """Return the previous entities, with the one of several namesakes that a message chooses.

    It is chosen by its position in the list or by words that only it has; empty without a choice.
    """
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
