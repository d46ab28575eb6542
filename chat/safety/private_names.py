"""Detect names of private people by context and by lists of names.

After a certain cue ("mijn naam is", "mevrouw") any word is a name, capitalised or not. After a
possible cue ("ik ben", "mijn zoon", "afspraak voor") a word is a name if it is listed or unknown. A
first name with a surname is a name anywhere; a capitalised first name alone is one inside a
sentence, except in German. The hospital's own names, its doctors, anyone with a doctor's title, and
illnesses named after people are not redacted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, NamedTuple

from babel.dates import get_day_names

from chat.safety.people import people
from chat.safety.phrases import PhraseBook
from chat.safety.spelled_data import MONTHS, calendar
from taxonomy.language import dictionary
from taxonomy.language.tokens import Token, base, folded, tokens

#: Cue sorts: announcements of a name, particles between its words, and words that look like names
#: but are not ("Parkinson", "Sint").
SELFNAME, PARTICLE, SPARED, BEFORE_SPARED = "selfname", "nameparticle", "eponym", "namesake"
#: Words that mark a name beside them as that of a building: "zaal De Linde", "Robert-Koch-Saal".
BUILDING = "building"
#: Verbs that follow a relative, although they are also names: "mon fils vit".
WORD = "word"
#: Professional titles; a name after one is not redacted.
TITLE = "person_title"
#: Thanks, which a signature may follow.
THANKS = "thanks"
KINDS = (SELFNAME, PARTICLE, SPARED, BEFORE_SPARED, TITLE, THANKS)
#: Cues that follow the name: "Ayten Hanım".
BEHIND = "behind"
#: Forms of address, which also precede the names of the hospital's doctors.
POLITE = "polite"
#: Weights of cues, by how likely a name follows.
CERTAIN, LIKELY, MAYBE = 3.0, 2.0, 1.0
#: Weight of a field label: "naam: …".
LABELLED = 4.0
#: Maximum words of a name, particles excluded, and minimum letters of a repeated word of one.
NAME_WORDS, REPEATED = 4, 3
#: Maximum letters of an abbreviation: "US", "IRM".
ABBREVIATED = 3
GERMAN = "de"
#: Share of capitals from which capitalisation is ignored.
ALL_CAPITALS = 0.7
#: Separators between two words of a name, and between a cue and its name.
_WITHIN = re.compile(r"[ \u00a0]?[-'’ ]?")
_AFTER_INITIAL = re.compile(r"\.? ?")
_AFTER_CUE = re.compile(r"[\s,:;(\"'’“„«–-]{0,4}|\.\s?[:,]?\s?")
#: Separators after a field label, and after the next label.
_LABEL, _COLON = re.compile(r"\s?:\s*"), re.compile(r"\s?:")
#: End of a sentence or clause.
_CLOSES = re.compile(r"[,.;:!?\n–—-]")
_NEXT_LABEL = re.compile(r"\s?:|(?<=\b\w\w)\.")
_ENDS = re.compile(r"[.!?:;\n·…]")
#: Text between a name and personal data after it: "Jan Maes, geboren op …", "Jan Maes (0470…)".
_BEFORE_DATA = re.compile(r"\s*(?:[,(:;]|\s[-–])\s*(?:[^\W\d_]+\.?\s+){0,2}")
_AFTER_DATA = re.compile(r"\s*[,(:;–-]?\s*")

#: Names of days and months, some of which are also first names: "June", "Παρασκευή".
CALENDAR = MONTHS | calendar(get_day_names)

#: Indices of the first word and of the one after the last.
Span = tuple[int, int]


class OwnName(NamedTuple):
    """A name of the hospital in a text; not sure if a patient may have it too."""

    start: int
    end: int
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class _Cue:
    words: tuple[str, ...]
    weight: float
    language: str
    is_polite: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a text, with the text before it and its traits of a name."""

    token: Token
    gap: str
    has_capital: bool
    is_first: bool
    is_last: bool
    #: Whether no dictionary has it.
    is_new: bool

    @property
    def folded(self) -> str:
        return self.token.folded

    @property
    def is_listed(self) -> bool:
        return self.is_first or self.is_last


