"""Terms of a question (a word's stem with its concepts), matched against lines of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from chat.checking.base import Line
from chat.checking.figures import DURATIONS, EURO, HOUR, PHONE
from chat.checking.knowledge import knowledge_of
from chat.question.content_words import asked_words, stop_words_of, without_marks
from chat.tools import Tools
from chat.turn import Context
from taxonomy.facts.needs import is_general
from taxonomy.facts.needs import kinds as kinds_of_needs
from taxonomy.facts.needs import name as name_of_need
from taxonomy.language.lexicon import FUNCTION, Lexicon, Use, lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Thing
from zol.text import fold, words

#: Minimum letters of a stem that may match inside a longer word, and the cache size.
PART_OF_WORD, REMEMBERED = 5, 16_384
#: Prefix that marks a concept among stems.
CONCEPT = "="
#: Concepts of prices, and the concept kind of times.
PRICED, TIME = frozenset({"cost", "price", "pay"}), "time"
HOLIDAY = "holiday"
#: Minimum probability of a need, and minimum total of the needs that the whole hospital answers.
LIKELY, OF_HOSPITAL = 0.1, 0.35
#: Units of the figures that answer a need, by the kind of its value.
COUNTED: Mapping[str, frozenset[str]] = {
    "hours": frozenset({HOUR}), "money": frozenset({EURO}), "contact": frozenset({PHONE}),
    "duration": frozenset(DURATIONS),
}  # fmt: skip


@dataclass(frozen=True)
class AskedTerms:
    """The terms of a question: each has stems in the asker's language and in that of the pages, and
    concepts, which match in any language."""

    ctx: Context
    tools: Tools

    @cached_property
    def terms(self) -> tuple[frozenset[str], ...]:
        """Return the terms of content, or those of price and time if there are no others.

        Price and time are better recognised by the figures of a line.
        """
        return self._content or self.formal

    @cached_property
    def formal(self) -> tuple[frozenset[str], ...]:
        """Return the terms that only ask for a price or time."""
        return tuple(dict.fromkeys(self._term(use) for use in self._uses if is_formal(use)))

    @property
    def priced(self) -> frozenset[int]:
        """Return the indices of the formal terms that ask for a price."""
        prices = {f"{CONCEPT}{name}" for name in PRICED}
        return frozenset(at for at, each in enumerate(self.formal) if not prices.isdisjoint(each))

    @property
    def names_holiday(self) -> bool:
        return any(f"{CONCEPT}{HOLIDAY}" in each for each in self.formal)

    @cached_property
    def idle(self) -> frozenset[int]:
        """Return the indices of function words; none if all terms are function words."""
        functions = {self._term(use) for use in self._uses if use.concepts[0].kind == FUNCTION}
        idle = frozenset(at for at, each in enumerate(self.terms) if each in functions)
        return idle if len(idle) < len(self.terms) else frozenset()

    @cached_property
    def wanted(self) -> frozenset[int]:
        """Return the indices of the terms that a page must name to answer the question.

        Function words never count. For a need that the whole hospital answers, such as parking,
        terms that name an entity do not count either.
        """
        content = frozenset(range(len(self.terms))) - self.idle
        return content - self._mentioned or content

    @property
    def _mentioned(self) -> frozenset[int]:
        if not is_of_hospital(self.tools.reading.needs(self.ctx)):
            return frozenset()
        matches = self.ctx.understanding.matches
        named = (each.text for each in matches if each.thing.kind is not Kind.CAMPUS)
        stems = frozenset(self._stem(word) for text in named for word in words(text))
        return frozenset(at for at, each in enumerate(self.terms) if not stems.isdisjoint(each))

    def naming(self, text: str, language: str) -> float:
        """Return the share of the wanted terms that a text contains."""
        met = self.wanted & self.met(text, language)
        return len(met) / len(self.wanted) if self.wanted else 0.0

    @cached_property
    def _need(self) -> frozenset[str]:
        """Return the stems of the name of the likeliest need that the whole hospital answers."""
        needs, snapshot = self.tools.reading.needs(self.ctx), self.tools.snapshot
        if not is_of_hospital(needs):
            return frozenset()
        need = max(filter(is_general, needs), key=needs.__getitem__)
        name = words(name_of_need(need, snapshot.profile.default_language))
        return frozenset(map(self._stem, name)) - stop_words_of(snapshot)

    def is_about(self, heading: str, language: str) -> bool:
        """Return whether a heading contains a word for the need."""
        return is_met(self._need, terms_in(heading, language, self._stem, self._lexicon))

    @property
    def every(self) -> tuple[frozenset[str], ...]:
        """Return all terms, formal ones last."""
        return (*self._content, *self.formal)

    def met(self, text: str, language: str, *, formal: bool = False) -> frozenset[int]:
        """Return the indices of the terms that a text contains."""
        return self._met(self.formal if formal else self.terms, text, language)

    def is_of(self, line: Line, label: frozenset[int]) -> bool:
        """Return whether a line contains all terms of a row's label."""
        return self._met(self.every, line.full_text, line.language) >= label

    def suits(self, line: Line) -> float:
        """Return the total probability of the needs that the line's figures can answer."""
        units, kinds = self.counted(line), kinds_of_needs()
        return sum(
            chance
            for need, chance in self.tools.reading.needs(self.ctx).items()
            if not units.isdisjoint(COUNTED.get(kinds[need], ()))
        )

    def counted(self, line: Line) -> frozenset[str]:
        """Return the units of a line's figures."""
        return self.tools.snapshot.derived(units_of)(line.text, line.language)

    def labelled(self, line: Line) -> frozenset[int]:
        """Return the indices of the terms in a row's first cell."""
        label = line.cells[0][1] if line.cells else ""
        return self._met(self.every, label, line.language)

    def is_there(self, line: Line) -> bool:
        """Return whether a line is not under another campus than the one asked about."""
        if not self._places:
            return True
        label = line.cells[0][1] if line.cells else ""
        for level in (label, line.above):
            found = frozenset(words(level))
            if not found.isdisjoint(self._elsewhere) and found.isdisjoint(self._places):
                return False
        return True

    @cached_property
    def _places(self) -> frozenset[str]:
        """Return the words that name the campus asked about and no other."""
        return self._names(self._campuses) - self._names(self._others)

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        return self._names(self._others) - self._names(self._campuses)

    def _names(self, places: Iterable[Thing]) -> frozenset[str]:
        names = (name for each in places for name in (each.name, *(a.text for a in each.aliases)))
        joining = stop_words_of(self.tools.snapshot)
        return frozenset(word for name in names for word in words(name)) - joining

    @cached_property
    def _campuses(self) -> frozenset[Thing]:
        matches = self.ctx.understanding.matches
        return frozenset(each.thing for each in matches if each.thing.kind is Kind.CAMPUS)

    @cached_property
    def _others(self) -> frozenset[Thing]:
        return frozenset(self.tools.snapshot.vocabulary.of_kind(Kind.CAMPUS)) - self._campuses

    @cached_property
    def _content(self) -> tuple[frozenset[str], ...]:
        found = dict.fromkeys(self._term(use) for use in self._uses if not is_formal(use))
        snapshot, stem = self.tools.snapshot, self._stem
        known = {at for use in self._uses for at in range(use.start, use.end)}
        unknown = [word for at, word in enumerate(self._words) if at not in known]
        is_later = self.ctx.understanding.is_followup
        carried = asked_words(self.ctx, snapshot) if is_later else ()
        stop = stop_words_of(snapshot) | self._lexicon.stop_words(self._language)
        for word in (*unknown, *carried):
            if word not in stop and not any(stem(word) in each for each in found):
                found[frozenset({stem(word)})] = None
        return tuple(found)

    @property
    def _language(self) -> str:
        return self.ctx.understanding.written_in

    @property
    def _stem(self) -> Callable[[str], str]:
        return self.tools.corpus.stem

    @cached_property
    def _words(self) -> Sequence[str]:
        return words(without_marks(self.ctx.question))

    @cached_property
    def _uses(self) -> Sequence[Use]:
        return self._lexicon.read(self._words, self._language)

    @cached_property
    def _lexicon(self) -> Lexicon:
        return self.tools.snapshot.derived(lexicon_of)

    def _term(self, use: Use) -> frozenset[str]:
        """Return the stems and concepts of words of the question that the lexicon knows."""
        stem, own = self._stem, self.tools.snapshot.profile.default_language
        stop = self._lexicon.stop_words(self._language)
        stems = {stem(word) for word in self._words[use.start : use.end] if word not in stop}
        usual = (each.canonical(own) for each in use.concepts)
        stems.update(stem(fold(word)) for word in usual if word and " " not in word)
        return frozenset(stems | {f"{CONCEPT}{each.name}" for each in use.concepts})

    def _met(self, terms: Iterable[frozenset[str]], text: str, language: str) -> frozenset[int]:
        found = terms_in(text, language, self._stem, self._lexicon)
        return frozenset(at for at, each in enumerate(terms) if is_met(each, found))


