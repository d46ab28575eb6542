"""What a visitor means, without any model: examples, cues, the lexicon and the taxonomy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from chat.question import parts
from chat.question.courtesy import courtesy
from chat.question.cues import GREETINGS
from chat.question.followups import (
    BESIDES,
    FOLLOWS,
    Follows,
    carry,
    carry_told,
    choice_of,
    is_of_the_place,
    of_told,
    only_names,
)
from chat.question.language import detect
from chat.question.learned.examples import Similar
from chat.question.learned.features import Sketch
from chat.question.learned.intents import Choice, IntentSigns, choose
from chat.question.learned.needs import need_head
from chat.question.off_topic import odds_of
from chat.question.reader import Reader
from chat.question.rewrite import RewriteInput
from chat.question.words import OF_A_HOSPITAL, QuestionWords
from chat.question.words import read as taken_apart
from chat.turn import Turn, Understanding
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from retrieval.vectors import Matrix
from taxonomy.kinds import AliasKind, Kind
from taxonomy.needs import topics
from taxonomy.resolvers import Match, resolve
from taxonomy.tokens import Token, folded, join, stem

#: Earlier questions that a follow-up of a follow-up is understood from.
REMEMBERED = 5
#: What cannot be told of a question whose words nobody here understands.
UNHEARD = frozenset({Intent.OFF_TOPIC, Intent.VAGUE_INPUT})
#: Concepts that ask for all doctors where doctors are looked for; the last two only together.
LISTING, WHO_TREATS = frozenset({"which", "all", "every"}), frozenset({"who", "doctor"})
#: What has doctors, where it is named; and the resolver of what is not.
HAVE_ALL = frozenset({Kind.DEPARTMENT, Kind.SPECIALTY})
FROM_CONDITION = "department_from_condition"
#: Chance of the needs of a topic from which it is what is asked about.
LIKELY = 0.5


def understand(question: str, turn: Turn, reader: Reader) -> Understanding:
    """Return what a question means: never fails, and prefers answering over refusing."""
    read = taken_apart(question, _prior(turn, reader), reader)
    language = read.detected.language
    sketch = reader.sketcher.of_question(read.text, language, read.said, read.named)
    similar = reader.examples.compare(sketch.worded, language)
    meaning = reader.meanings.of_text(question)
    learned = reader.classifier.scores(sketch.features, meaning)
    topic = _topic(read)
    heard = _heard(read, similar, learned, topic, turn, reader)
    if reader.examples.says_the_same(sketch.worded, Intent.VAGUE_INPUT):
        heard = replace(heard, says_too_little=_is_known(read, reader))
    choice = choose(heard)
    kind = "" if choice.intent in STANDS_ALONE else courtesy(read, reader)
    choice = replace(choice, intent=Intent.VAGUE_INPUT) if kind else choice
    if read.detected.is_foreign and choice.intent in UNHEARD:
        choice = replace(choice, intent=Intent.UNKNOWN)
    found = Understanding(
        intent=choice.intent,
        confidence=choice.confidence,
        language=read.detected.language,
        detected=read.detected.written,
        topic=topic,
        terms=read.translated,
        matches=read.matches,
        concepts=read.concepts,
        wants_list=_wants_list(choice.intent, read),
        parts=_parts(read, reader),
        greeting=kind or _greeting(read, choice),
        evidence=_evidence(read, similar, choice)
        | {"reasons": _reasons(reader, sketch, choice.intent, meaning)},
    )
    found = _completed(found, read, turn, reader)
    found = replace(found, query=_query(found, read, reader))
    if question == turn.question:
        reader.recent.keep(turn, reader.headings, found)
    return found


def _prior(turn: Turn, reader: Reader) -> str:
    """Return the language that is expected: of the page, or of the question before."""
    if not turn.history:
        return turn.language
    return detect(turn.history[-1].question, turn.language, reader.index).language


def _heard(
    read: QuestionWords,
    similar: Similar,
    learned: Mapping[Intent, float],
    topic: str,
    turn: Turn,
    reader: Reader,
) -> IntentSigns:
    marked = {
        at for cue in read.said.of("other_hospital_marker") for at in range(cue.start, cue.end)
    }
    return IntentSigns(
        said=read.said,
        similar=similar,
        learned=learned,
        everyday=odds_of(get_hearer().heard(read.text)),
        matches=tuple(m for m in read.matches if not _is_within(m, read.words, marked)),
        advice=reader.advice.check(read.text),
        is_elsewhere=reader.elsewhere.check(read.text),
        content=read.content,
        hospital_words=read.hospital_words,
        topic=topic,
        medical_words=read.medical_words,
        size=len(read.words),
        is_titled=_is_titled(read, reader),
        has_history=bool(turn.history),
        tells_complaint=bool(read.symptom),
        leads=read.leads,
        names_profession=any(
            _is_profession(m, reader, read.detected.language) for m in read.matches
        ),
    )


def _is_titled(read: QuestionWords, reader: Reader) -> bool:
    """Tell whether a title or heading has the words that say something, or is read out in full."""
    if not read.content:
        return False
    spoken = [word.folded for word in read.words]
    return reader.headings.speak_of(read.content) or reader.headings.speak_of(spoken)


def _is_known(read: QuestionWords, reader: Reader) -> bool:
    """Tell whether every word that says something is a concept of the lexicon."""
    words = [word.folded for word in read.words]
    uses = reader.lexicon.read(words, read.detected.language)
    known = {word for use in uses for word in words[use.start : use.end]}
    return known.issuperset(read.content)


def _is_profession(match: Match, reader: Reader, language: str) -> bool:
    """Tell whether words name a department by who works there: "huidarts", "cardiologen"."""
    words = folded(match.text)
    if not words:
        return False
    entries = list(reader.index.exact.get(join(words), ()))
    for code in (language, reader.language):
        stemmed = join(words[:-1]) + stem(words[-1], code)
        entries += reader.index.stems.get(code, {}).get(stemmed, ())
    return any(entry.kind is AliasKind.PROFESSION for entry in entries)


def _is_within(match: Match, words: Sequence[Token], marked: set[int]) -> bool:
    """Tell whether a match is part of another hospital's name: "Sint-Jan" in "AZ Sint-Jan"."""
    return any(words[at].start <= match.start < words[at].end for at in marked)