class PrivateNames:
    """Detector of private people's names. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        is_known: Callable[[str, str], bool],
        ours: Callable[[Sequence[Token]], Iterable[OwnName]] = lambda words: (),
    ) -> None:
        self.by_first: dict[str, list[_Cue]] = {}
        self.by_last: dict[str, list[_Cue]] = {}
        self.particles, self._titles = set[str](), set[str]()
        self._buildings, self.verbs = set[str](), set[str]()
        spared = list[tuple[str, bool]]()
        lists = {
            PARTICLE: self.particles, TITLE: self._titles, BUILDING: self._buildings,
            WORD: self.verbs,
        }  # fmt: skip
        for row in rows:
            text = folded(str(row["text"]))
            if row["kind"] in lists or row["target"] in (BUILDING, WORD):
                lists.get(row["kind"], lists.get(row["target"], set())).update(text)
            elif row["kind"] in (SPARED, BEFORE_SPARED):
                spared.append((str(row["text"]), row["kind"] == BEFORE_SPARED))
            elif row["kind"] in (SELFNAME, THANKS) and text:
                is_behind, is_polite = row["target"] == BEHIND, row["target"] == POLITE
                weight = MAYBE if row["kind"] == THANKS else float(row["weight"])
                cue = _Cue(text, weight, str(row["language"]), is_polite)
                place, word = (self.by_last, text[-1]) if is_behind else (self.by_first, text[0])
                place.setdefault(word, []).append(cue)
        for cues in self.by_first.values():
            cues.sort(key=lambda cue: -len(cue.words))
        #: Phrases that are not names, and whether the next word is not either.
        self._spared = PhraseBook(spared)
        self.is_known, self._ours = is_known, ours

    def find(self, text: str, cuts: Iterable[tuple[int, int, str]] = ()) -> list[tuple[int, int]]:
        """Return the spans of names, in letters; `cuts` are other personal data in the text."""
        words = tokens(text)
        ours = tuple(self._ours(words))
        unsure = {at for each in ours if not each.is_sure for at in range(each.start, each.end)}
        kept = self._kept(words, ours)
        search = _NameSearch(self, text, words, kept | unsure, kept)
        spans = [*self._by_cue(search), *search.without_cue(), *search.beside(cuts)]
        spans += search.repeated(spans)
        return [(words[start].start, words[end - 1].end) for start, end in spans]

    def _by_cue(self, search: _NameSearch) -> Iterator[Span]:
        announced: set[int] = set()
        for at, word in enumerate(search.words):
            for cue in self.by_first.get(word.folded, ()):
                end = at + len(cue.words)
                if not search.has_cue(at, cue):
                    continue
                announced.add(end)
                # A longer cue without a name must not hide a shorter one.
                if span := search.name_after(end, cue, is_self=at in announced):
                    yield span
                    break
            for cue in self.by_last.get(word.folded, ()):
                start = at + 1 - len(cue.words)
                if start >= 0 and search.has_cue(start, cue):
                    yield from search.name_before(start, cue)

    def _kept(self, words: Sequence[Token], ours: Iterable[OwnName]) -> frozenset[int]:
        """Return the words that are not redacted: names of the hospital, of illnesses and of
        buildings, and names after a title."""
        kept = {at for each in ours if each.is_sure for at in range(each.start, each.end)}
        for phrase in self._spared.find([word.folded for word in words]):
            kept.update(range(phrase.start, phrase.end + phrase.meaning))
        for at, word in enumerate(words):
            if word.folded in self._titles:
                kept.update(range(at, self._end_of_titled(words, at + 1)))
            elif word.folded in self._buildings:
                kept.update(range(at + 1, self._end_of_titled(words, at + 1)))
                named = takewhile(
                    lambda before: words[before].text[0].isupper(), range(at - 1, 0, -1)
                )
                kept.update(islice(named, NAME_WORDS))
        return frozenset(kept)

    def _end_of_titled(self, words: Sequence[Token], at: int) -> int:
        """Return the end of the name after a doctor's title."""
        for end in range(at, min(len(words), at + NAME_WORDS + 1)):
            word = words[end]
            if not (word.text[0].isupper() or word.folded in self.particles | self._titles):
                return end if end > at else at + 1
        return min(len(words), at + NAME_WORDS + 1)


