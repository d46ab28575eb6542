"""All that questions to one hospital are understood with, built once per published version."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypeAlias
from weakref import WeakValueDictionary

from chat.question.cues import ROWS as CUE_ROWS
from chat.question.cues import CueBook, cue_book_of
from chat.question.learned.classifier import INTENTS, Classifier
from chat.question.learned.examples import ROWS as EXAMPLE_ROWS
from chat.question.learned.examples import ExampleIndex, examples_of
from chat.question.learned.features import Sketcher
from chat.question.learned.sentence_vectors import Meanings, meanings
from chat.question.learned.store import Arrays, key_of, named, only, shelf
from chat.question.rewrite import Rewriter, rewriter_of
from chat.safety.advice import AdviceCues, Elsewhere, advice_cues_of, elsewhere_of
from chat.sources.lookup import reader_of as criteria_of
from chat.turn import Turn, Understanding
from retrieval.intents import Intent
from retrieval.passage import Headings
from taxonomy.kinds import Kind
from taxonomy.lexicon import ROWS as LEXICON_ROWS
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.lookup.filters import Filters
from taxonomy.resolvers import ResolverIndex, resolver_index
from taxonomy.resolvers.complaints import ROWS as COMPLAINT_ROWS
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.tokens import folded, join
from taxonomy.vocabulary import Fact, Thing, Vocabulary

#: Rows that examples are read with, beside themselves.
TEACHING = (CUE_ROWS, EXAMPLE_ROWS, LEXICON_ROWS, COMPLAINT_ROWS)
#: Fields by which things are found in an example. Doctors are not: examples name nobody.
FINDING = ("latin", "sort", "snomed")


def lessons_of(snapshot: Snapshot) -> Snapshot:
    """Return a version with only what its examples are read by."""
    known = snapshot.vocabulary
    things = {thing: _bare(thing) for thing in known.things if thing.kind is not Kind.DOCTOR}
    facts = (
        Fact(things[fact.subject], fact.predicate, things[fact.object])
        for fact in known.facts
        if fact.subject in things and fact.object in things
    )
    return Snapshot(
        hospital_id=snapshot.hospital_id,
        version=snapshot.version,
        profile=Profile(default_language=snapshot.profile.default_language),
        vocabulary=Vocabulary(things.values(), facts),
        rows={name: snapshot.rows_of(name) for name in TEACHING},
        digests={name: known for name, known in snapshot.digests.items() if name in TEACHING},
        terminology=snapshot.terminology,
        snomed=snapshot.snomed,
    )


def _bare(thing: Thing) -> Thing:
    said = {name: thing.data[name] for name in FINDING if name in thing.data}
    return replace(thing, url="", data=said, former_keys=())


#: How many are held, of each version.
MOST = 512
#: A fingerprint of all that a question came with, and the pages that there were.
Key: TypeAlias = tuple[bytes, Headings]


class Recent:
    """What one reader made of the latest questions, found again by a fingerprint of each."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Understanding] = OrderedDict()
        self._lock = Lock()

    def keep(self, turn: Turn, headings: Headings, found: Understanding) -> None:
        with self._lock:
            self._known[_key(turn, headings)] = found
            if len(self._known) > MOST:
                self._known.popitem(last=False)

    def of(
        self, turn: Turn, headings: Headings, understand: Callable[[], Understanding]
    ) -> Understanding:
        """Return how a turn was understood, or understand it now."""
        known = self._known.get(_key(turn, headings))
        return understand() if known is None else known


def _key(turn: Turn, headings: Headings) -> Key:
    return hashlib.sha256(repr(turn).encode()).digest(), headings


#: Under which names what is learned is kept.
EXAMPLES, LEARNED = "examples", "intents"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Wisdom:
    """What is learned from examples: the same for all versions and hospitals of equal lessons."""

    examples: ExampleIndex
    classifier: Classifier[Intent]


@dataclass(frozen=True, slots=True)
class Reader:
    """All that questions to one hospital are understood with. Derived once per version."""

    index: ResolverIndex
    lexicon: Lexicon
    cues: CueBook
    wisdom: Wisdom
    sketcher: Sketcher
    #: What sentences mean as a whole.
    meanings: Meanings
    rewriter: Rewriter
    advice: AdviceCues
    elsewhere: Elsewhere
    #: Reads days, languages and the like out of a question in a language.
    filters: Callable[[str, str], Filters]
    #: The hospital's language.
    language: str
    #: The folded words by which the hospital is called.
    us: frozenset[str]
    #: The titles and headings of the hospital's pages, which change without a version.
    headings: Headings = Headings()
    #: Shared by all readers of the version, whatever the pages.
    recent: Recent = field(default_factory=Recent, compare=False, repr=False)

    @property
    def examples(self) -> ExampleIndex:
        return self.wisdom.examples

    @property
    def classifier(self) -> Classifier[Intent]:
        return self.wisdom.classifier


#: As long as a version is held that is read with it.
_wisdom: WeakValueDictionary[str, Wisdom] = WeakValueDictionary()


def _learn(lessons: Snapshot, heard: Meanings) -> Arrays:
    """Return what the examples of some lessons teach, as it is kept."""
    lexicon, cues = lessons.derived(lexicon_of), lessons.derived(cue_book_of)
    sketcher = Sketcher(lexicon, lessons.derived(resolver_index), cues)
    examples = examples_of(lessons.rows_of(EXAMPLE_ROWS))
    sketches = [sketcher.of_example(e.text, e.language) for e in examples]
    meant = heard.of_examples(examples, lexicon)
    labelled = [(e.intent, s.features) for e, s in zip(examples, sketches, strict=True)]
    return {
        **named(EXAMPLES, ExampleIndex(examples, [sketch.worded for sketch in sketches]).kept),
        **named(LEARNED, Classifier(labelled, meant, labels=INTENTS).kept),
    }


def _learned_from(snapshot: Snapshot, heard: Meanings) -> Wisdom:
    """Return what a version's examples teach; learned once for equal lessons, and kept."""
    lessons = lessons_of(snapshot)
    key = key_of(lessons, heard.model)
    if found := _wisdom.get(key):
        return found
    kept = shelf.of(key, lambda: _learn(lessons, heard))
    examples = examples_of(snapshot.rows_of(EXAMPLE_ROWS))
    found = Wisdom(
        ExampleIndex.again(examples, only(EXAMPLES, kept)),
        Classifier.again(only(LEARNED, kept), INTENTS),
    )
    return _wisdom.setdefault(key, found)


def reader_of(snapshot: Snapshot) -> Reader:
    """Return a version's reader; use it through `snapshot.derived(reader_of)`."""
    index, lexicon = snapshot.derived(resolver_index), snapshot.derived(lexicon_of)
    cues, profile, heard = snapshot.derived(cue_book_of), snapshot.profile, meanings()
    return Reader(
        index=index,
        lexicon=lexicon,
        cues=cues,
        wisdom=_learned_from(snapshot, heard),
        sketcher=Sketcher(lexicon, index, cues),
        meanings=heard,
        rewriter=snapshot.derived(rewriter_of),
        advice=snapshot.derived(advice_cues_of),
        elsewhere=snapshot.derived(elsewhere_of),
        filters=snapshot.derived(criteria_of).read,
        language=profile.default_language,
        us=frozenset(join(folded(name)) for name in (profile.short_name, profile.name) if name),
    )