def _greeting(read: QuestionWords, choice: Choice) -> str:
    if choice.intent is not Intent.VAGUE_INPUT:
        return ""
    greetings = sorted(read.said.of(*GREETINGS), key=lambda cue: cue.weight)
    return greetings[-1].kind if greetings else ""


def _wants_list(intent: Intent, read: QuestionWords) -> bool:
    """Tell whether all doctors of a named department are asked for, and no care is named."""
    named = {m.thing.kind for m in read.matches if m.by != FROM_CONDITION}
    is_of_all = bool(named & HAVE_ALL) and named <= HAVE_ALL | {Kind.CAMPUS}
    if intent is not Intent.DOCTOR_LOOKUP or not is_of_all:
        return False
    return not LISTING.isdisjoint(read.concepts) or WHO_TREATS.issubset(read.concepts)


def _parts(read: QuestionWords, reader: Reader) -> tuple[str, ...]:
    def says_something(piece: str) -> bool:
        spoken, language = folded(piece), read.detected.language
        uses = reader.lexicon.read(spoken, language)
        if any(use.concepts[0].kind in OF_A_HOSPITAL for use in uses):
            return True
        names = resolve(piece, reader.index, language)
        return bool(names)

    def concepts(piece: str) -> list[set[str]]:
        spoken, language = folded(piece), read.detected.language
        meant: list[set[str]] = [set() for _ in spoken]
        for use in reader.lexicon.read(spoken, language):
            for at in range(use.start, use.end):
                # A word within an expression still asks: "combien coûte" is a cost, and "combien".
                alone = reader.lexicon.read(spoken[at : at + 1], language)
                meant[at] = {c.name for found in (use, *alone) for c in found.concepts}
        return meant

    return parts.split(read.text, read.words, parts.Tests(says_something, concepts))


