"""What the intent of a question is recognised by: features with names that staff can read.

Words count in their own language; concepts of the lexicon, things of the taxonomy and cues count
in all languages, so that what one language's examples teach serves the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, log, sqrt

from chat.question.cues import FOLLOWUP, CueBook, CueMatches
from chat.question.learned.examples import MASKED, MaskedText, mask, masked_words
from taxonomy.lexicon import FUNCTION, Lexicon, Use
from taxonomy.resolvers import Match, ResolverIndex, resolve_wording
from taxonomy.tokens import stem

#: What groups of features weigh beside each other.
SHARES = {
    "word": 1.0, "letters": 0.6, "concept": 1.6, "thing": 1.0, "cue": 1.3, "together": 2.0,
    "form": 0.4,
}  # fmt: skip
#: What stands for a named thing where none is named, beside what is asked.
NOTHING = "{}"
#: Concepts of which one is asked about like any other.
CONCEPT_SLOTS = {"condition": "{condition}", "treatment": "{treatment}"}
#: Letters of a word, from its beginning, that are taken apart from its ending.
BEGINNING = 5
STEMMED_FROM = 4
#: How many cues of a target it takes before more say little more.
CUE_SCALE = 3.0
#: Words up to which a question is of a length.
LENGTHS = (1, 2, 4, 7, 12, 20)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A question with its names masked, and its features."""

    worded: MaskedText
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Sketcher:
    """What questions and examples are reduced to features with, in the same way."""

    lexicon: Lexicon
    index: ResolverIndex
    cues: CueBook

    def of_example(self, text: str, language: str) -> Sketch:
        """Return what an example is reduced to; its names may be masked already."""
        said = self.cues.read(masked_words(text), language)
        if "{" in text:
            return _sketch(self.lexicon, text, language, said, None)
        found = resolve_wording(text, self.index, language)
        return _sketch(self.lexicon, mask(text, found), language, said, _things(found))

    def of_question(
        self, text: str, language: str, said: CueMatches, matches: Sequence[Match]
    ) -> Sketch:
        masked = mask(text, matches)
        return _sketch(self.lexicon, masked, language, said, _things(matches))


def _things(matches: Sequence[Match]) -> tuple[str, ...]:
    things = {f"{{{match.thing.kind}}}" for match in matches if match.confidence >= MASKED}
    return tuple(sorted(things | {f"by:{match.by}" for match in matches}))


def _sketch(
    lexicon: Lexicon, masked: str, language: str, said: CueMatches, things: tuple[str, ...] | None
) -> Sketch:
    words, uses = _abstracted(lexicon, masked_words(masked), language)
    slots = [word for word in words if word.startswith("{")]
    features = features_of(words, language, uses, said, slots if things is None else things)
    concepts = (*(use.concepts[0].name for use in uses), *slots)
    return Sketch(MaskedText(tuple(words), concepts), features)


def _abstracted(
    lexicon: Lexicon, words: list[str], language: str
) -> tuple[list[str], tuple[Use, ...]]:
    """Return words in which diseases and treatments give way to what they are, and their concepts.

    No hospital lists them all, and "where is gout treated" is one question for all of them.
    """
    uses = lexicon.read(words, language)
    if not any(use.concepts[0].kind in CONCEPT_SLOTS for use in uses):
        return words, uses
    for use in reversed(uses):
        if slot := CONCEPT_SLOTS.get(use.concepts[0].kind):
            words[use.start : use.end] = [slot]
    return words, lexicon.read(words, language)


def features_of(
    words: Sequence[str],
    language: str,
    uses: Sequence[Use],
    said: CueMatches,
    things: Iterable[str],
) -> dict[str, float]:
    """Return the features of folded words, of which names are masked ("{doctor}")."""
    things, cues = tuple(things), _cues(said)
    groups: dict[str, Mapping[str, float]] = {
        "word": _words(words, language),
        "letters": Counter(
            f"{language}:{word[:BEGINNING]}…"
            for word in words
            if len(word) > BEGINNING and not word.startswith("{")
        ),
        "concept": _concepts(words, uses),
        "thing": Counter(things),
        "cue": cues,
        "together": _together({*things, *words}, cues),
        "form": _form(words),
    }
    found: dict[str, float] = {}
    for group, counted in groups.items():
        found |= weighed(counted, SHARES[group])
    return found


def _words(words: Sequence[str], language: str) -> Counter[str]:
    stems = [
        stem(word, language) if len(word) >= STEMMED_FROM and not word.startswith("{") else word
        for word in words
    ]
    pairs = zip(["^", *words], [*words, "$"], strict=True)
    return Counter(
        [f"{language}:{word}" for word in stems]
        + [f"{language}:{first} {second}" for first, second in pairs]
    )


def _concepts(words: Sequence[str], uses: Sequence[Use]) -> Counter[str]:
    """Return what is spoken of, in whatever language, alone and in pairs."""
    spoken: list[tuple[int, str]] = [(use.start, use.concepts[0].name) for use in uses]
    spoken += [(at, word) for at, word in enumerate(words) if word.startswith("{")]
    names = [name for _, name in sorted(spoken)]
    # That a question has articles and the like is no sign of anything.
    kinds = sorted({f"#kind:{use.concepts[0].kind}" for use in uses} - {f"#kind:{FUNCTION}"})
    pairs = [f"#{first}+{second}" for first, second in pairwise(names)]
    skips = [f"#{first}..{second}" for first, second in zip(names, names[2:], strict=False)]
    return Counter([*(f"#{name}" for name in names), *kinds, *pairs, *skips])


def _cues(said: CueMatches) -> dict[str, float]:
    weight = said.weight(FOLLOWUP)
    return {f"{FOLLOWUP}:": 1 - exp(-weight / CUE_SCALE)} if weight else {}


def _together(spoken: Iterable[str], cues: Iterable[str]) -> Counter[str]:
    """Return what is asked beside what it is asked of: "which department", and of a disease.

    Neither says alone what both say together, and sums of their weights cannot.
    """
    asked = sorted(cues)
    named = sorted(name for name in spoken if name.startswith("{")) or [NOTHING]
    return Counter(
        [f"{thing}&{cue}" for thing in named for cue in asked]
        + [f"{one}&{other}" for one, other in combinations(asked, 2)]
    )


def _form(words: Sequence[str]) -> Counter[str]:
    return Counter([f"length:{sum(len(words) > edge for edge in LENGTHS)}"])


def weighed(counted: Mapping[str, float], share: float) -> dict[str, float]:
    """Return the features of a group at what the group weighs beside others."""
    weights = {name: 1 + log(times) if times > 1 else times for name, times in counted.items()}
    length = sqrt(sum(weight * weight for weight in weights.values()))
    # A group that says a lot should not drown the others, nor one word be as loud as twenty.
    scale = share / sqrt(length) if length else 0.0
    return {name: weight * scale for name, weight in weights.items()}
