"""All that questions to one hospital are understood with, built once per published version."""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Reader:
    """All that questions to one hospital are understood with. Derived once per version."""

    index: ResolverIndex
    lexicon: Lexicon
    cues: CueBook
    examples: ExampleIndex
    sketcher: Sketcher
    classifier: Classifier[Intent]
    #: What emergencies sound like, beside the rules.
    alarms: Alarms
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


_warnings = Shared(_warn)
#: Where no example is affected by what has changed, nothing is learned anew.
_lessons = Shared(_learn)


def reader_of(snapshot: Snapshot) -> Reader:
    """Return a version's reader; use it through `snapshot.derived(reader_of)`."""
    index, lexicon = snapshot.derived(resolver_index), snapshot.derived(lexicon_of)
    cues, profile = snapshot.derived(cue_book_of), snapshot.profile
    sketcher = Sketcher(lexicon, index, cues)
    examples = examples_of(snapshot.rows_of(EXAMPLE_ROWS))
    heard, flags, told = meanings(), snapshot.derived(red_flags_of), told_of(snapshot)
    hearing = heard.model if heard else ""

    def learn() -> Arrays:
        read = tuple((e, sketcher.of_example(e.text, e.language)) for e in examples)
        lessons = _Lessons(read, heard, lexicon, hearing)
        learned = _lessons.of(lessons)
        alarms = _warnings.of(_Warnings(told, lessons, flags, sketcher))
        return {
            **named(EXAMPLES, learned.examples.kept),
            **named(LEARNED, learned.classifier.kept),
            **named(ALARMS, alarms.kept),
        }

    kept = shelf.of(key_of(snapshot, hearing), learn)
    return Reader(
        index=index,
        lexicon=lexicon,
        cues=cues,
        examples=ExampleIndex.again(examples, only(EXAMPLES, kept)),
        sketcher=sketcher,
        classifier=Classifier.again(only(LEARNED, kept), INTENTS),
        alarms=Alarms.again(flags, told, only(ALARMS, kept)),
        meanings=heard,
        rewriter=snapshot.derived(rewriter_of),
        advice=snapshot.derived(advice_cues_of),
        elsewhere=snapshot.derived(elsewhere_of),
        language=profile.default_language,
        us=frozenset(join(folded(name)) for name in (profile.short_name, profile.name) if name),
    )
