"""Words of an emergency that is happening now: the first thing that is looked at in a question.

Deterministic, from rows that a clinician owns: whole phrases ("ik wil niet meer leven"), and rules
that combine slots ("{chest} {pain}", see `chat.safety.slots`), both also as people in a fright
spell them (`chat.safety.phrases`). Three sorts of words speak against
it: what denies ("geen", "kein"), what is about another time or a story ("vorig jaar", "in de
film"), and what only asks for information ("wat is een", "bezoekuren"); the last gives way to words
that say it is happening ("nu", "plots"). Words within an expression that means something else
("face to face", "swallowed my ticket") say nothing of a body. In doubt it is an emergency. Who
also asks for what pages tell ("euthanasie") is answered after the help line, unless it is
happening now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from chat.safety.phrases import Spellings, sentences
from chat.safety.rows import Emergency, whole_rows_of
from chat.safety.slots import Rules, SlotBook, SlotMatch, Text, counts, holding, read, rule
from taxonomy.snapshot import SharedValue, Snapshot
from taxonomy.tokens import folded

ROWS, FILE = "chat.redflagphrase", "red_flags"
#: A row of this kind holds for every emergency; those with words of their own aside.
ANY = "any"
#: Emergencies that only their own words of information speak against.
APART = frozenset({Emergency.SUICIDE})
#: Roles whose rows are also heard as they are written in a hurry.
HEARD = frozenset({"trigger", "slot", "denial"})
#: Denials stand before or after what they deny.
BEFORE, AFTER = "before", "after"
#: Earlier questions that are read together with this one.
REMEMBERED = 3
#: Words of this kind ask the way. They speak against a name alone ("which floor is the stroke
#: unit") and against what is told in the same breath, but against no one whose mouth hangs.
WAY, NAMING = "way", 2
#: What fills this slot happens to somebody ("is unconscious"): it names no place, however short.
EVENT = "event"
#: Parts of a sign that still are one where an expression explains the others away.
ENOUGH = 2
#: Words that may stand between a denial and what it denies.
NEAR = 1


@dataclass(frozen=True, slots=True)
class RedFlag:
    """An emergency, and what gave it away; false when there is none."""

    kind: str = ""
    phrase: str = ""
    #: Whether an earlier question said so, and this one does not.
    is_earlier: bool = False
    #: Whether it also asks for what the hospital's pages tell.
    asks: bool = False

    def __bool__(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True, slots=True)
class _Sign:
    """Words that speak of an emergency."""

    kind: str
    parts: tuple[SlotMatch, ...]

    @property
    def start(self) -> int:
        return min(part.start for part in self.parts)

    @property
    def end(self) -> int:
        return max(part.end for part in self.parts)


class RedFlags:
    """The phrases and rules of all emergencies. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        by_role: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for row in rows:
            by_role[str(row["role"])].append(
                (str(row["kind"]), str(row["language"]), str(row["text"]))
            )
        spellings = Spellings(by_role.pop("spelling", ()))
        for role in HEARD & by_role.keys():
            by_role[role] = list(spellings.all_of(by_role[role]))
        self._rules = Rules(rule(kind, text) for kind, _, text in by_role["rule"])
        denials = _single(by_role["denial"])
        self._triggers = SlotBook(by_role["trigger"], denials)
        self._slots = SlotBook(by_role["slot"], denials)
        self._denials = SlotBook(by_role["denial"])
        self._distant = SlotBook(by_role["distant"])
        self._contexts = SlotBook(by_role["context"])
        self._presence = SlotBook(by_role["presence"])
        self._counsel = SlotBook(by_role["counsel"])
        self._idioms = SlotBook(by_role["idiom"])

    def check(self, question: str, earlier: Sequence[str] = ()) -> RedFlag:
        """Return the emergency that a conversation speaks of, the last question first."""
        if flag := next(iter(self.signs(question)), None) or self.across(question, earlier):
            return flag
        for message in reversed(earlier):
            if flag := self.sign_in(message):
                return replace(flag, is_earlier=True)
        return RedFlag()

    def signs(self, question: str) -> tuple[RedFlag, ...]:
        """Return the emergencies that a message speaks of: as a whole, and sentence by sentence.

        What speaks against one ("last year", "in a film") speaks only against its own sentence.
        """
        found: dict[str, RedFlag] = {}
        for one in (question, *sentences(question)):
            for flag in self._flags(read(one)):
                found.setdefault(flag.kind, flag)
        asking = {kind for kind in found if self.asks_beside(kind, question)}
        # Who has also swallowed pills asks for nothing: any other sign comes first.
        return (
            *(flag for kind, flag in found.items() if kind not in asking),
            *(replace(found[kind], asks=True) for kind in found if kind in asking),
        )

    def sign_in(self, message: str) -> RedFlag:
        """Return the first emergency that a message speaks of as a whole."""
        return self._flag(read(message))

    def asks_beside(self, kind: str, question: str) -> bool:
        """Tell whether what pages tell is asked for beside an emergency, and not in haste."""
        words = read(question).words
        spoken = {one.language for one in self._counsel.find(words) if one.slot == kind}
        now = {one.language for one in self._presence.find(words)}
        return bool(spoken) and not spoken & now

    def across(self, question: str, earlier: Sequence[str]) -> RedFlag:
        """Hear what began in an earlier message and is completed by this one."""
        before = Text((), ())
        for message in earlier[-REMEMBERED:]:
            before += read(message)
        if not before.words:
            return RedFlag()
        return self._flag(before + read(question), since=len(before.words))

    def _flag(self, text: Text, since: int = 0) -> RedFlag:
        return next(self._flags(text, since), RedFlag())

    def _flags(self, text: Text, since: int = 0) -> Iterator[RedFlag]:
        """Yield the signs of an emergency, of those that reach beyond a word."""
        signs = (sign for sign in self._signs(text) if not since or sign.start < since < sign.end)
        against: _Against | None = None
        for sign in signs:
            # Most texts have no sign at all that anything would have to speak against.
            against = against or _Against(self, text)
            if not against.speaks(sign):
                words = (
                    text.words[at] for part in sign.parts for at in range(part.start, part.end)
                )
                yield RedFlag(sign.kind, " ".join(words))

    def idioms_in(self, text: Text) -> list[SlotMatch]:
        """Return the expressions that mean something else, each in one breath: "she took
        pills, the list is here" speaks of no list of pills."""
        return text.in_one_breath(self._idioms.find(text.words))

    def asked_in(self, text: Text) -> list[SlotMatch]:
        """Return what asks for information, each in one breath."""
        return text.in_one_breath(self._contexts.find(text.words))

    def _signs(self, text: Text) -> Iterator[_Sign]:
        idioms = self.idioms_in(text)
        signs = (_Sign(filled.slot, (filled,)) for filled in self._triggers.find(text.words))
        found = [*self._slots.find(text.words), *counts(text.words)]
        combined = (_Sign(one.kind, parts) for one, parts in holding(self._rules, found))
        for sign in chain(signs, combined):
            if not _is_explained(sign, idioms):
                yield sign


