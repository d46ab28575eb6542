"""A question taken apart: its language, cues, names, and the words that say what it is about."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from chat.question.cues import GREETINGS, CueMatches
from chat.question.language import LanguageVerdict, detect
from chat.question.learned.message_network import read_message
from chat.question.reader import Reader
from taxonomy.kinds import Kind
from taxonomy.lexicon import FUNCTION, Use
from taxonomy.resolvers import Match, leads, resolve, telling, with_led
from taxonomy.tokens import Token, folded, normalise, tokens
from zol.text import squash

#: Below this certainty the page's language is listened for as well.
SURE = 0.7
#: Concepts that a question may be about; and letters from which an unknown word may be one.
SYMPTOM, BODY = "symptom", "body"
MEDICAL = frozenset({BODY, SYMPTOM, "condition", "specialty", "examination", "treatment"})
STRANGE_FROM = 7
#: Concepts that only a question to a hospital speaks of.
OF_A_HOSPITAL = MEDICAL | {"rights", "money", "practical"}
#: Languages that write two words as one, the letters of a half, and of what is left of the word.
JOINING, HALF, REST = frozenset({"nl", "de"}), 4, 3
#: The letter that may stand between two halves: "verblijfskosten".
LINK = "s"


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """A question, read but not yet understood."""

    text: str
    words: tuple[Token, ...]
    detected: LanguageVerdict
    said: CueMatches
    #: What its words name that tells what is asked, and all that with where the whole leads.
    named: tuple[Match, ...]
    matches: tuple[Match, ...]
    #: Content words in the hospital's language, and how many are a hospital's matters.
    translated: tuple[str, ...]
    content: tuple[str, ...]
    hospital_words: int
    #: How many are about the body and what is done for it, alone or as half of a word.
    medical_words: int
    #: How many words are a subject of their own: a disease, an examination, a word nobody knows.
    subjects: int
    #: The complaint that is told, and which part of the body has it; empty without one.
    symptom: str
    #: The names of the lexicon's concepts that are spoken of, in order.
    concepts: tuple[str, ...] = ()
    #: How likely it leads to a department as a whole, if it is led so; below 0 if surely to none.
    leads: float = 0.0


def read(question: str, page: str, reader: Reader) -> QuestionWords:
    text = normalise(question)
    detected = detect(text, page, reader.index)
    words = tokens(text)
    specialties = read_message(question).specialties
    matches = resolve(text, reader.index, detected.language)
    plain = [word.folded for word in words]
    languages = (detected.language, page) if detected.confidence < SURE else (detected.language,)
    uses = reader.lexicon.read(plain, detected.language)
    led = with_led(matches, specialties, reader.index)
    said = reader.cues.read(plain, *languages)
    quiet = [word for word in plain if word not in reader.us]
    found = reader.lexicon.translate(quiet, detected.language, reader.language)
    translated = tuple(dict.fromkeys(found))
    return QuestionWords(
        text=text,
        words=words,
        detected=detected,
        said=said,
        named=telling(matches, specialties),
        matches=led,
        leads=leads(matches, led, specialties),
        translated=translated,
        content=_content(quiet, said, reader, detected.language),
        hospital_words=sum(use.concepts[0].kind in OF_A_HOSPITAL for use in uses)
        + 2 * _joined(plain, uses, reader, detected.language, _is_of_a_hospital),
        medical_words=sum(use.concepts[0].kind in MEDICAL for use in uses)
        + _joined(plain, uses, reader, detected.language, _has_medical_half),
        subjects=_subjects(uses, words, matches, reader, detected.language),
        symptom=_complaint(uses, reader.language),
        concepts=tuple(use.concepts[0].name for use in uses),
    )


def _complaint(uses: Sequence[Use], language: str) -> str:
    """Return the first symptom that is told, and which part of the body it is in, in a language."""
    told = {
        kind: next(
            (c.canonical(language) for use in uses for c in use.concepts if c.kind == kind), ""
        )
        for kind in (SYMPTOM, BODY)
    }
    return squash(" ".join(told.values())) if told[SYMPTOM] else ""


def _joined(
    words: Sequence[str],
    uses: Sequence[Use],
    reader: Reader,
    language: str,
    counts: Callable[[str, Reader, str], bool],
) -> int:
    """Count the unknown words that are joined of others that count."""
    if language not in JOINING:
        return 0
    known = {at for use in uses for at in range(use.start, use.end)}
    unknown = (word for at, word in enumerate(words) if at not in known)
    return sum(counts(word, reader, language) for word in unknown)


def _is_of_a_hospital(word: str, reader: Reader, language: str) -> bool:
    """Tell whether both halves of a word are matters of a hospital: "kamertoeslag"."""
    cuts = range(HALF, len(word) - HALF + 1)
    return any(
        _is_of(word[:cut], OF_A_HOSPITAL, reader, language)
        and any(
            _is_of(rest, OF_A_HOSPITAL, reader, language)
            for rest in (word[cut:], word[cut:].removeprefix(LINK))
        )
        for cut in cuts
    )


def _is_of(word: str, kinds: Container[str], reader: Reader, language: str) -> bool:
    return any(concept.kind in kinds for concept in reader.lexicon.written(word, language))


def _has_medical_half(word: str, reader: Reader, language: str) -> bool:
    """Tell whether a word is joined with a medical one: "spataderlaser", "darmspoelset"."""
    cuts = range(HALF, len(word) - REST + 1)
    ends = range(REST, len(word) - HALF + 1)
    halves = (*(word[:cut] for cut in reversed(cuts)), *(word[cut:] for cut in ends))
    return any(_is_of(half, MEDICAL, reader, language) for half in halves)


def _subjects(
    uses: Sequence[Use],
    words: Sequence[Token],
    matches: Sequence[Match],
    reader: Reader,
    language: str,
) -> int:
    """Count words that name a matter: medical ones, and ones that nobody knows; the name of a
    campus is none, of which anything may be asked."""
    known = {at for use in uses for at in range(use.start, use.end)}
    places = [(m.start, m.end) for m in matches if m.thing.kind is Kind.CAMPUS]
    ordinary = reader.index.ordinary.get(language, frozenset())
    strange = sum(
        len(word.folded) >= STRANGE_FROM and word.folded not in ordinary
        for at, word in enumerate(words)
        if at not in known and not any(start <= word.start < end for start, end in places)
    )
    return strange + sum(use.concepts[0].kind in MEDICAL for use in uses)


def _content(
    words: Sequence[str], said: CueMatches, reader: Reader, language: str
) -> tuple[str, ...]:
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
