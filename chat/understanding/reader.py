"""All that questions to one hospital are understood with, built once per published version."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from chat.safety.advice import AdviceCues, advice_cues_of
from chat.safety.elsewhere import Elsewhere, elsewhere_of
from chat.safety.red_flags import RedFlags, red_flags_of
from chat.understanding.alarm import Alarms, Told, heard_as, told_of
from chat.understanding.alarm import Heard as HeardAs
from chat.understanding.classifier import INTENTS, Classifier
from chat.understanding.cues import CueBook, cue_book_of
from chat.understanding.examples import ROWS as EXAMPLE_ROWS
from chat.understanding.examples import Example, ExampleIndex, examples_of
from chat.understanding.features import Sketch, Sketcher
from chat.understanding.keeping import Arrays, key_of, named, only, shelf
from chat.understanding.lessons import lessons_of
from chat.understanding.meaning import Meanings, meanings
from chat.understanding.rewrite import Rewriter, rewriter_of
from retrieval.embedding import Matrix
from retrieval.intents import Intent
from retrieval.pages import Headings
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.resolvers import ResolverIndex, resolver_index
from taxonomy.snapshot import Shared, Snapshot
from taxonomy.tokens import folded, join

#: Under which names what is learned is kept.
EXAMPLES, LEARNED, ALARMS = "examples", "intents", "alarms"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Wisdom:
    """What is learned from examples: the same for all versions and hospitals of equal lessons."""

    examples: ExampleIndex
    classifier: Classifier[Intent]
    #: What emergencies sound like, beside the rules.
    alarms: Alarms


@dataclass(frozen=True, slots=True)
class Reader:
    """All that questions to one hospital are understood with. Derived once per version."""

    index: ResolverIndex
    lexicon: Lexicon
    cues: CueBook
    wisdom: Wisdom
    sketcher: Sketcher
    #: What sentences mean as a whole; nothing where the embedder hears only words.
    meanings: Meanings | None
    rewriter: Rewriter
    advice: AdviceCues
    elsewhere: Elsewhere
    #: The hospital's language.
    language: str
    #: The folded words by which the hospital is called.
    us: frozenset[str]
    #: The titles and headings of the hospital's pages, which change without a version.
    headings: Headings = Headings()

    @property
    def examples(self) -> ExampleIndex:
        return self.wisdom.examples

    @property
    def classifier(self) -> Classifier[Intent]:
        return self.wisdom.classifier

    @property
    def alarms(self) -> Alarms:
        return self.wisdom.alarms


@dataclass(frozen=True, slots=True)
class _Learned:
    """What the examples teach."""

    examples: ExampleIndex
    classifier: Classifier[Intent]
    #: What each example means as a whole.
    meant: Matrix | None


@dataclass(frozen=True, slots=True)
class _Lessons:
    """What is learned from: examples as they are read, and what is not compared anew."""

    read: tuple[tuple[Example, Sketch], ...]
    meanings: Meanings | None = field(compare=False)
    lexicon: Lexicon = field(compare=False)
    #: Who heard the sentences.
    hearing: str


def _learn(lessons: _Lessons) -> _Learned:
    examples = [example for example, _ in lessons.read]
    heard = lessons.meanings
    meant = heard.of_examples(examples, lessons.lexicon) if heard else None
    return _Learned(
        ExampleIndex(examples, [sketch.worded for _, sketch in lessons.read]),
        Classifier(
            [(e.intent, sketch.features) for e, sketch in lessons.read], meant, labels=INTENTS
        ),
        meant,
    )


@dataclass(frozen=True, slots=True)
class _Warnings:
    """What emergencies are learned from: examples, and questions that are ordinary."""

    told: tuple[Told, ...]
    ordinary: _Lessons
    flags: RedFlags
    sketcher: Sketcher = field(compare=False)


def _warn(of: _Warnings) -> Alarms:
    heard, lexicon = of.ordinary.meanings, of.ordinary.lexicon
    return Alarms(
        of.flags,
        of.told,
        HeardAs(
            tuple(
                heard_as(one.text, of.sketcher.of_example(one.text, one.language), of.flags)
                for one in of.told
            ),
            heard.of_examples(of.told, lexicon) if heard else None,
        ),
        HeardAs(
            tuple(heard_as(e.text, sketch, of.flags) for e, sketch in of.ordinary.read),
            _lessons.of(of.ordinary).meant,
        ),
    )


_warnings = Shared(_warn, most=1)
#: Where no example is affected by what has changed, nothing is learned anew. Only the latest: what
#: was learned is on the shelf, and the sketches of ten thousand examples are not small.
_lessons = Shared(_learn, most=1)


#: As long as a version is held that is read with it.
_wisdom: WeakValueDictionary[str, Wisdom] = WeakValueDictionary()


def _taught(lessons: Snapshot, heard: Meanings | None) -> Arrays:
    """Return what the examples of some lessons teach, as it is kept."""
    lexicon, cues = lessons.derived(lexicon_of), lessons.derived(cue_book_of)
    sketcher = Sketcher(lexicon, lessons.derived(resolver_index), cues)
    examples = examples_of(lessons.rows_of(EXAMPLE_ROWS))
    read = tuple((e, sketcher.of_example(e.text, e.language)) for e in examples)
    ordinary = _Lessons(read, heard, lexicon, _hearing(heard))
    learned, flags = _lessons.of(ordinary), lessons.derived(red_flags_of)
    alarms = _warnings.of(_Warnings(told_of(lessons), ordinary, flags, sketcher))
    return {
        **named(EXAMPLES, learned.examples.kept),
        **named(LEARNED, learned.classifier.kept),
        **named(ALARMS, alarms.kept),
    }


def _hearing(heard: Meanings | None) -> str:
    return heard.model if heard else ""


def _learned_from(snapshot: Snapshot, heard: Meanings | None) -> Wisdom:
    """Return what a version's examples teach; learned once for equal lessons, and kept."""
    lessons = lessons_of(snapshot)
    key = key_of(lessons, _hearing(heard))
    if found := _wisdom.get(key):
        return found
    kept = shelf.of(key, lambda: _taught(lessons, heard))
    flags, told = snapshot.derived(red_flags_of), told_of(snapshot)
    examples = examples_of(snapshot.rows_of(EXAMPLE_ROWS))
    found = Wisdom(
        ExampleIndex.again(examples, only(EXAMPLES, kept)),
        Classifier.again(only(LEARNED, kept), INTENTS),
        Alarms.again(flags, told, only(ALARMS, kept)),
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
        language=profile.default_language,
        us=frozenset(join(folded(name)) for name in (profile.short_name, profile.name) if name),
    )
