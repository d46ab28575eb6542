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


class PrivateNames:
    """Detector of private people's names. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        is_known: Callable[[str, str], bool],
        ours: Callable[[Sequence[Token]], Iterable[OwnName]] = lambda words: (),
    ) -> None:
        self._by_first: dict[str, list[_Cue]] = {}
        self._by_last: dict[str, list[_Cue]] = {}
        spared, words = (
            [],
            {PARTICLE: set[str](), TITLE: set[str](), BUILDING: set[str](), WORD: set[str]()},
        )
        for row in rows:
            text = folded(str(row["text"]))
            if row["kind"] in words:
                words[row["kind"]].update(text)
            elif row["target"] in (BUILDING, WORD):
                words[row["target"]].update(text)
            elif row["kind"] in (SPARED, BEFORE_SPARED):
                spared.append((str(row["text"]), row["kind"] == BEFORE_SPARED))
            elif row["kind"] in (SELFNAME, THANKS) and text:
                is_behind, is_polite = row["target"] == BEHIND, row["target"] == POLITE
                weight = MAYBE if row["kind"] == THANKS else float(row["weight"])
                cue = _Cue(text, weight, str(row["language"]), is_polite)
                place, word = (self._by_last, text[-1]) if is_behind else (self._by_first, text[0])
                place.setdefault(word, []).append(cue)
        for cues in self._by_first.values():
            cues.sort(key=lambda cue: -len(cue.words))
        self._particles, self._titles, self._buildings, self._words = words.values()
        #: Phrases that are not names, and whether the next word is not either.
        self._spared = PhraseBook(spared)
        self._is_known, self._ours = is_known, ours

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
            for cue in self._by_first.get(word.folded, ()):
                end = at + len(cue.words)
                is_match = tuple(token.folded for token in search.words[at:end]) == cue.words
                if not (is_match and cue.language in search.languages):
                    continue
                announced.add(end)
                # A longer cue without a name must not hide a shorter one.
                if span := search.name_after(end, cue, is_self=at in announced):
                    yield span
                    break
            for cue in self._by_last.get(word.folded, ()):
                start = at + 1 - len(cue.words)
                is_match = (
                    tuple(t.folded for t in search.words[max(0, start) : at + 1]) == cue.words
                )
                if is_match and cue.language in search.languages:
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
            if not (word.text[0].isupper() or word.folded in {*self._particles, *self._titles}):
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
        self.words = words
        self._names, self._text, self._kept = names, text, kept
        #: Without the hospital's unsure names: after a certain cue they are a patient's.
        self._surely_kept = surely_kept
        self._people = people()
        self.languages = dictionary.likely_languages(word.folded for word in words)
        self._language = self.languages[0]
        letters = [letter for letter in text if letter.isalpha()]
        is_capitals = sum(map(str.isupper, letters)) > ALL_CAPITALS * len(letters)
        self._has_capital = [not is_capitals and word.text[0].isupper() for word in words]

    def name_after(self, at: int, cue: _Cue, *, is_self: bool = False) -> Span | None:
        """Return the name after a cue; `is_self` after two cues, as in "ik ben mevrouw …"."""
        if at >= len(self.words) or not _AFTER_CUE.fullmatch(self._gap(at)):
            return None
        is_label = bool(_LABEL.fullmatch(self._gap(at))) and cue.weight < LIKELY
        weight = LABELLED if is_label else cue.weight
        # "de dochter van Jos", but "mijn naam is van den Broeck"
        while weight < CERTAIN and at + 1 < len(self.words) and self._is_particle(at):
            at += 1
        kept = self._kept
        if weight >= CERTAIN and (is_self or not cue.is_polite):
            self._kept = self._surely_kept
        end = self._end(at, weight, cue.language)
        word = self.words[at].folded
        if not end and weight >= LIKELY and self._people.is_first(word) and self._is_free(at):
            # A first name, however common: "mijn man peter hoest".
            after = self.words[at + 1].folded if at + 1 < len(self.words) else ""
            end = at + 1 + self._people.is_last(after)
        self._kept = kept
        return (at, end) if end else None

    def name_before(self, at: int, cue: _Cue) -> Iterator[Span]:
        """Yield the name before a cue, with the cue if it is a title."""
        start, after = at, at + len(cue.words)
        # "jan maes hier, …" introduces the writer; "… hier kunnen" is a place.
        is_signature = cue.weight < LIKELY and (
            after == len(self.words) or bool(_CLOSES.search(self._gap(after)))
        )
        while (
            start > 0
            and at - start < NAME_WORDS
            and _WITHIN.fullmatch(self._gap(start))
            and (
                self._has_capital[start - 1]
                or (is_signature and not dictionary.is_common(self.words[start - 1].folded))
            )
            and self._can_be(start - 1)
        ):
            start -= 1
        found = [word.folded for word in self.words[start:at]]
        is_named = any(self._people.has(word) or not dictionary.has(word) for word in found)
        if cue.weight < LIKELY and not is_named:
            return
        if start < at:
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
                if word.end <= start and _BEFORE_DATA.fullmatch(self._text, word.end, start):
                    yield from self._full_name(range(at, -1, -1))
                elif word.start >= end and _AFTER_DATA.fullmatch(self._text, end, word.start):
                    yield from self._full_name(range(at, len(self.words)))

    def _full_name(self, places: range) -> Iterator[Span]:
        """Yield the full name along these places, if a clause begins or ends at its far end."""
        run = [*takewhile(lambda at: self._may_be_in_name(at, places), places)]
        names = [self.words[at].folded for at in run if not self._is_particle(at)]
        edge = run[-1] + (places.step > 0) if run else 0
        if (
            1 < len(names) <= NAME_WORDS
            and any(self._people.has(word) or not dictionary.has(word) for word in names)
            and (edge in (0, len(self.words)) or _CLOSES.search(self._gap(edge)))
        ):
            yield min(run), max(run) + 1

    def _may_be_in_name(self, at: int, places: range) -> bool:
        is_next = at == places[0] or self._is_within(max(at, at - places.step))
        is_name = self._has_capital[at] and self._can_be(at)
        return is_next and (
            self._is_particle(at) or (is_name and not self._is_ordinary(at, self._language))
        )

    def repeated(self, spans: Sequence[Span]) -> list[Span]:
        """Return where a word of these names occurs again."""
        names = {
            self.words[at].folded
            for start, end in spans
            for at in range(start, end)
            if len(self.words[at].text) >= REPEATED
            and self.words[at].folded not in self._names._particles
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
        is_first, is_last = self._people.is_first(word.folded), self._people.is_last(word.folded)
        if not (is_first or (is_last and self._has_capital[at])):
            return 0
        if self._is_ordinary(at, language) or self._is_no_name(at):
            return 0
        end = self._end(at, LIKELY, language)
        named = [
            t.folded for t in self.words[at + 1 : end] if t.folded not in self._names._particles
        ]
        is_listed = any(map(self._people.has, named))
        if named and is_first:
            is_plain = not dictionary.is_common(word.folded)
            surely = is_plain or (self._has_capital[at] and not self._begins(at))
            return end if is_listed or surely else 0
        if named:
            return end if any(map(self._people.is_first, named)) else 0
        is_inside = is_first and self._has_capital[at] and not self._begins(at)
        is_plain = not self._is_everyday(word.folded, language)
        # In German every noun has a capital.
        return end if is_inside and is_plain and language != GERMAN else 0

    def _end(self, at: int, weight: float, language: str) -> int:
        """Return the end of a name that begins here; 0 if none does."""
        end, count, here = 0, 0, at
        while here < len(self.words) and count < NAME_WORDS:
            word = self.words[here]
            if here > at and not self._is_within(here):
                break
            if word.folded in self._names._particles and here not in self._kept:
                here += 1
                continue
            if len(word.text) == 1 and self._has_capital[here]:  # An initial.
                here += 1
                continue
            fits = (
                self._continues(here, language, weight)
                if count
                else self._starts(here, weight, language)
            )
            # "De Wit" is a name, although "wit" is a word.
            fits = fits or (here > at and not count and self._is_whole(at, here))
            if not fits:
                break
            count, here = count + 1, here + 1
            end = here
        return end

    def _starts(self, at: int, weight: float, language: str) -> bool:
        """Return whether a name can begin here."""
        word = self.words[at].folded
        is_free = self._can_be(at) and not self._is_ordinary(at, language)
        if not is_free or (weight < CERTAIN and self._is_no_name(at)):
            return False
        if self._has_capital[at]:
            return self._starts_with_capital(at, weight, language)
        if weight >= CERTAIN:
            return self._starts_without_capital(at, weight, language)
        is_listed = self._people.is_first(word) or (weight >= LIKELY and self._people.is_last(word))
        return is_listed and not self._is_everyday(word, language)

    def _is_no_name(self, at: int) -> bool:
        """Return whether a word is short ("US"), a verb, or a day or month without a surname."""
        written = self.words[at].text
        is_short = self._has_capital[at] and written.isupper() and 1 < len(written) <= ABBREVIATED
        # Greek has a genitive: "το ραντεβού της Παρασκευής".
        day = self.words[at].folded.removesuffix("σ")
        is_date = day in CALENDAR and not self._has_capital_next(at)
        is_word = not self._has_capital[at] and self.words[at].folded in self._names._words
        return is_short or is_date or is_word

    def _starts_without_capital(self, at: int, weight: float, language: str) -> bool:
        """Return whether a name in lower case begins here, after a certain cue."""
        word = self.words[at].folded
        if self._people.has(word):
            return True
        if weight >= LABELLED:
            return not (self._is_everyday(word, language) or self._is_next_label(at, weight))
        return language != GERMAN and not dictionary.has(word)

    def _starts_with_capital(self, at: int, weight: float, language: str) -> bool:
        word = self.words[at].folded
        if self._people.has(word) or weight >= CERTAIN or not dictionary.has(word):
            return True
        is_plain = not self._is_everyday(word, language)
        return is_plain and (weight >= LIKELY or self._has_capital_next(at))

    def _continues(self, at: int, language: str, weight: float) -> bool:
        """Return whether the name continues here."""
        word = self.words[at].folded
        is_surname = self._people.is_last(word) and not dictionary.is_everyday(word)
        if not self._can_be(at) or (self._is_ordinary(at, language) and not is_surname):
            return False
        is_named, is_new = self._people.has(word), not dictionary.has(word)
        if self._has_capital[at]:
            is_noun = language == GERMAN and self._is_everyday(word, language)
            return is_named or is_new or not is_noun
        if self._is_everyday(word, language) or self._is_next_label(at, weight):
            return False
        is_new = not any(map(dictionary.has, (word, base(word, language))))
        # A verb may follow a relative's name: "mijn zoon Finn hoest".
        return is_named or is_new or (weight != LIKELY and not self._has_capital[at - 1])

    def _is_next_label(self, at: int, weight: float) -> bool:
        """Return whether the next field of a form begins here: "naam: jan maes geb. datum: …"."""
        pattern = _NEXT_LABEL if weight >= LABELLED else _COLON
        return bool(pattern.match(self._text, self.words[at].end))

    def _is_particle(self, at: int) -> bool:
        return self.words[at].text in self._names._particles

    def _has_capital_next(self, at: int) -> bool:
        after = at + 1
        return after < len(self.words) and self._is_within(after) and self._has_capital[after]

    def _is_whole(self, at: int, last: int) -> bool:
        return self._people.is_last("".join(t.folded for t in self.words[at : last + 1]))

    def _can_be(self, at: int) -> bool:
        word = self.words[at]
        return not (
            at in self._kept
            or any(character.isdigit() for character in word.text)
            or (word.start and self._text[word.start - 1] == "[")
            or (word.folded in self._names._by_first and not self._people.has(word.folded))
        )

    def _is_ordinary(self, at: int, language: str) -> bool:
        word = self.words[at].folded
        if self._names._is_known(word, language):
            return True
        is_name = self._has_capital[at] and self._people.has(word)
        return not is_name and word in dictionary.everyday(language)

    def _is_free(self, at: int) -> bool:
        """Return whether a word is everyday in none of the languages that the text may be in."""
        word = self.words[at].folded
        is_everyday = any(word in dictionary.everyday(code) for code in self.languages)
        return not (is_everyday or self._is_no_name(at)) and self._can_be(at)

    def _is_everyday(self, word: str, language: str) -> bool:
        return word in dictionary.common(language)

    def _begins(self, at: int) -> bool:
        return bool(_ENDS.search(self._gap(at))) or at == 0

    def _gap(self, at: int) -> str:
        """Return the text between a word and the one before it."""
        before = self.words[at - 1].end if at else 0
        return self._text[before : self.words[at].start]

    def _is_within(self, at: int) -> bool:
        after_initial = len(self.words[at - 1].text) == 1 and _AFTER_INITIAL.fullmatch(
            self._gap(at)
        )
        return bool(after_initial or _WITHIN.fullmatch(self._gap(at)))
