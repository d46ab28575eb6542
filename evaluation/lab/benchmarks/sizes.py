"""A hospital ten times as large as the largest, from one that is live: to measure at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from random import Random

from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing, Vocabulary

#: Entities of the largest hospital that we plan for.
LARGEST = {
    Kind.DOCTOR: 350,
    Kind.DEPARTMENT: 64,
    Kind.CONDITION: 170,
    Kind.TREATMENT: 210,
    Kind.EXAMINATION: 100,
}
_SYLLABLES = tuple(first + last for first in "bdgklmnrstv" for last in "aeo")


def enlarged(vocabulary: Vocabulary, times: int) -> Vocabulary:
    """Return a vocabulary of so many times the largest size: its own things, and others like them
    with invented words in their names."""
    invented = _words(Random(4))  # noqa: S311 (always the same words)
    things = list(vocabulary.things)
    for kind, most in LARGEST.items():
        known = [thing for thing in things if thing.kind == kind]
        lacking = most * times - len(known)
        things += [_like(thing, next(invented)) for thing in islice(cycle(known), max(0, lacking))]
    return Vocabulary(things)


def _like(thing: Thing, word: str) -> Thing:
    data, name = dict(thing.data), f"{thing.name} {word}"
    if thing.kind == Kind.DOCTOR:
        data["last_name"] = word.title()
        name = " ".join(filter(None, (thing.get("title"), thing.get("first_name"), word.title())))
    aliases = tuple(alias._replace(text=f"{alias.text} {word}") for alias in thing.aliases)
    return replace(thing, key=f"{thing.key}-{word}", name=name, aliases=aliases, data=data)


def _words(dice: Random) -> Iterator[str]:
    seen: set[str] = set()
    while True:
        word = "".join(dice.choice(_SYLLABLES) for _ in range(4))
        if word not in seen:
            seen.add(word)
            yield word
