"""Milliseconds of resolving a question, and of looking words up in SNOMED CT.

For `python -m lab benchmark`, in processor time: nothing is waited for. SNOMED CT is measured on
the release that is loaded, for a hospital with as many stamped things as a large one, or on
invented terms where none is; resolving, at ten times the size of a large one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from random import Random
from time import thread_time

from django.db import connection

from taxonomy.language.lexicon import lexicon_of
from taxonomy.language.tokens import folded
from taxonomy.publishing.live import live_snapshot
from taxonomy.resolvers import ResolverIndex, resolve
from taxonomy.snomed.linking import MOST_TERMS, current_release_id, terminology_of
from taxonomy.vocabulary import Kind, ReferenceTerm, Terminology, Thing, Vocabulary

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


#: Conditions, treatments and examinations of a large hospital (spec 01).
THINGS = 480
QUESTIONS = 2_000
LOOK_UP = "SNOMED: all words of a question"
#: Words that follow each other and are looked up together, at most.
LONGEST = 7
EXACT, MISSPELT = "resolving, ten times the size", "resolving, misspelt, ten times"
TIMES = 10
_STAMPED = """
    SELECT ancestor FROM taxonomy_snomedisa GROUP BY ancestor
    HAVING count(*) BETWEEN 5 AND 500 ORDER BY ancestor LIMIT %s"""
_TERMS = "SELECT term FROM taxonomy_snomeddescription ORDER BY id LIMIT %s"


def look_ups() -> Iterator[tuple[str, list[float]]]:
    """Yield what was measured and its seconds: on the release that is loaded, or on as many
    invented terms as are ever kept of one."""
    release = current_release_id()
    if not release:
        yield from _invented()
        return
    stamped = _column(_STAMPED, THINGS)
    things = [Thing(Kind.CONDITION, str(c), str(c), data={"snomed": str(c)}) for c in stamped]
    started = thread_time()
    terminology = terminology_of(Vocabulary(things), "nl", release)
    yield f"SNOMED: read {len(terminology):,} terms", [thread_time() - started]
    questions = [f"kan ik terecht met {term} en wanneer" for term in _column(_TERMS, QUESTIONS)]
    yield LOOK_UP, [_seconds(str(question), terminology) for question in questions]


def _invented() -> Iterator[tuple[str, list[float]]]:
    random = Random(5)  # noqa: S311 (a sample)
    things = [(Thing(Kind.CONDITION, str(n), str(n)),) for n in range(THINGS)]
    said = [
        [f"woord{random.randrange(60_000)}" for _ in range(random.randint(1, 4))]
        for _ in range(MOST_TERMS)
    ]
    started = thread_time()
    terminology = Terminology(
        ReferenceTerm("".join(words), "nl", len(words), things[n % THINGS], n % 4)
        for n, words in enumerate(said)
    )
    yield f"SNOMED: index {len(terminology):,} invented terms", [thread_time() - started]
    asked = [f"kan ik terecht met {' '.join(words)} en wanneer" for words in said[:QUESTIONS]]
    yield LOOK_UP, [_seconds(question, terminology) for question in asked]


def resolving() -> Iterator[tuple[str, list[float]]]:
    """Yield the seconds of resolving questions that name something, as written and misspelt."""
    snapshot = live_snapshot()
    vocabulary = enlarged(snapshot.vocabulary, TIMES)
    language = snapshot.profile.default_language
    index = ResolverIndex(vocabulary, snapshot.derived(lexicon_of), language)
    named = [thing.name for thing in vocabulary.things if thing.kind in LARGEST]
    chosen = Random(4).sample(named, min(QUESTIONS, len(named)))  # noqa: S311 (a sample)
    for row, spell in ((EXACT, str), (MISSPELT, misspelt)):
        asked = [f"waar kan ik terecht voor {spell(name)} en wanneer" for name in chosen]
        for question in asked[:100]:
            resolve(question, index, language)
        yield row, [_resolving(question, index, language) for question in asked]


def misspelt(name: str) -> str:
    """Return a name with two letters of its longest word changed round."""
    longest = max(name.split(), key=len)
    middle = len(longest) // 2
    swapped = (
        f"{longest[: middle - 1]}{longest[middle]}{longest[middle - 1]}{longest[middle + 1 :]}"
    )
    return name.replace(longest, swapped, 1)


def _resolving(question: str, index: ResolverIndex, language: str) -> float:
    started = thread_time()
    resolve(question, index, language)
    return thread_time() - started


def _column(sql: str, count: int) -> list[object]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [count])
        return [row[0] for row in cursor.fetchall()]


def _seconds(question: str, terminology: Terminology) -> float:
    words = folded(question)
    started = thread_time()
    for start in range(len(words)):
        key = ""
        for word in words[start : start + LONGEST]:
            key += word
            terminology.find(key)
    return thread_time() - started
