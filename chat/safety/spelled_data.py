"""Find e-mail addresses, numbers and dates of birth that are spelled out: "jan punt peeters
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

#: Cue sorts: names of signs and digits, and numbers in words.
SIGN, NUMBER_WORD = "spelled_sign", "number_word"
#: Signs of an e-mail address, and words within one number ("vier*en*dertig").
AT, DOT, DASH, AND = "at", "dot", "dash", "and"
#: The language whose names of signs are used in every language.
ENGLISH = "en"
#: Endings of domains that may stand apart from their dot: other short words end a sentence.
_ENDINGS = "com|net|org|info|eu|be|nl|lu|fr|de|at|ch|uk|ie|us|tr|it|ro|md|gr|cy|es|pt|pl"
#: Minimum digits, numbers and spelled words of a dictated number: an amount has fewer.
FEWEST_DIGITS, FEWEST_NUMBERS, FEWEST_WORDS = 7, 3, 3
#: Maximum words from an announcement to the month of its date: "on the twenty-first of".
BEFORE_MONTH = 4
#: Maximum letters before the @ of an address.
LONGEST_LOCAL = 64
#: Maximum digits that are read of a number in figures.
LONGEST_FIGURE = 9
#: A part of an address: a word, or its letters one by one.
_LABEL = r"(?:\b(?:\w[ -]){2,}\w\b|[\w+'’-]+)"
#: An initial before it: other single letters are words ("mail a …").
_INITIAL = r"(?:\b[b-df-hj-tv-xz]\s+)?"
_BETWEEN = re.compile(r"[\s,./'’–-]{1,3}")
Values: TypeAlias = tuple[int, ...]


def calendar(names: Callable[..., Mapping[int, str]]) -> frozenset[str]:
    """Return the folded names of months or days in every language and grammatical case."""
    forms = product(LANGUAGES, ("format", "stand-alone"))
    return frozenset(
        word for code, form in forms for name in names("wide", form, code).values()
        for word in folded(name)
    )  # fmt: skip


MONTHS = calendar(get_month_names)


class SpelledNumber(NamedTuple):
    """Consecutive number words: their span, the numbers, and how many words are not in figures."""

    start: int
    end: int
    numbers: Values
    spelled: int

    @property
    def digits(self) -> str:
        return "".join(map(str, self.numbers))

    @property
    def is_year(self) -> bool:
        """Return whether it ends in a year ("nineteen fifty-two")."""
        return self.digits[-4:-2] in ("18", "19", "20") and self.numbers[-1] > 9

    @property
    def is_dictated(self) -> bool:
        """Return whether there are more numbers than in an amount ("two thousand and fifty")."""
        is_long = len(self.digits) >= FEWEST_DIGITS and len(self.numbers) >= FEWEST_NUMBERS
        return is_long and self.spelled >= FEWEST_WORDS

    def birth(self, words: Sequence[Token], start: int, end: int) -> tuple[int, int] | None:
        """Return the letters of a spelled date, which follows or precedes the announcement at these
        words."""
        if self.end == start and self.is_year:
            has_month = self.start > 1 and words[self.start - 1].folded in MONTHS
            return words[self.start - 2 * has_month].start, words[self.end - 1].end
        ahead = range(end, min(self.start, end + BEFORE_MONTH + 1))
        month = next((at for at in ahead if words[at].folded in MONTHS), self.start)
        # "3 mei eenenvijftig", "maggio del cinquantuno", but "3 mei om elf uur".
        last, gap = self.numbers[-1], self.start - month
        is_year = self.is_year or (gap == 1 and 9 < last < 100) or (gap == 2 and 31 < last < 100)
        is_near = self.start == end or (self.start > end and gap in (1, 2))
        return (words[end].start, words[self.end - 1].end) if is_year and is_near else None


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
        self._mails = tuple(_mail_patterns(each, signs[ENGLISH]) for each in signs.values())
        self._values = values
        self._joints = {code: set(map("".join, map(folded, signs[code][AND]))) for code in signs}
        one = {code: any_of(values[code]) for code in values}
        self._one = {code: re.compile(each) for code, each in one.items()}
        self._compound = {
            code: re.compile(rf"{each}(?:{any_of(self._joints[code])}?{each})*")
            for code, each in one.items()
        }
        self._values_of = lru_cache(maxsize=8_192)(self._read)

    def mails(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the letters of e-mail addresses whose signs are words or stand apart."""
        for local_part, domain_part in self._mails:
            for domain in domain_part.finditer(text):
                # Read backwards from the sign: most words of a text are in no address.
                start = max(0, domain.start() - LONGEST_LOCAL)
                if local := local_part.search(text, start, domain.start()):
                    yield local.start(), domain.end()

    def numbers(self, text: str, words: Sequence[Token]) -> Iterator[SpelledNumber]:
        """Yield the longest runs of number words of each language."""
        read = [self._values_of(word.folded) for word in words]
        for code in {code for each in read if len(each) < len(LANGUAGES) for code in each}:
            at = 0
            while at < len(words):
                start, run = at, list[Values]()
                while at < len(words) and (
                    not run or _BETWEEN.fullmatch(text, words[at - 1].end, words[at].start)
                ):
                    here = read[at].get(code)
                    if here is None and not (run and words[at].folded in self._joints[code]):
                        break
                    run.append(here or ())
                    at += 1
                while run and not run[-1]:
                    run.pop()
                end = start + len(run)
                if spelled := sum(not word.text.isdecimal() for word in words[start:end]):
                    yield SpelledNumber(start, end, _combined(run), spelled)
                at = max(at, start + 1)

    def _read(self, word: str) -> Mapping[str, Values]:
        """Return the values of a folded word by language: "eenenvijftig" has 1 and 50."""
        if word.isdecimal():
            return dict.fromkeys(LANGUAGES, (int(word[:LONGEST_FIGURE]),))
        return {
            code: tuple(self._values[code][part] for part in self._one[code].findall(word))
            for code, compound in self._compound.items()
            if compound.fullmatch(word)
        }


