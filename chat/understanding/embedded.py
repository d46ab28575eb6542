"""What a visitor means, without any model: examples, cues, the lexicon and the taxonomy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chat.turn import Turn, Understanding
from chat.understanding import parts
from chat.understanding.cues import (
    GREETINGS,
    INTENT,
    LIST,
    OFFTOPIC,
    TOPIC,
    Said,
)
from chat.understanding.examples import Similar
from chat.understanding.features import Sketch
from chat.understanding.followups import (
    carry,
    is_followup,
    is_of_the_place,
    names_no_subject,
)
from chat.understanding.intents import Choice, Heard, choose
from chat.understanding.language import Detected, detect
from chat.understanding.reader import Reader
from chat.understanding.rewrite import Known
from retrieval.intents import Intent
from taxonomy.kinds import AliasKind
from taxonomy.lexicon import FUNCTION, Use
from taxonomy.resolvers import Match, resolve
from taxonomy.tokens import Token, folded, join, normalise, stem, tokens

#: Below this certainty the page's language is listened for as well.
SURE = 0.7
#: Words up to which a question hardly shows its language.
BRIEF = 5
#: A topic or list cue lighter than this does not stand out.
CLEAR = 2.0
#: Earlier questions that a follow-up of a follow-up is understood from.
REMEMBERED = 5
#: Concepts that only a question to a hospital speaks of.
OF_A_HOSPITAL = frozenset(
    {
        "body",
        "symptom",
        "condition",
        "specialty",
        "examination",
        "treatment",
        "rights",
        "money",
        "practical",
    }
)
#: Concepts that a question may be about; and letters from which an unknown word may be one.
MEDICAL = frozenset({"body", "symptom", "condition", "specialty", "examination", "treatment"})
STRANGE_FROM = 7
#: Cues of these tell something rather than ask it.
TELLING = frozenset({str(Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION), str(Intent.VAGUE_INPUT)})
#: Where two topics weigh the same, the thing itself comes before what it costs.
MONEY = "billing"


@dataclass(frozen=True, slots=True)
class _Read:
    """A question, read but not yet understood."""

    text: str
    words: tuple[Token, ...]
    detected: Detected
    said: Said
    matches: tuple[Match, ...]
    #: Content words in the hospital's language, and how many are a hospital's matters.
    translated: tuple[str, ...]
    content: tuple[str, ...]
    hospital_words: int
    #: How many words are a subject of their own: a disease, an examination, a word nobody knows.
    subjects: int
    symptom: str

    @property
    def topics(self) -> dict[str, float]:
        weights = self.said.weights(TOPIC)
        return {topic: weight for topic, weight in weights.items() if weight >= CLEAR}


def understand(question: str, turn: Turn, reader: Reader) -> Understanding:
    """Return what a question means: never fails, and prefers answering over refusing."""
    read = _read(question, _prior(question, turn, reader), reader)
    language = read.detected.language
    sketch = reader.sketcher.of_question(read.text, language, read.said, read.matches)
    similar = reader.examples.compare(sketch.worded, language)
    learned = reader.classifier.scores(sketch.features)
    choice = choose(_heard(read, similar, learned, turn, reader))
    topic = _strongest(read.topics)
    found = Understanding(
        intent=choice.intent,
        confidence=choice.confidence,
        language=read.detected.language,
        detected=read.detected.written,
        topic=topic,
        terms=read.translated,
        matches=read.matches,
        wants_list=read.said.weight(LIST) >= CLEAR,
        parts=_parts(read, reader),
        greeting=_greeting(read, choice),
        evidence=_evidence(read, similar, choice)
        | {"reasons": _reasons(reader, sketch, choice.intent)},
    )
    found = _completed(found, read, turn, reader)
    return replace(found, query=_query(found, read, reader))


def _prior(question: str, turn: Turn, reader: Reader) -> str:
    """Return the language that is expected: of the question before, for a short one after it."""
    if not turn.history or len(folded(question)) > BRIEF:
        return turn.language
    return detect(turn.history[-1].question, turn.language, reader.index).language


def _read(question: str, page: str, reader: Reader) -> _Read:
    text = normalise(question)
    detected = detect(text, page, reader.index)
    words = tokens(text)
    plain = [word.folded for word in words]
    languages = (detected.language, page) if detected.confidence < SURE else (detected.language,)
    uses = reader.lexicon.read(plain, detected.language)
    said = reader.cues.read(plain, *languages, page=page)
    quiet = [word for word in plain if word not in reader.us]
    translated = reader.lexicon.translate(quiet, detected.language, reader.language)
    if detected.language != reader.language:
        said = _with_topics_of(said, translated, reader)
    return _Read(
        text=text,
        words=words,
        detected=detected,
        said=said,
        matches=resolve(text, reader.index, detected.language),
        translated=translated,
        content=_content(quiet, said, reader, detected.language),
        hospital_words=sum(
            use.concepts[0].kind in OF_A_HOSPITAL and not said.covers(use.start, use.end, OFFTOPIC)
            for use in uses
        ),
        subjects=_subjects(uses, words, said, reader, detected.language),
        symptom=next(
            (
                c.canonical(reader.language)
                for use in uses
                for c in use.concepts
                if c.kind == "symptom"
            ),
            "",
        ),
    )


def _subjects(
    uses: Sequence[Use], words: Sequence[Token], said: Said, reader: Reader, language: str
) -> int:
    """Count words that name a matter: medical ones, and ones that nobody knows."""
    known = {at for use in uses for at in range(use.start, use.end)}
    ordinary = reader.index.ordinary.get(language, frozenset())
    strange = sum(
        len(word.folded) >= STRANGE_FROM and word.folded not in ordinary
        for at, word in enumerate(words)
        if at not in known
    )
    return strange + sum(
        use.concepts[0].kind in MEDICAL
        and all(cue.end <= use.start or use.end <= cue.start for cue in said.of(TOPIC))
        for use in uses
    )


def _with_topics_of(said: Said, translated: Sequence[str], reader: Reader) -> Said:
    """Add the topics that a question's translated words give away and its own did not."""
    words = [part for word in translated for part in folded(word)]
    known = {cue.target for cue in said.of(TOPIC)}
    found = reader.cues.read(words, reader.language).of(TOPIC)
    return Said((*said.cues, *(cue for cue in found if cue.target not in known)))