class _NameSearch:
    """The search for names in one text."""

    def __init__(
        self,
        names: PrivateNames,
        text: str,
        words: tuple[Token, ...],
        kept: frozenset[int],
        surely_kept: frozenset[int],
    ) -> None:
        self._names, self._text, self._kept = names, text, kept
        #: Without the hospital's unsure names: after a certain cue they are a patient's.
        self._surely_kept = surely_kept
        self.languages = dictionary.likely_languages(word.folded for word in words)
        self._language = self.languages[0]
        letters = [letter for letter in text if letter.isalpha()]
        is_capitals = sum(map(str.isupper, letters)) > ALL_CAPITALS * len(letters)
        ends, listed = [0, *(word.end for word in words)], people()
        self.words = [
            _Word(
                word,
                text[end : word.start],
                has_capital=not is_capitals and word.text[0].isupper(),
                is_first=listed.is_first(word.folded),
                is_last=listed.is_last(word.folded),
                is_new=not dictionary.has(word.folded),
            )
            for word, end in zip(words, ends, strict=False)
        ]

    def has_cue(self, at: int, cue: _Cue) -> bool:
        """Return whether a cue begins at a word and is of a language the text is likely in."""
        words = tuple(word.folded for word in self.words[at : at + len(cue.words)])
        return words == cue.words and cue.language in self.languages

    def name_after(self, at: int, cue: _Cue, *, is_self: bool = False) -> Span | None:
        """Return the name after a cue; `is_self` after two cues, as in "ik ben mevrouw …"."""
        if at >= len(self.words) or not _AFTER_CUE.fullmatch(self.words[at].gap):
            return None
        is_label = bool(_LABEL.fullmatch(self.words[at].gap)) and cue.weight < LIKELY
        weight = LABELLED if is_label else cue.weight
        # "de dochter van Jos", but "mijn naam is van den Broeck"
        while weight < CERTAIN and at + 1 < len(self.words) and self._is_particle(at):
            at += 1
        kept = self._kept
        if weight >= CERTAIN and (is_self or not cue.is_polite):
            self._kept = self._surely_kept
        end = self._end(at, weight, cue.language)
        if not end and weight >= LIKELY and self.words[at].is_first and self._is_free(at):
            # A first name, however common: "mijn man peter hoest".
            end = at + 1 + any(after.is_last for after in self.words[at + 1 : at + 2])
        self._kept = kept
        return (at, end) if end else None

    def name_before(self, at: int, cue: _Cue) -> Iterator[Span]:
        """Yield the name before a cue, with the cue if it is a title."""
        start, after = at, at + len(cue.words)
        # "jan maes hier, …" introduces the writer; "… hier kunnen" is a place.
        is_signature = cue.weight < LIKELY and (
            after == len(self.words) or bool(_CLOSES.search(self.words[after].gap))
        )
        while (
            start > max(0, at - NAME_WORDS)
            and _WITHIN.fullmatch(self.words[start].gap)
            and (
                self.words[start - 1].has_capital
                or (is_signature and not dictionary.is_common(self.words[start - 1].folded))
            )
            and self._can_be(start - 1)
        ):
            start -= 1
        is_named = any(word.is_listed or word.is_new for word in self.words[start:at])
        if start < at and (cue.weight >= LIKELY or is_named):
            # A following title belongs to the name: "Ayten Hanım".
            yield (start, after if cue.weight >= CERTAIN else at)

    def without_cue(self) -> Iterator[Span]:
        """Yield first names with a surname, and capitalised first names inside a sentence."""
        at = 0
        while at < len(self.words):
            end = self._alone(at)
            if end:
                yield (at, end)
            at = end or at + 1

    def beside(self, cuts: Iterable[tuple[int, int, str]]) -> Iterator[Span]:
        """Yield full names beside other personal data: "Roelof Dijksma, geboren …"."""
        for at, word in enumerate(self.words):
            for start, end, _kind in cuts:
                token = word.token
                if token.end <= start and _BEFORE_DATA.fullmatch(self._text, token.end, start):
                    yield from self._full_name(range(at, -1, -1))
                elif token.start >= end and _AFTER_DATA.fullmatch(self._text, end, token.start):
                    yield from self._full_name(range(at, len(self.words)))

    def _full_name(self, places: range) -> Iterator[Span]:
        """Yield the full name along these places, if a clause begins or ends at its far end."""
        run = [*takewhile(lambda at: self._may_be_in_name(at, places), places)]
        names = [self.words[at] for at in run if not self._is_particle(at)]
        edge = run[-1] + (places.step > 0) if run else 0
        if (
            1 < len(names) <= NAME_WORDS
            and any(word.is_listed or word.is_new for word in names)
            and (edge in (0, len(self.words)) or _CLOSES.search(self.words[edge].gap))
        ):
            yield min(run), max(run) + 1

    def _may_be_in_name(self, at: int, places: range) -> bool:
        if at != places[0] and not self._is_within(max(at, at - places.step)):
            return False
        is_name = self.words[at].has_capital and self._can_be(at)
        return self._is_particle(at) or (is_name and not self._is_ordinary(at, self._language))

    def repeated(self, spans: Sequence[Span]) -> list[Span]:
        """Return where a word of these names occurs again."""
        names = {
            self.words[at].folded
            for start, end in spans
            for at in range(start, end)
            if len(self.words[at].token.text) >= REPEATED
            and self.words[at].folded not in self._names.particles
            and not self._is_ordinary(at, self._language)
        }
        return [
            (at, at + 1)
            for at, word in enumerate(self.words)
            if word.folded in names and self._can_be(at)
        ]

    def _alone(self, at: int) -> int:
        """Return the end of a name without a cue; 0 if none begins here."""
        word, language = self.words[at], self._language
        if not (word.is_first or (word.is_last and word.has_capital)):
            return 0
        if self._is_ordinary(at, language) or self._is_no_name(at):
            return 0
        end = self._end(at, LIKELY, language)
        rest = [w for w in self.words[at + 1 : end] if w.folded not in self._names.particles]
        is_inside = word.has_capital and at > 0 and not _ENDS.search(word.gap)
        if rest and word.is_first:
            is_sure = is_inside or not dictionary.is_common(word.folded)
            return end if is_sure or any(each.is_listed for each in rest) else 0
        if rest:
            return end if any(each.is_first for each in rest) else 0
        is_plain = word.folded not in dictionary.common(language)
        # In German every noun has a capital.
        return end if word.is_first and is_inside and is_plain and language != GERMAN else 0

    def _end(self, at: int, weight: float, language: str) -> int:
        """Return the end of a name that begins here; 0 if none does."""
        end, count, here = 0, 0, at
        while here < len(self.words) and count < NAME_WORDS:
            word = self.words[here]
            if here > at and not self._is_within(here):
                break
            is_particle = word.folded in self._names.particles and here not in self._kept
            is_initial = len(word.token.text) == 1 and word.has_capital
            if is_particle or is_initial:
                here += 1
                continue
            fits = self._continues if count else self._starts
            # "De Wit" is a name, although "wit" is a word.
            is_whole = here > at and not count and self._is_whole(at, here)
            if not (fits(here, weight, language) or is_whole):
                break
            count, here = count + 1, here + 1
            end = here
        return end

    def _starts(self, at: int, weight: float, language: str) -> bool:
        """Return whether a name can begin here."""
        word, is_certain = self.words[at], weight >= CERTAIN
        if not self._can_be(at) or self._is_ordinary(at, language):
            return False
        if not is_certain and self._is_no_name(at):
            return False
        is_plain = word.folded not in dictionary.common(language)
        if word.has_capital:
            is_announced = weight >= LIKELY or self._has_capital_next(at)
            return word.is_listed or is_certain or word.is_new or (is_plain and is_announced)
        if not is_certain:
            return is_plain and (word.is_first or (weight >= LIKELY and word.is_last))
        if weight >= LABELLED and not word.is_listed:
            return is_plain and not self._is_next_label(at, weight)
        return word.is_listed or (language != GERMAN and word.is_new)

    def _continues(self, at: int, weight: float, language: str) -> bool:
        """Return whether the name continues here."""
        word = self.words[at]
        is_surname = word.is_last and not dictionary.is_everyday(word.folded)
        if not self._can_be(at) or (self._is_ordinary(at, language) and not is_surname):
            return False
        is_plain = word.folded not in dictionary.common(language)
        if word.has_capital:
            return word.is_listed or word.is_new or is_plain or language != GERMAN
        if not is_plain or self._is_next_label(at, weight):
            return False
        is_new = word.is_new and not dictionary.has(base(word.folded, language))
        # A verb may follow a relative's name: "mijn zoon Finn hoest".
        may_be_verb = weight == LIKELY or self.words[at - 1].has_capital
        return word.is_listed or is_new or not may_be_verb

    def _is_no_name(self, at: int) -> bool:
        """Return whether a word is short ("US"), a verb, or a day or month without a surname."""
        word, written = self.words[at], self.words[at].token.text
        is_short = word.has_capital and written.isupper() and 1 < len(written) <= ABBREVIATED
        # Greek has a genitive: "το ραντεβού της Παρασκευής".
        is_date = word.folded.removesuffix("σ") in CALENDAR and not self._has_capital_next(at)
        is_verb = not word.has_capital and word.folded in self._names.verbs
        return is_short or is_date or is_verb

    def _is_next_label(self, at: int, weight: float) -> bool:
        """Return whether the next field of a form begins here: "naam: jan maes geb. datum: …"."""
        pattern = _NEXT_LABEL if weight >= LABELLED else _COLON
        return bool(pattern.match(self._text, self.words[at].token.end))

    def _is_particle(self, at: int) -> bool:
        return self.words[at].token.text in self._names.particles

    def _has_capital_next(self, at: int) -> bool:
        after = at + 1
        return after < len(self.words) and self._is_within(after) and self.words[after].has_capital

    def _is_whole(self, at: int, last: int) -> bool:
        return people().is_last("".join(word.folded for word in self.words[at : last + 1]))

    def _can_be(self, at: int) -> bool:
        """Return whether a word may be in a name: not if it is kept, a number, a mark or a cue."""
        word = self.words[at]
        return not (
            at in self._kept
            or any(character.isdigit() for character in word.token.text)
            or word.gap.endswith("[")
            or (word.folded in self._names.by_first and not word.is_listed)
        )

    def _is_ordinary(self, at: int, language: str) -> bool:
        """Return whether a word is the hospital's, or an everyday word and no capitalised name."""
        word = self.words[at]
        is_name = word.has_capital and word.is_listed
        is_everyday = not is_name and word.folded in dictionary.everyday(language)
        return is_everyday or self._names.is_known(word.folded, language)

    def _is_free(self, at: int) -> bool:
        """Return whether a word is everyday in none of the languages that the text may be in."""
        word = self.words[at].folded
        is_everyday = any(word in dictionary.everyday(code) for code in self.languages)
        return not (is_everyday or self._is_no_name(at)) and self._can_be(at)

    def _is_within(self, at: int) -> bool:
        """Return whether a word can follow the one before it in a name."""
        gap = self.words[at].gap
        is_after_initial = len(self.words[at - 1].token.text) == 1
        return bool((is_after_initial and _AFTER_INITIAL.fullmatch(gap)) or _WITHIN.fullmatch(gap))
