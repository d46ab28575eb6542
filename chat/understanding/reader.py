"""All that questions to one hospital are understood with, built once per published version."""

from __future__ import annotations

from dataclasses import dataclass, field

from chat.safety.advice import AdviceCues, advice_cues_of
from chat.safety.elsewhere import Elsewhere, elsewhere_of
from chat.understanding.classifier import Classifier
from chat.understanding.cues import CueBook, cue_book_of
from chat.understanding.examples import ROWS as EXAMPLE_ROWS
from chat.understanding.examples import Example, ExampleIndex, examples_of
from chat.understanding.features import Sketch, Sketcher
from chat.understanding.meaning import Meanings, meanings
from chat.understanding.rewrite import Rewriter, rewriter_of
from retrieval.pages import Headings
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.resolvers import ResolverIndex, resolver_index
from taxonomy.snapshot import Shared, Snapshot
from taxonomy.tokens import folded, join


@dataclass(frozen=True, slots=True)
class Reader:
    """All that questions to one hospital are understood with. Derived once per version."""

    index: ResolverIndex
    lexicon: Lexicon
    cues: CueBook
    examples: ExampleIndex
    sketcher: Sketcher
    classifier: Classifier
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
    classifier: Classifier


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
        Classifier([(e.intent, sketch.features) for e, sketch in lessons.read], meant),
    )


#: Where no example is affected by what has changed, nothing is learned anew.
_lessons = Shared(_learn)


def reader_of(snapshot: Snapshot) -> Reader:
    """Return a version's reader; use it through `snapshot.derived(reader_of)`."""
    index, lexicon = snapshot.derived(resolver_index), snapshot.derived(lexicon_of)
    cues, profile = snapshot.derived(cue_book_of), snapshot.profile
    sketcher = Sketcher(lexicon, index, cues)
    examples = examples_of(snapshot.rows_of(EXAMPLE_ROWS))
    read, heard = tuple((e, sketcher.of_example(e.text, e.language)) for e in examples), meanings()
    learned = _lessons.of(_Lessons(read, heard, lexicon, heard.model if heard else ""))
    return Reader(
        index=index,
        lexicon=lexicon,
        cues=cues,
        examples=learned.examples,
        sketcher=sketcher,
        classifier=learned.classifier,
        meanings=heard,
        rewriter=snapshot.derived(rewriter_of),
        advice=snapshot.derived(advice_cues_of),
        elsewhere=snapshot.derived(elsewhere_of),
        language=profile.default_language,
        us=frozenset(join(folded(name)) for name in (profile.short_name, profile.name) if name),
    )
