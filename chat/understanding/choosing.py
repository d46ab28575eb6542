"""Which of several that were offered somebody means: "Nele", "die van de kinderen", "de tweede"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chat.turn import Understanding
from chat.understanding.reader import Reader
from chat.understanding.reading import QuestionWords
from taxonomy.kinds import Kind
from taxonomy.lexicon import FUNCTION
from taxonomy.resolvers import Match
from taxonomy.tokens import folded, stem
from taxonomy.vocabulary import Thing

#: Concepts that count what was offered.
PLACES: Mapping[str, int] = {
    "ordinal_first": 0, "ordinal_second": 1, "ordinal_third": 2, "ordinal_last": -1,
}  # fmt: skip
#: Fields that tell one doctor from another of the same name.
TELLING = ("first_name", "specialty")


def choice_of(read: QuestionWords, earlier: Understanding, reader: Reader) -> dict[str, Any]:
    """Return what was asked before, of the one of several that a message means; nothing where it
    leaves more than one."""
    offered = next((match for match in earlier.matches if match.is_ambiguous), None)
    if offered is None:
        return {}
    options = (offered.thing, *offered.alternatives)
    left = options
    for fit in _signs(options, read, reader):
        left = tuple(each for each in left if each in fit) or left
    if len(left) > 1:
        return {}
    match = Match(left[0], offered.text, "chosen")
    matches = tuple(match if each is offered else each for each in earlier.matches)
    asked = {name: getattr(earlier, name) for name in ("intent", "topic", "terms", "wants_list")}
    return {**asked, "confidence": 1.0, "matches": matches}


def _signs(
    options: Sequence[Thing], read: QuestionWords, reader: Reader
) -> Iterator[Sequence[Thing]]:
    """Yield whom each thing that is said fits: a place in the list, a day, a language, what is
    named, and words by which only some of them are called."""
    vocabulary = reader.index.vocabulary
    for concept in PLACES.keys() & set(read.concepts):
        yield options[PLACES[concept] :][:1]
    filters = reader.filters(read.text, read.detected.language)
    if filters:
        yield filters.keep(options, vocabulary)
    named = {match.thing for match in read.matches}
    campuses = {thing for thing in named if thing.kind is Kind.CAMPUS}
    places = {place for thing in named for place in vocabulary.departments_of(thing)}
    yield [each for each in options if not campuses.isdisjoint(vocabulary.campuses_of(each))]
    yield [each for each in options if not places.isdisjoint(vocabulary.departments_of(each))]
    own, words = reader.language, [word.folded for word in read.words]
    spoken = {stem(word, own) for word in words} | set(read.concepts)
    described = {each: _description(each, reader) for each in options}
    of_all = frozenset.intersection(*described.values())
    yield [each for each in options if not spoken.isdisjoint(described[each] - of_all)]


def _description(thing: Thing, reader: Reader) -> frozenset[str]:
    """Return the stems and concepts of the words by which a thing is told from its namesakes."""
    own, departments = reader.language, reader.index.vocabulary.departments_of(thing)
    called = (alias.text for place in departments for alias in place.aliases)
    texts = (thing.name, *map(thing.get, TELLING), *(d.name for d in departments), *called)
    words = [word for text in texts for word in folded(text)]
    firsts = (use.concepts[0] for use in reader.lexicon.read(words, own))
    joining = reader.lexicon.stop_words(own)
    stems = (stem(word, own) for word in words if word not in joining)
    return frozenset((*stems, *(each.name for each in firsts if each.kind != FUNCTION)))
