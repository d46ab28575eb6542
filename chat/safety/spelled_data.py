"""Find e-mail addresses, numbers and dates of birth that are spelled in words: "jan punt peeters
apenstaartje gmail punt com", "nul vier zeven acht …", "de derde mei negentienhonderd eenenvijftig".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from babel.dates import get_month_names

from taxonomy.language.tokens import Token, folded
from zol.languages import LANGUAGES

#: Cue sorts: signs and figures by their names, and numbers in words.
SIGN, NUMBER_WORD = "spelled_sign", "number_word"
#: Signs of an e-mail address, and words within one number ("vier*en*dertig").
AT, DOT, DASH, AND = "at", "dot", "dash", "and"
#: Everybody says "at" and "dot".
ENGLISH = "en"
#: Endings of domains that may stand apart from their dot: other short words end a sentence.
_ENDINGS = "com|net|org|info|eu|be|nl|lu|fr|de|at|ch|uk|ie|us|tr|it|ro|md|gr|cy|es|pt|pl"
#: Digits, numbers and words of what is dictated, at least.
FEWEST_DIGITS, FEWEST_NUMBERS, FEWEST_WORDS = 7, 3, 3
#: Words from an announcement to the month of its date: "on the twenty-first of".
BEFORE_MONTH = 4
#: Letters before the sign of an address.
LONGEST_LOCAL = 64
#: Figures that tell how long a number is.
LONGEST_FIGURE = 9
#: A part of an address: a word, or its letters one by one.
_LABEL = r"(?:\b(?:\w[ -]){2,}\w\b|[\w+'’-]+)"
#: An initial before it: other single letters are words ("mail a …").
_INITIAL = r"(?:\b[b-df-hj-tv-xz]\s+)?"
_BETWEEN = re.compile(r"[\s,./'’–-]{1,3}")
Values: TypeAlias = tuple[int, ...]


def calendar(names: Callable[..., Mapping[int, str]]) -> frozenset[str]:
    """Return the folded names of months or days in every language, in their cases."""
    forms = product(LANGUAGES, ("format", "stand-alone"))
    return frozenset(
        word for code, form in forms for name in names("wide", form, code).values()
        for word in folded(name)
    )  # fmt: skip


MONTHS = calendar(get_month_names)


class SpelledNumber(NamedTuple):
    """Words that say numbers: from which to which, the numbers, and how many are no figures."""

    start: int
    end: int
    numbers: Values
    spelled: int

    @property
    def digits(self) -> str:
        return "".join(map(str, self.numbers))

    @property
    def is_year(self) -> bool:
        """Return whether it ends with a year ("nineteen fifty-two")."""
        return self.digits[-4:-2] in ("18", "19", "20") and self.numbers[-1] > 9

    @property
    def is_dictated(self) -> bool:
        """Return whether there are more numbers than in an amount ("two thousand and fifty")."""
        is_long = len(self.digits) >= FEWEST_DIGITS and len(self.numbers) >= FEWEST_NUMBERS
        return is_long and self.spelled >= FEWEST_WORDS


class SpelledData:
    """Detector of spelled personal data. Immutable."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        signs = {code: defaultdict[str, list[str]](list) for code in LANGUAGES}
        values = {code: dict[str, int]() for code in LANGUAGES}
        for row in rows:
            kind, target, code = str(row["kind"]), str(row["target"]), str(row["language"])
            if kind in (SIGN, NUMBER_WORD) and target.isdigit() and code in values:
                values[code]["".join(folded(str(row["text"])))] = int(target)
            elif kind == SIGN and code in signs:
                signs[code][target].append(str(row["text"]))
        self._values = values
        self._joints = {code: set(map("".join, map(folded, signs[code][AND]))) for code in signs}
        self._parts = {code: _parts(values[code], self._joints[code]) for code in values}
        self._mails = tuple(_Mail(each, signs[ENGLISH]) for each in signs.values())
        self._numbers_in = lru_cache(maxsize=8_192)(self._read)

    def mails(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of e-mail addresses whose signs are words or stand apart, in letters."""
        for mail in self._mails:
            yield from mail.find(text)

    def numbers(self, text: str, words: Sequence[Token]) -> Iterator[SpelledNumber]:
        """Yield the numbers in words of a text, by the longest runs of each language."""
        read = [self._numbers_in(word.folded) for word in words]
        spoken = {code for each in read if len(each) < len(LANGUAGES) for code in each}
        for code in spoken:
            at = 0
            while at < len(words):
                start, said = at, list[Values]()
                while at < len(words) and (
                    not said or _BETWEEN.fullmatch(text, words[at - 1].end, words[at].start)
                ):
                    here = read[at].get(code)
                    if here is None and not (said and words[at].folded in self._joints[code]):
                        break
                    said.append(here or ())
                    at += 1
                while said and not said[-1]:
                    said.pop()
                end = start + len(said)
                if spelled := sum(not word.text.isdecimal() for word in words[start:end]):
                    yield SpelledNumber(start, end, _numbers(said), spelled)
                at = max(at, start + 1)

    def _read(self, word: str) -> Mapping[str, Values]:
        """Return the values of a folded word by language: "eenenvijftig" has 1 and 50."""
        if word.isdecimal():
            return dict.fromkeys(LANGUAGES, (int(word[:LONGEST_FIGURE]),))
        found = {}
        for code, parts in self._parts.items():
            if parts.fullmatch(word):
                within = re.findall("|".join(_longest(self._values[code])), word)
                found[code] = tuple(self._values[code][part] for part in within)
        return found


def birth(
    said: SpelledNumber, words: Sequence[Token], start: int, end: int
) -> tuple[int, int] | None:
    """Return the span in letters of a year in words that follows an announcement, with its day
    and month, or that stands right before it."""
    if said.end == start and said.is_year:
        has_month = said.start > 1 and words[said.start - 1].folded in MONTHS
        return words[said.start - 2 * has_month].start, words[said.end - 1].end
    ahead = range(end, min(said.start, end + BEFORE_MONTH + 1))
    month = next((at for at in ahead if words[at].folded in MONTHS), said.start)
    # "3 mei eenenvijftig", "maggio del cinquantuno", but "3 mei om elf uur".
    last, gap = said.numbers[-1], said.start - month
    is_year = said.is_year or (gap == 1 and 9 < last < 100) or (gap == 2 and 31 < last < 100)
    is_near = said.start == end or (said.start > end and gap in (1, 2))
    return (words[end].start, words[said.end - 1].end) if is_year and is_near else None


def _numbers(said: Iterable[Values]) -> Values:
    """Join what makes one number: 1000, 9, 100, 50, 1 is 1951, and 0, 4, 70 is 0, 4 and 70."""
    found: list[int] = []
    for values in said:
        for place, value in enumerate(values):
            whole = found[-1] if found else 0
            low = whole % 100
            if value == 1_000 and 0 < whole < 1_000:
                found[-1] = whole * value
            elif value == 100 and 0 < low < 20:
                found[-1] = whole - low + low * value
            elif whole and (
                _is_room(whole, value)
                # "vierendertig", "quatre-vingt" and "soixante-douze"
                or (place and 0 < low < 10 and 20 <= value < 100)
                or (low in (60, 80) and 10 <= value < 20)
            ):
                found[-1] = whole + value
            elif (low, value) == (4, 20):
                found[-1] = 80
            else:
                found.append(value)
    return tuple(found)


def _is_room(whole: int, value: int) -> bool:
    """Return whether a number ends with noughts, or a hundred, where a smaller one is added."""
    room = next(size for size in (1_000, 100, 10, 1) if whole % size == 0)
    return room > value > 0 and not (room == 10 and whole % 100 == 10)


def _parts(values: Iterable[str], joints: Iterable[str]) -> re.Pattern[str]:
    joint, value = "|".join(_longest(joints)), "|".join(_longest(values)) or r"(?!)"
    return re.compile(rf"(?:{value})(?:(?:{joint})?(?:{value}))*")


def _longest(words: Iterable[str]) -> list[str]:
    return sorted(map(re.escape, words), key=len, reverse=True)


class _Mail:
    """Reads e-mail addresses with the signs of a language."""

    def __init__(self, *signs: Mapping[str, Sequence[str]]) -> None:
        at, dot, dash = (
            "|".join(re.escape(word) for each in signs for word in each.get(sign, ())) or "(?!)"
            for sign in (AT, DOT, DASH)
        )
        wrapped = r"\s?[\[({{<]\s?(?:{0})\s?[\])}}>]\s?"
        at_word = rf"(?:\s+(?:{at})\s+|{wrapped.format(at + '|@')})"
        apart = rf"(?:\s+(?:{dot})\s+|{wrapped.format(dot + '|[.]')}|\s\.\s)"
        joint = rf"(?:\.|{apart}|\s+(?:{dash})\s+)"
        self._local = re.compile(rf"{_INITIAL}{_LABEL}(?:{joint}{_LABEL})*\Z", re.IGNORECASE)
        self._domain = re.compile(
            rf"(?:{at_word}|\s?@\s?)[\w-]+(?:{joint}[\w-]+)*{apart}(?:{_ENDINGS})\b"
            # "He is at 38.5" is no address: domains end in letters.
            rf"|{at_word}[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{{2,}}",
            re.IGNORECASE,
        )

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        for domain in self._domain.finditer(text):
            # Looked for behind its sign: most words of a text are in no address.
            local = self._local.search(text, max(0, domain.start() - LONGEST_LOCAL), domain.start())
            if local:
                yield local.start(), domain.end()