def _content(words: Sequence[str], said: Said, reader: Reader, language: str) -> tuple[str, ...]:
    """Return the words that say something: neither stop words nor greetings."""
    greeted = {word for cue in said.of(*GREETINGS) for word in folded(cue.text)}
    uses = reader.lexicon.read(words, language)
    idle = {
        at for use in uses if use.concepts[0].kind == FUNCTION for at in range(use.start, use.end)
    }
    return tuple(
        word
        for at, word in enumerate(words)
        if at not in idle and word not in greeted and len(word) > 1
    )


def _heard(
    read: _Read, similar: Similar, learned: Mapping[Intent, float], turn: Turn, reader: Reader
) -> Heard:
    marked = {
        at for cue in read.said.of("other_hospital_marker") for at in range(cue.start, cue.end)
    }
    names = [word.folded for word in read.words]
    return Heard(
        said=read.said,
        similar=similar,
        learned=learned,
        matches=tuple(m for m in read.matches if not _is_within(m, read.words, marked)),
        advice=reader.advice.check(read.text),
        is_elsewhere=reader.elsewhere.check(read.text),
        content=read.content,
        hospital_words=read.hospital_words,
        size=len(read.words),
        names_us=any(word in reader.us for at, word in enumerate(names) if at not in marked),
        has_history=bool(turn.history),
        tells_complaint=bool(read.symptom),
        names_profession=any(
            _is_profession(m, reader, read.detected.language) for m in read.matches
        ),
        wants_list=read.said.weight(LIST) >= CLEAR,
    )


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