def is_of_hospital(needs: Mapping[str, float]) -> bool:
    """Return whether a question probably concerns the whole hospital, such as parking."""
    return sum(chance for need, chance in likely(needs).items() if is_general(need)) >= OF_HOSPITAL


def likely(needs: Mapping[str, float]) -> Mapping[str, float]:
    """Return the needs that are probable enough to count."""
    return {need: chance for need, chance in needs.items() if chance >= LIKELY}


def is_formal(use: Use) -> bool:
    """Return whether words only ask for a price or time."""
    return any(each.kind == TIME or each.name in PRICED for each in use.concepts)


def is_met(term: frozenset[str], found: frozenset[str]) -> bool:
    """Return whether a term is among those of a text, also as a part of a longer word."""
    if not term.isdisjoint(found):
        return True
    parts = [each for each in term if len(each) >= PART_OF_WORD and each[0] != CONCEPT]
    return any(part in word for part in parts for word in found if word[0] != CONCEPT)


def units_of(snapshot: Snapshot) -> Callable[[str, str], frozenset[str]]:
    """Return the reader of the units of a text's figures, shared with the checks."""
    read = snapshot.derived(knowledge_of).figures.read
    return lru_cache(maxsize=REMEMBERED)(
        lambda text, language: frozenset(each.unit for each in read(text, language))
    )


@lru_cache(maxsize=REMEMBERED)
def terms_in(
    text: str, language: str, stem: Callable[[str], str], lexicon: Lexicon
) -> frozenset[str]:
    """Return the stems of a text and, with a prefix, its concepts."""
    found = words(text)
    concepts = lexicon.concepts_in(found, language)
    return frozenset(map(stem, found)) | {f"{CONCEPT}{each.name}" for each in concepts}
