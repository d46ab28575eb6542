"""Hold how many labelled messages of each set and language are misunderstood to today's counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from chat.turn import Understanding
from lab.floors.sets import rows_of
from lab.paths import LAB
from retrieval.intents import Intent
from taxonomy.language.tokens import normalise, tokens
from tests.chat.question.readers import asked, reader

PHRASES = LAB / "needs" / "phrases.jsonl"
COURTESIES = ("thanks", "person", "identity")
#: What each label asks of an understanding.
LABELS: Mapping[str, Callable[[Understanding], bool]] = {
    "advice": lambda meant: meant.intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE,
    "no_advice": lambda meant: meant.intent is not Intent.OUT_OF_SCOPE_MEDICAL_ADVICE,
    "answered": lambda meant: not meant.intent.is_blocked,
    "off_topic": lambda meant: meant.intent is Intent.OFF_TOPIC,
    "on_topic": lambda meant: meant.intent is not Intent.OFF_TOPIC,
    "vague": lambda meant: meant.intent in {Intent.VAGUE_INPUT, Intent.UNKNOWN},
    "no_courtesy": lambda meant: not meant.greeting,
    "any": lambda meant: True,
} | {kind: lambda meant, kind=kind: meant.greeting == kind for kind in COURTESIES}
#: Messages of a set and label that are understood otherwise today; none of all others.
MISSED: Mapping[tuple[str, str], int] = {
    ("advice", "advice"): 1,
    ("advice", "no_advice"): 2,
    ("advice_phrases", "no_advice"): 1,
    ("after_a_meal", "no_advice"): 4,
    ("beside_a_source", "no_advice"): 1,
    ("courtesy", "identity"): 1,
    ("daily_matters", "answered"): 1,
    ("everyday_requests", "off_topic"): 1,
    ("everyday_requests", "on_topic"): 1,
    ("getting_ready", "no_advice"): 2,
    ("indirect", "no_advice"): 2,
    ("nothing_said", "vague"): 2,
    ("own_decisions", "no_advice"): 4,
    ("practical_words", "answered"): 16,
    ("which_is_better", "no_advice"): 2,
}
#: The most of a language among them, and words of practical life that are read otherwise.
MISSED_OF_A_LANGUAGE, WORDS_OF_A_LANGUAGE = 9, 2


@cache
def missed() -> list[dict[str, Any]]:
    rows = rows_of(PHRASES)
    return [r for r in rows if not LABELS[r["expect"]](asked(r["text"], page=r["language"]))]


def test_no_set_is_understood_worse() -> None:
    counts = Counter((row["set"], row["expect"]) for row in missed())

    assert {key: n for key, n in counts.items() if n > MISSED.get(key, 0)} == {}, missed()


def test_no_language_is_behind() -> None:
    counts = Counter(row["language"] for row in missed())

    assert max(counts.values(), default=0) <= MISSED_OF_A_LANGUAGE, counts


def test_words_of_practical_life_are_heard_as_what_they_mean() -> None:
    misheard = defaultdict(list)
    for row in rows_of(PHRASES):
        words = [word.folded for word in tokens(normalise(row["text"]))]
        uses = reader().messages.lexicon.read(words, row["language"])
        heard = {concept.name for use in uses for concept in use.concepts}
        wanted = row.get("concepts", "").split()
        if any(heard.isdisjoint(each.split("|")) for each in wanted) or row.get("but") in heard:
            misheard[row["language"]].append(row["text"])

    assert max(map(len, misheard.values()), default=0) <= WORDS_OF_A_LANGUAGE, misheard