def _greeting(read: _Read, choice: Choice) -> str:
    if choice.intent is not Intent.VAGUE_INPUT:
        return ""
    greetings = sorted(read.said.of(*GREETINGS), key=lambda cue: cue.weight)
    return greetings[-1].kind if greetings else ""


def _parts(read: _Read, reader: Reader) -> tuple[str, ...]:
    def says_something(piece: str) -> bool:
        said = reader.cues.read(folded(piece), read.detected.language)
        asks = [cue for cue in said.of(TOPIC, INTENT) if cue.target not in TELLING]
        if any(cue.weight >= CLEAR for cue in asks):
            return True
        return bool(resolve(piece, reader.index, read.detected.language))

    def concepts(piece: str) -> list[set[str]]:
        spoken = folded(piece)
        meant: list[set[str]] = [set() for _ in spoken]
        for use in reader.lexicon.read(spoken, read.detected.language):
            for at in range(use.start, use.end):
                meant[at] = {concept.name for concept in use.concepts}
        return meant

    return parts.split(read.text, read.words, read.said, parts.Tests(says_something, concepts))


def _completed(found: Understanding, read: _Read, turn: Turn, reader: Reader) -> Understanding:
    """Complete a follow-up with what the question before it was about."""
    plain = [word.folded for word in read.words]
    stays = found.intent in STANDS_ALONE or found.greeting
    opens = reader.cues.opens_followup(plain[0] if plain else "", read.detected.language)
    if not turn.history or stays:
        return found
    earlier = turn.history[-REMEMBERED:]
    last = replace(turn, question=earlier[-1].question, history=earlier[:-1])
    before = understand(last.question, last, reader)
    follows = (
        is_followup(plain, read.said, found.matches, read.subjects, opens=opens)
        or names_no_subject(found, read.subjects)
        or is_of_the_place(found, read.subjects, before)
    )
    if not follows:
        return found
    carried = carry(before, found, plain, read.said, read.topics)
    return replace(
        found,
        is_followup=True,
        intent=carried.intent,
        matches=carried.matches,
        topic=carried.topic,
        terms=(*found.terms, *(term for term in before.terms if term not in found.terms)),
        parts=(),
        wants_list=found.wants_list or (before.wants_list and carried.intent is before.intent),
        evidence={**found.evidence, "follows": before.query},
    )


#: Refusals that no earlier question turns into something else.
STANDS_ALONE = frozenset({Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, Intent.OTHER_HOSPITAL})


def _query(found: Understanding, read: _Read, reader: Reader) -> str:
    topics = {**read.topics, found.topic: CLEAR} if found.topic else read.topics
    known = Known(found.intent, found.matches, found.topic, topics, found.terms, read.symptom)
    return reader.rewriter.rewrite(known, otherwise=read.text)


def _strongest(topics: dict[str, float]) -> str:
    return max(topics, key=lambda topic: (topics[topic], topic != MONEY), default="")


def _reasons(reader: Reader, sketch: Sketch, intent: Intent) -> list[tuple[str, float]]:
    """Return what in the question spoke most for an intent, as learned from the examples."""
    return [(r.feature, r.weight) for r in reader.classifier.reasons(sketch.features, intent)]


def _evidence(read: _Read, similar: Similar, choice: Choice) -> dict[str, Any]:
    """Say why, for staff."""
    return {
        "examples": [(e.text, str(e.intent), e.language, score) for e, score in similar.nearest],
        "cues": [(cue.kind, cue.target, cue.text, cue.weight) for cue in read.said.cues],
        "resolvers": [(match.by, match.text, match.thing.name) for match in read.matches],
        "scores": dict(choice.scores),
        "language_confidence": round(read.detected.confidence, 3),
    }