def _combined(run: Iterable[Values]) -> Values:
    """Combine values into numbers: 1000, 9, 100, 50, 1 is 1951, and 0, 4, 70 is 0, 4 and 70."""
    found: list[int] = []
    for values in run:
        for place, value in enumerate(values):
            whole = found[-1] if found else 0
            low = whole % 100
            if value == 1_000 and 0 < whole < 1_000:
                found[-1] = whole * value
            elif value == 100 and 0 < low < 20:
                found[-1] = whole - low + low * value
            elif whole and (
                _has_room(whole, value)
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


def _has_room(whole: int, value: int) -> bool:
    """Return whether a value fits in the zeros at the end of a number, as 50 fits in 1900."""
    room = next(size for size in (1_000, 100, 10, 1) if whole % size == 0)
    return room > value > 0 and not (room == 10 and whole % 100 == 10)


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of the longest of these words; one that never matches without words."""
    longest = sorted(map(re.escape, words), key=len, reverse=True)
    return rf"(?:{'|'.join(longest) or '(?!)'})"


def _mail_patterns(*signs: Mapping[str, Sequence[str]]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of an address before its sign, and from its sign on."""
    at, dot, dash = (
        any_of(word for each in signs for word in each.get(sign, ())) for sign in (AT, DOT, DASH)
    )
    wrapped = r"\s?[\[({{<]\s?(?:{0})\s?[\])}}>]\s?"
    at_word = rf"(?:\s+{at}\s+|{wrapped.format(at + '|@')})"
    apart = rf"(?:\s+{dot}\s+|{wrapped.format(dot + '|[.]')}|\s\.\s)"
    joint = rf"(?:\.|{apart}|\s+{dash}\s+)"
    return (
        re.compile(rf"{_INITIAL}{_LABEL}(?:{joint}{_LABEL})*\Z", re.IGNORECASE),
        re.compile(
            rf"(?:{at_word}|\s?@\s?)[\w-]+(?:{joint}[\w-]+)*{apart}(?:{_ENDINGS})\b"
            # "He is at 38.5" is no address: domains end in letters.
            rf"|{at_word}[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{{2,}}",
            re.IGNORECASE,
        ),
    )