def _single(rows: Iterable[tuple[str, str, str]]) -> dict[str, frozenset[str]]:
    """Return the denials of one word, by language."""
    found: dict[str, set[str]] = defaultdict(set)
    for _, language, text in rows:
        if len(words := folded(text)) == 1:
            found[language].update(words)
    return {language: frozenset(words) for language, words in found.items()}


def _is_explained(sign: _Sign, idioms: Iterable[SlotMatch]) -> bool:
    """Tell whether words of a sign are part of an expression that means something else, and what
    is left of it is no sign: "I can't see my results or anything with my right eye" is one."""
    meant = [idiom for idiom in idioms if idiom.slot in (ANY, sign.kind)]
    left = [part for part in sign.parts if not part.overlaps(*meant)]
    return len(left) < len(sign.parts) and len(left) < ENOUGH


class _Against:
    """What in a text speaks against an emergency."""

    def __init__(self, flags: RedFlags, text: Text) -> None:
        self._text = text
        self._slots = flags._slots
        self._denials = flags._denials.find(text.words)
        self._distant = flags._distant.find(text.words)
        self._contexts = flags.asked_in(text)
        idioms = flags.idioms_in(text)
        found = flags._presence.find(text.words)
        self._now = [now for now in found if not now.overlaps(*idioms)]

    def denies(self, sign: _Sign) -> bool:
        return any(self._denies(denial, sign) for denial in self._denials)

    def speaks(self, sign: _Sign) -> bool:
        """Tell whether a sign is denied, long ago, or only asked about."""
        if sign.kind in APART:
            return not self._now and bool(self._distant or self._is_about(sign))
        if self.denies(sign):
            return True
        if self._distant:
            return not any(self._begins(now, sign) for now in self._now)
        return not self._now and (self._is_asked(sign, ANY) or self._is_on_the_way(sign))

    def _begins(self, now: SlotMatch, sign: _Sign) -> bool:
        """Tell whether a sign follows a word for now ("last year … and now") and no other time."""
        stretch = self._text.stretch
        if sign.start < now.start or stretch[now.start] != stretch[sign.end - 1]:
            return False
        against = (*self._distant, *self._contexts)
        return not any(
            other.end > now.start and stretch[other.start] == stretch[now.start]
            for other in against
        )

    def _is_asked(self, sign: _Sign, kind: str) -> bool:
        return any(context.slot in (kind, sign.kind) for context in self._contexts)

    def _is_on_the_way(self, sign: _Sign) -> bool:
        """Tell whether only the way is asked to what a sign names."""
        if self._is_event(sign):
            return False
        stretch = self._text.stretch
        said = {stretch[at] for part in sign.parts for at in (part.start, part.end - 1)}
        ways = [one for one in self._contexts if one.slot == WAY and not one.overlaps(*sign.parts)]
        is_name = len(sign.parts) == 1 and sign.end - sign.start <= NAMING
        return any(is_name or stretch[way.start] in said for way in ways)

    def _is_event(self, sign: _Sign) -> bool:
        found = self._slots.find(self._text.words)
        return any(one.slot == EVENT and one.overlaps(*sign.parts) for one in found)

    def _is_about(self, sign: _Sign) -> bool:
        """Tell whether the very sentence asks for information: what is said beside a wish to die
        ("I sit in class.") takes nothing of it away."""
        stretch = self._text.stretch
        said = {stretch[part.start] for part in sign.parts}
        return any(
            context.slot == sign.kind and stretch[context.start] in said
            for context in self._contexts
        )

    def _denies(self, denial: SlotMatch, sign: _Sign) -> bool:
        if any(part.start <= denial.start < part.end for part in sign.parts):
            return False
        return any(self._stands_by(denial, part) for part in sign.parts)

    def _stands_by(self, denial: SlotMatch, part: SlotMatch) -> bool:
        if denial.language != part.language:
            return False
        stretch = self._text.stretch
        if denial.slot == BEFORE:
            near = 0 <= part.start - denial.end <= NEAR
            return near and stretch[denial.start] == stretch[part.start]
        near = 0 <= denial.start - part.end <= NEAR
        return near and stretch[denial.start] == stretch[part.end - 1]


def red_flags_of(snapshot: Snapshot) -> RedFlags:
    """Return a version's red flags; use it through `snapshot.derived(red_flags_of)`."""
    return _red_flags.of(whole_rows_of(snapshot, ROWS, FILE))


_red_flags = SharedValue(RedFlags)