def _completed(
    found: Understanding, read: QuestionWords, turn: Turn, reader: Reader
) -> Understanding:
    """Complete a follow-up with what the question before it was about."""
    if not turn.history or found.intent in STANDS_ALONE or found.greeting:
        return found
    before = cache(partial(_before, turn, reader))
    told = of_told(read.said, found.matches, before)
    leans = Follows.of_file().chance(get_hearer().heard(read.text)) >= FOLLOWS
    unnamed = _unnamed(read, reader)
    if (leans or unnamed <= BESIDES) and (choice := choice_of(read, before(), reader)):
        return replace(found, is_followup=True, parts=(), **choice)
    follows = (
        bool(told)
        or leans
        or is_of_the_place(found, read.subjects, before)
        or only_names(found, before, unnamed)
    )
    if not follows:
        return found
    earlier = before()
    own = len(read.words), read.said
    carried = carry_told(earlier, found) if told else carry(earlier, found, *own)
    return replace(
        found,
        is_followup=True,
        of_told=told,
        intent=carried.intent,
        matches=carried.matches,
        topic=carried.topic,
        terms=(*found.terms, *(term for term in earlier.terms if term not in found.terms)),
        parts=(),
        wants_list=found.wants_list or (earlier.wants_list and carried.intent is earlier.intent),
        evidence={**found.evidence, "follows": earlier.query},
    )


def _before(turn: Turn, reader: Reader) -> Understanding:
    """Return how the question before this one was understood, from those before it."""
    earlier = turn.history[-REMEMBERED:]
    last = replace(turn, question=earlier[-1].question, history=earlier[:-1])
    return reader.recent.of(last, reader.headings, lambda: understand(last.question, last, reader))


def _unnamed(read: QuestionWords, reader: Reader) -> int:
    """Count the words that are no part of a name: "wat is diabetes?" asks, "en diabetes?" not."""
    spoken = [word.folded for word in read.words]
    uses = reader.lexicon.read(spoken, read.detected.language)
    joins = {use.start for use in uses if use.concepts[0].name == parts.AND}
    return sum(
        at not in joins and not any(match.start <= word.start < match.end for match in read.matches)
        for at, word in enumerate(read.words)
    )


#: Refusals that no earlier question turns into something else.
STANDS_ALONE = frozenset({Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, Intent.OTHER_HOSPITAL})


def _query(found: Understanding, read: QuestionWords, reader: Reader) -> str:
    known = RewriteInput(found.intent, found.matches, found.topic, found.terms, read.symptom)
    return reader.rewriter.rewrite(known, otherwise=read.text)


def _topic(read: QuestionWords) -> str:
    """Return the topic of the likeliest needs; nothing where none is likely."""
    vector = get_hearer().heard(read.text)
    chances: defaultdict[str, float] = defaultdict(float)
    for need, chance in need_head().probabilities(vector, read.concepts).items():
        if topic := topics().get(need):
            chances[topic] += chance
    best = max(chances, key=chances.__getitem__, default="")
    return best if chances[best] >= LIKELY else ""


def _reasons(
    reader: Reader, sketch: Sketch, intent: Intent, meaning: Matrix
) -> list[tuple[str, float]]:
    """Return what in the question spoke most for an intent, as learned from the examples."""
    reasons = reader.classifier.reasons(sketch.features, intent, meaning)
    return [(reason.feature, reason.weight) for reason in reasons]


def _evidence(read: QuestionWords, similar: Similar, choice: Choice) -> dict[str, Any]:
    """Say why, for staff."""
    return {
        "examples": [(e.text, str(e.intent), e.language, score) for e, score in similar.nearest],
        "cues": [(cue.kind, cue.target, cue.text, cue.weight) for cue in read.said.cues],
        "resolvers": [(match.by, match.text, match.thing.name) for match in read.matches],
        "scores": dict(choice.scores),
        "everyday": list(choice.signs.items()),
        "language_confidence": round(read.detected.confidence, 3),
    }
