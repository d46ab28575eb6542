"""The things that a question asks about, matched against lines of pages."""

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
#: Prefix of a concept among stems.
MEANT = "="
#: Concepts of prices, and the concept kind of times.
PRICED, TIME = frozenset({"cost", "price", "pay"}), "time"
HOLIDAY = "holiday"
#: Least probability of a need that counts, and least total of those that the whole hospital
#: answers.
LIKELY, OF_HOSPITAL = 0.1, 0.35
#: Units of an answering line's figures, by the need's value kind.
COUNTED: Mapping[str, frozenset[str]] = {
    "hours": frozenset({HOUR}), "money": frozenset({EURO}), "contact": frozenset({PHONE}),
    "duration": frozenset(DURATIONS),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """The things a question asks about, each by its stems in the asker's language and the pages',
    and by its concepts, which match in any language."""

    ctx: Context
    tools: Tools

    @cached_property
    def things(self) -> tuple[frozenset[str], ...]:
        """Return the asked things; price and time words only without others, because the form of
        the answer shows them better."""
        return self._things or self.formal

    @cached_property
    def formal(self) -> tuple[frozenset[str], ...]:
        """Return the words that only ask for a price or time."""
        return tuple(dict.fromkeys(self._sign(use) for use in self._uses if is_formal(use)))

    @property
    def priced(self) -> frozenset[int]:
        """Return which formal things ask for a price."""
        signs = {f"{MEANT}{name}" for name in PRICED}
        return frozenset(at for at, each in enumerate(self.formal) if not signs.isdisjoint(each))

    @property
    def names_holiday(self) -> bool:
        return any(f"{MEANT}{HOLIDAY}" in each for each in self.formal)

    @cached_property
    def idle(self) -> frozenset[int]:
        """Return which asked things are function words; none if all are."""
        signs = {self._sign(use) for use in self._uses if use.concepts[0].kind == FUNCTION}
        idle = frozenset(at for at, each in enumerate(self.things) if each in signs)
        return idle if len(idle) < len(self.things) else frozenset()

    @cached_property
    def wanted(self) -> frozenset[int]:
        """Return which asked things are more than a mention: for a need that the whole hospital
        answers, such as parking, those that name no entity; else all but function words."""
        told = frozenset(range(len(self.things))) - self.idle
        return told - self._mentioned or told

    @property
    def _mentioned(self) -> frozenset[int]:
        if not is_of_hospital(self.tools.reading.needs(self.ctx)):
            return frozenset()
        matches = self.ctx.understanding.matches
        named = (each.text for each in matches if each.thing.kind is not Kind.CAMPUS)
        stems = frozenset(self.tools.corpus.stem(word) for text in named for word in words(text))
        return frozenset(at for at, each in enumerate(self.things) if not stems.isdisjoint(each))

    def naming(self, text: str, language: str) -> float:
        """Return the share of the wanted things that a text names."""
        met = self.wanted & self.met(text, language)
        return len(met) / len(self.wanted) if self.wanted else 0.0

    @cached_property
    def _need(self) -> frozenset[str]:
        """Return the words for the likeliest need that the whole hospital answers."""
        needs, snapshot = self.tools.reading.needs(self.ctx), self.tools.snapshot
        if not is_of_hospital(needs):
            return frozenset()
        need = max(filter(is_general, needs), key=needs.__getitem__)
        said = words(name_of_need(need, snapshot.profile.default_language))
        return frozenset(map(self.tools.corpus.stem, said)) - stop_words_of(snapshot)

    def is_about(self, heading: str, language: str) -> bool:
        """Return whether a heading has a word for the need."""
        said = said_in(heading, language, self.tools.corpus.stem, self._lexicon)
        return is_met(self._need, said)

    @property
    def every(self) -> tuple[frozenset[str], ...]:
        """Return the asked things and the formal ones."""
        return (*self._things, *self.formal)

    def met(self, text: str, language: str, *, formal: bool = False) -> frozenset[int]:
        """Return which asked things a text matches."""
        return self._met(self.formal if formal else self.things, text, language)

    def is_of(self, line: Line, label: frozenset[int]) -> bool:
        """Return whether a line matches everything in a row's label."""
        return self._met(self.every, line.told, line.language) >= label

    def suits(self, line: Line) -> float:
        """Return the probability of a need that the line's figures answer."""
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
        """Return the asked things in a row's first cell."""
        label = line.cells[0][1] if line.cells else ""
        return self._met(self.every, label, line.language)

    def is_there(self, line: Line) -> bool:
        """Return whether a line is not under another campus than the one asked about."""
        if not self._places:
            return True
        label = line.cells[0][1] if line.cells else ""
        for level in (label, line.above):
            said = frozenset(words(level))
            if not said.isdisjoint(self._elsewhere) and said.isdisjoint(self._places):
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
    def _things(self) -> tuple[frozenset[str], ...]:
        told = dict.fromkeys(self._sign(use) for use in self._uses if not is_formal(use))
        snapshot, stem = self.tools.snapshot, self.tools.corpus.stem
        read = {at for use in self._uses for at in range(use.start, use.end)}
        rest = [word for at, word in enumerate(self._said) if at not in read]
        is_later = self.ctx.understanding.is_followup
        carried = asked_words(self.ctx, snapshot) if is_later else ()
        stop = stop_words_of(snapshot) | self._lexicon.stop_words(self._spoken)
        for word in (*rest, *carried):
            if word not in stop and not any(stem(word) in each for each in told):
                told[frozenset({stem(word)})] = None
        return tuple(told)

    @property
    def _spoken(self) -> str:
        return self.ctx.understanding.written_in

    @cached_property
    def _said(self) -> Sequence[str]:
        return words(without_marks(self.ctx.question))

    @cached_property
    def _uses(self) -> Sequence[Use]:
        return self._lexicon.read(self._said, self._spoken)

    @cached_property
    def _lexicon(self) -> Lexicon:
        return self.tools.snapshot.derived(lexicon_of)

    def _sign(self, use: Use) -> frozenset[str]:
        """Return the stems and concepts that match words of the question."""
        stem, own = self.tools.corpus.stem, self.tools.snapshot.profile.default_language
        joining = self._lexicon.stop_words(self._spoken)
        said = {stem(word) for word in self._said[use.start : use.end] if word not in joining}
        usual = (each.canonical(own) for each in use.concepts)
        said.update(stem(fold(word)) for word in usual if word and " " not in word)
        return frozenset(said | {f"{MEANT}{each.name}" for each in use.concepts})

    def _met(self, things: Iterable[frozenset[str]], text: str, language: str) -> frozenset[int]:
        said = said_in(text, language, self.tools.corpus.stem, self._lexicon)
        return frozenset(at for at, each in enumerate(things) if is_met(each, said))


def is_of_hospital(needs: Mapping[str, float]) -> bool:
    """Return whether a question is likely for what the whole hospital answers."""
    return sum(chance for need, chance in likely(needs).items() if is_general(need)) >= OF_HOSPITAL


def likely(needs: Mapping[str, float]) -> Mapping[str, float]:
    """Return the needs that a question may have; what is spread over all others tells nothing."""
    return {need: chance for need, chance in needs.items() if chance >= LIKELY}


def is_formal(use: Use) -> bool:
    """Return whether words only ask for a price or time."""
    return any(each.kind == TIME or each.name in PRICED for each in use.concepts)


def is_met(asked: frozenset[str], said: frozenset[str]) -> bool:
    """Return whether a text matches an asked thing, also inside a longer word."""
    if not asked.isdisjoint(said):
        return True
    parts = [each for each in asked if len(each) >= PART_OF_WORD and each[0] != MEANT]
    return any(part in word for part in parts for word in said if word[0] != MEANT)


def units_of(snapshot: Snapshot) -> Callable[[str, str], frozenset[str]]:
    """Return the reader of the units of a text's figures, shared with the checks."""
    read = snapshot.derived(knowledge_of).figures.read
    return lru_cache(maxsize=REMEMBERED)(
        lambda text, language: frozenset(each.unit for each in read(text, language))
    )


@lru_cache(maxsize=REMEMBERED)
def said_in(
    text: str, language: str, stem: Callable[[str], str], lexicon: Lexicon
) -> frozenset[str]:
    """Return the stems of a text and, prefixed, its concepts."""
    said = words(text)
    meant = (each.name for use in lexicon.read(said, language) for each in use.concepts)
    return frozenset(map(stem, said)) | {f"{MEANT}{name}" for name in meant}
