"""Pages and what is known, for tests that need no database."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from taxonomy import models
from taxonomy.kinds import AliasKind, Kind, Predicate
from taxonomy.population.known import CUES, ROUTES, PopulationContext, known_of
from taxonomy.population.page import Page, PagePassage
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Fact, Spelling, Thing, Vocabulary

DEFAULTS = Path(models.__file__).parent.parent / "defaults"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    with (DEFAULTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def thing(kind: Kind, name: str, *aliases: str, url: str = "", **data: str) -> Thing:
    spellings = tuple(Spelling(text, "nl", AliasKind.SYNONYM) for text in aliases)
    return Thing(kind, name.lower().replace(" ", "-"), name, url, spellings, data)


def doctor(first: str, last: str) -> Thing:
    name = f"Dr. {first} {last}"
    return thing(Kind.DOCTOR, name, first_name=first, last_name=last, title="Dr.")


def known(
    *things: Thing, facts: tuple[tuple[Thing, Predicate, Thing], ...] = (), hidden=()
) -> PopulationContext:
    """A draft of these things, read with the default rows."""
    row_sets = {
        "taxonomy.lexiconconcept": rows("lexicon"),
        CUES: rows("population_cues"),
        ROUTES: rows("complaint_routes"),
    }
    vocabulary = Vocabulary(things, (Fact(*fact) for fact in facts))
    return known_of(Snapshot(1, 0, Profile(), vocabulary, row_sets), hidden)


def page(category: str, title: str, *texts: str, language: str = "nl", url: str = "") -> Page:
    """A page; a text may begin with its heading and a colon on a line of its own."""
    passages = []
    for text in texts:
        section, split, rest = text.partition("::\n")
        passages.append(PagePassage(section, rest) if split else PagePassage("", text))
    return Page(f"{title}.html", url, title, category, language, tuple(passages))
