"""What sort of answer a question asks for, and whether a sentence gives it.

The words are rows of the lexicon, in eight languages; the forms of figures are the same in all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from chat.question.spots import PARTS, WAYS, asks_spot
from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon, Use, lexicon_of
from taxonomy.snapshot import Snapshot
from zol import phones
from zol.languages import LANGUAGES
from zol.text import fold, sentences, words


class Sort(Enum):
    """A sort of answer."""

    TIME = "time"
    DURATION = "duration"
    AMOUNT = "amount"
    COUNT = "count"
    PHONE = "phone"
    EMAIL = "email"
    PLACE = "place"
    #: Where within a campus: which floor, building or entrance.
    SPOT = "spot"
    PERMISSION = "permission"
    #: Whether then too: at night, at the weekend.
    MOMENT = "moment"


#: Sorts of answer that are figures, or as definite: who asks for one is not answered without.
FIGURES = frozenset({Sort.AMOUNT, Sort.DURATION, Sort.PHONE, Sort.EMAIL, Sort.SPOT})
#: Concepts of the lexicon that ask for a sort of answer.
ASKING: Mapping[str, Sort] = {
    "when": Sort.TIME,
    "what_time": Sort.TIME,
    "opening_hours": Sort.TIME,
    "visiting_hours": Sort.TIME,
    "hour": Sort.TIME,
    "open_adj": Sort.TIME,
    "closed": Sort.TIME,
    "how_long": Sort.DURATION,
    "duration": Sort.DURATION,
    "waiting_time": Sort.DURATION,
    "how_much": Sort.COUNT,
    "how_often": Sort.COUNT,
    "cost": Sort.AMOUNT,
    "price": Sort.AMOUNT,
    "parking_fee": Sort.AMOUNT,
    "free_of_charge": Sort.AMOUNT,
    "pay": Sort.AMOUNT,
    "deposit": Sort.AMOUNT,
    "phone_number": Sort.PHONE,
    "call": Sort.PHONE,
    "email": Sort.EMAIL,
    "where": Sort.PLACE,
    "address": Sort.PLACE,
    "floor": Sort.PLACE,
    "may": Sort.PERMISSION,
    "must": Sort.PERMISSION,
    "necessary": Sort.PERMISSION,
}
#: Whoever speaks of one of these asks how to pay, not how much.
WAYS_TO_PAY = frozenset(
    {
        "payment_plan",
        "payment_method",
        "payment_reminder",
        "bank_card",
        "bank_transfer",
        "cash_money",
        "account_number",
    }
)
#: "What must I bring?" asks for things, and "must I bring it?" whether; the word that makes the
#: difference is among the first, or it joins ("que", "che").
OPEN, OPENING = frozenset({"what", "which", "who"}), 2
POLITE = frozenset({"may", "must", "necessary"})
#: "Wanneer kan ik komen" asks when, "pijn wanneer ik stap" tells it: what follows the word, at
#: once or soon, makes the difference.
WHEN, SOON = "when", 4
AT_ONCE, LEAVE = frozenset({"be", "do", "have"}), frozenset({"can", "may", "must"})
#: How a question ends; the last is the Greek one.
QUESTION_MARKS = ("?", ";", "\u037e")
END_MARKS = (".", "!", "\u2026")
#: When something may be done or not; to speak of one where nothing else is asked, asks for that.
MOMENTS = frozenset({"night", "evening", "weekend", "saturday", "sunday", "holiday"})
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: Concepts whose words give a sort of answer, beside figures.
GIVING: Mapping[Sort, tuple[str, ...]] = {
    Sort.AMOUNT: ("free_of_charge",),
    Sort.PERMISSION: ("may", "must", "not", "no", "necessary", "possible", "always"),
    Sort.MOMENT: ("always", *sorted(MOMENTS)),
    Sort.PLACE: (
        "floor",
        "entrance",
        "building",
        "campus",
        "left",
        "right",
        "next_to",
        "reception",
        "address",
    ),
    Sort.SPOT: ("ground_floor", *sorted(PARTS | WAYS)),
    Sort.DURATION: ("minute", "hour", "night", "day", "week", "month", "year"),
    # No "year": "under 12 years" is an age.
    Sort.TIME: ("minute", "hour", "night", "day", "week", "month", *WEEKDAYS),
}
_TIME = re.compile(r"\b\d{1,2}\s?(?:[:.u]|h)\s?\d{2}\b|\b\d{1,2}\s?(?:uur|u\b|h\b)")
_SHORT_NUMBER = re.compile(r"\b\d{3,4}\b")
#: Figures that count nothing: dates and times of the day.
_NO_COUNT = re.compile(rf"\d{{1,4}}([./-])\d{{1,2}}\1\d{{2,4}}|{_TIME.pattern}")
_AMOUNT = re.compile(r"€|\beuro?s?\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
_EMAIL = re.compile(r"\S@\S")
#: The floor that a row of a table is about: "+1 · raadpleging hartziekten".
_LEVEL = re.compile(r"^[+-]?\d ·")


@dataclass(frozen=True, slots=True, eq=False)
class Sorts:
    """Tells sorts of answers apart, with the words of one version."""

    lexicon: Lexicon
    #: Folded words that give a sort of answer, in any language that pages may be in.
    giving: Mapping[Sort, frozenset[str]]

    def asked(self, question: str, language: str) -> frozenset[Sort]:
        """Return the sorts of answer that a question asks for.

        What is told before the question asks for nothing: "Het duurt een uur. Waar ga ik heen?"
        """
        said = sentences(question)
        # Many leave out the mark at the end.
        marked = [each.endswith(QUESTION_MARKS) for each in said]
        ends = any(marked) and not said[-1].endswith(END_MARKS)
        asking = " ".join(
            each
            for each, is_asked in zip(said, marked, strict=True)
            if is_asked or (ends and each is said[-1])
        )
        if asks_spot(words(question), language, self.lexicon):
            return self._of_spot(asking or question, language)
        uses = self.lexicon.read(words(asking), language)
        # "Kan dat?" asks for what was told before it.
        says_what = any(not OPEN.isdisjoint(names_of(use)) for use in uses)
        found = _asked(uses)
        if found or says_what:
            return found
        return _asked(self.lexicon.read(words(question), language))

    def _of_spot(self, asking: str, language: str) -> frozenset[Sort]:
        """Return the sorts asked for by who asks which floor or entrance: the campus is not it."""
        return _asked(self.lexicon.read(words(asking), language)) - {Sort.PLACE} | {Sort.SPOT}

    def asks_openly(self, question: str, language: str) -> bool:
        """Whether a question has a word that asks who, what or which."""
        uses = self.lexicon.read(words(question), language)
        return any(not OPEN.isdisjoint(names_of(use)) for use in uses)

    def tells_when(self, question: str, language: str) -> bool:
        """Whether words for a time only join what is told: "j'ai mal quand je marche"."""
        uses = self.lexicon.read(words(question), language)
        timed = [use for use in uses if Sort.TIME in map(ASKING.get, names_of(use))]
        return bool(timed) and all(_joins(use, uses) for use in timed)

    def given(self, text: str) -> frozenset[Sort]:
        """Return the sorts of answer that a sentence gives."""
        return _given(text, self)


def _asked(uses: Sequence[Use]) -> frozenset[Sort]:
    named = {name for use in uses for name in names_of(use)}
    if not named.isdisjoint(WAYS_TO_PAY):
        named.discard("pay")
    if any(use.start < OPENING and not OPEN.isdisjoint(names_of(use)) for use in uses):
        named -= POLITE
    found = {ASKING[name] for name in named if name in ASKING}
    if not found and named.isdisjoint(OPEN) and not MOMENTS.isdisjoint(named):
        return frozenset({Sort.MOMENT})
    if Sort.AMOUNT in found:
        found.discard(Sort.COUNT)
    # "Mag ik", "moet ik" are also how people politely ask for something else.
    return frozenset(found - {Sort.PERMISSION} or found)


def _joins(use: Use, uses: Sequence[Use]) -> bool:
    """Tell whether a word for when stands within what is told."""
    if use.start < OPENING or WHEN not in names_of(use):
        return False
    after = [(later.start - use.end, names_of(later)) for later in uses if later.start >= use.end]
    return bool(after) and not any(
        (far == 0 and AT_ONCE & names) or (far < SOON and LEAVE & names) for far, names in after
    )


def names_of(use: Use) -> frozenset[str]:
    return frozenset(concept.name for concept in use.concepts)


@lru_cache(maxsize=8_192)
def _given(text: str, sorts: Sorts) -> frozenset[Sort]:
    said = frozenset(words(text))
    return frozenset(sort for sort in Sort if FORMS[sort](text, said & sorts.giving[sort]))


def _counted(text: str) -> bool:
    left = _NO_COUNT.sub(" ", phones.without(text, phones.alike(text, "")))
    return _FIGURE.search(left) is not None


Form = Callable[[str, frozenset[str]], bool]
FORMS: Mapping[Sort, Form] = {
    Sort.TIME: lambda text, said: bool(_TIME.search(text) or (said and _FIGURE.search(text))),
    Sort.DURATION: lambda text, said: bool(said),
    Sort.AMOUNT: lambda text, said: bool(said or _AMOUNT.search(text)),
    Sort.COUNT: lambda text, said: bool(said or _counted(text)),
    Sort.PHONE: lambda text, said: bool(_SHORT_NUMBER.search(text) or phones.alike(text, "")),
    Sort.EMAIL: lambda text, said: bool(_EMAIL.search(text)),
    Sort.PLACE: lambda text, said: bool(said),
    Sort.SPOT: lambda text, said: bool(said or _LEVEL.search(text)),
    Sort.PERMISSION: lambda text, said: bool(said),
    Sort.MOMENT: lambda text, said: bool(said),
}


def sorts_of(snapshot: Snapshot) -> Sorts:
    """Return a version's sorts; use it through `snapshot.derived(sorts_of)`."""
    lexicon = snapshot.derived(lexicon_of)
    giving = {sort: _spoken(lexicon, GIVING.get(sort, ())) for sort in Sort}
    campuses = {word for c in snapshot.vocabulary.of_kind(Kind.CAMPUS) for word in words(c.name)}
    giving[Sort.PLACE] |= campuses
    giving[Sort.COUNT] |= _spoken(lexicon, ("number_word",))
    return Sorts(lexicon, giving)


def _spoken(lexicon: Lexicon, concepts: tuple[str, ...]) -> frozenset[str]:
    found = [lexicon.concepts[name] for name in concepts if name in lexicon.concepts]
    texts = (text for each in found for code in LANGUAGES for text in each.words.get(code, ()))
    return frozenset(fold(text) for text in texts)
