"""Detect courtesy that asks nothing, and several questions in one message.

Courtesy phrases are rows (cues); question words and conjunctions are concepts of the lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chat.question.classification import MOST_PARTS, MessageKind
from chat.question.understanding import MessageReader, MessageReading
from chat.safety.phrases import PhraseBook
from taxonomy.language.lexicon import FUNCTION
from taxonomy.language.tokens import folded, tokens
from taxonomy.publishing.snapshot import SharedValue, Snapshot
from taxonomy.resolvers import resolve

ROWS = "chat.cue"
#: Cue kinds of courtesy with the message kind each gives; the first match wins.
COURTESY: Mapping[str, MessageKind] = {
    "person": "person_wanted", "identity": "identity", "thanks": "thanks", "goodbye": "goodbye",
    "greeting": "greeting",
}  # fmt: skip
#: Words allowed beside courtesy, such as what or whom the thanks are for.
FEW = 2
#: Concepts of questions, of contact and of joining.
ASKING = frozenset(
    {
        "what", "who", "whose", "where", "when", "what_time", "how", "how_much", "how_long",
        "how_often", "why", "which",
    }
)  # fmt: skip
REQUESTS = frozenset({"can", "may", "must", "want", "search", "necessary"})
REACHING = frozenset({"call", "contact", "phone_number", "language_word", "staff", "someone"})
#: Concepts that join thanks to a reason, and two questions.
FOR, AND = "for", "and"
#: Distance in words from a conjunction to the second question word.
NEAR = 3
SYMPTOM = "symptom"
#: Concept kinds unrelated to hospital matters.
IDLE = frozenset({FUNCTION, "person", "everyday", "time"})
#: The last is the Greek question mark.
_QUESTION = re.compile(r"\?|\u037e|(?<=[\u0370-\u03ff]);\s*$")
_ENDED = re.compile(r"[?;\u037e]+\s+|\n+")


def courtesy_of(read: MessageReading, snapshot: Snapshot) -> MessageKind | None:
    """Return the courtesy kind of a message that asks nothing."""
    found = list(snapshot.derived(courtesy_book_of)(read.detected.language, read.words))
    if not found:
        return None
    kind = next(kind for kind in COURTESY if any(kind == each for each, _ in found))
    taken = {at for _, places in found for at in places}
    is_wish = kind in ("person", "identity")
    if not is_wish and kind != "greeting" and _QUESTION.search(read.text):
        return None
    said = {at: use.concepts for use in read.uses for at in range(use.start, use.end)}
    rest = [at for at in range(len(read.words)) if at not in taken]
    named = {c.name for at in rest for c in said.get(at, ())}
    if not is_wish and not named.isdisjoint(ASKING | REQUESTS):
        return None
    telling = [
        at for at in rest
        if not any(c.kind in IDLE or (is_wish and c.name in REACHING) for c in said.get(at, ()))
    ]  # fmt: skip
    if kind == "thanks" and FOR in named:
        tells = any(c.kind == SYMPTOM for at in rest for c in said.get(at, ()))
        return None if tells else COURTESY[kind]
    known = [at for at in telling if at in said]
    is_all = not known and len(telling) <= FEW if kind != "greeting" else not telling
    return COURTESY[kind] if is_all and not any(m.start < m.end for m in read.matches) else None


def courtesy_book_of(snapshot: Snapshot) -> Any:
    """Return the finder of courtesy phrases: kinds with word positions."""
    return _books.of(snapshot.rows_of(ROWS))


def _book(rows: Iterable[Mapping[str, Any]]) -> Any:
    phrases: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        if row["kind"] in COURTESY:
            phrases.setdefault(str(row["language"]), []).append((str(row["text"]), row["kind"]))
    books = {language: PhraseBook(each) for language, each in phrases.items()}

    def find(language: str, words: Sequence[str]) -> Iterable[tuple[str, range]]:
        book = books.get(language)
        return [(m.meaning, range(m.start, m.end)) for m in book.find(words)] if book else []

    return find


_books: SharedValue[Any, Any] = SharedValue(_book)


def parts_of(read: MessageReading, reader: MessageReader) -> tuple[str, ...]:
    """Return the questions of a message that asks several; empty if it asks one.

    Splits at question marks, and at a conjunction between two question words. Each part must ask,
    and name an entity or a hospital matter; otherwise the message is not split.
    """
    language, spoken = read.detected.language, tokens(read.text)
    asks = [_asks(word, language, reader) for word in read.words]
    cuts = [(found.start(), found.end()) for found in _ENDED.finditer(read.text)]
    for use in read.uses:
        is_joint = any(concept.name == AND for concept in use.concepts)
        if is_joint and any(asks[: use.start]) and any(asks[use.end : use.end + NEAR]):
            cuts.append((spoken[use.start].start, spoken[use.end - 1].end))
    pieces, start = [], 0
    for end, resume in sorted(cuts):
        pieces.append(read.text[start : end + (read.text[end : end + 1] == "?")].strip(" ,:-–\n"))
        start = resume
    pieces = [piece for piece in (*pieces, read.text[start:].strip(" ,:-–\n")) if piece]
    is_split = len(pieces) > 1 and all(_stands_alone(piece, read, reader) for piece in pieces)
    return tuple(pieces[:MOST_PARTS]) if is_split else ()


def _asks(word: str, language: str, reader: MessageReader) -> bool:
    """Return whether a word is a question word, also in an expression: "bij wie kan ik terecht"."""
    uses = reader.lexicon.read((word,), language)
    return any(concept.name in ASKING for use in uses for concept in use.concepts)


def _stands_alone(piece: str, read: MessageReading, reader: MessageReader) -> bool:
    """Return whether a piece is a complete question."""
    language = read.detected.language
    uses = reader.lexicon.read(folded(piece), language)
    is_asked = piece.endswith(("?", ";")) or any(
        _asks(word, language, reader) for word in folded(piece)
    )
    tells = any(use.concepts[0].kind not in IDLE for use in uses)
    return is_asked and (tells or bool(resolve(piece, reader.index, language)))
