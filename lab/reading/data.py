"""Questions with the statements that answer them, from the forms in which they are kept.

`FOLDER/NAME.articles.jsonl` with `NAME.questions.jsonl`: encyclopaedia articles cut into
sentences, each article a pool. `pages.jsonl` with `questions.jsonl` beside it: pages of invented
organisations, each site a pool, for whoever asks a hospital is not told on which page to look.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from lab.reading.windows import EncoderPassage

PAGES, QUESTIONS = "pages.jsonl", "questions.jsonl"
#: Collections that are one text in several languages: their articles share numbers.
PARALLEL = ("en", "de", "el", "ro", "tr")
#: Articles that nothing is learned from, in each language that has them: normans, a broadcaster,
#: a rainforest, pharmacies, a series, prime numbers.
HELD_ARTICLES = {
    "it": frozenset({29, 37, 1, 32, 10, 33}),
    **{name: frozenset({2, 8, 16, 26, 34, 40}) for name in PARALLEL},
}
#: One site in so many is held.
HELD_SITES = 4
#: Statements of a page that are read together where no heading parts them.
TOGETHER = 12


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a pool, and the places of the statements that answer it; none where nothing
    does."""

    id: str
    language: str
    text: str
    right: frozenset[int]
    helps: frozenset[int] = frozenset()
    #: The page that it was written for.
    page: str = ""
    need: str = ""


@dataclass(slots=True)
class StatementPool:
    """The statements among which answers are looked for, as they stand in their passages."""

    collection: str
    name: str
    language: str
    is_held: bool
    passages: list[EncoderPassage] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    #: Of each passage the page that it is of, where pools have several.
    pages: list[str] = field(default_factory=list)

    @property
    def statements(self) -> list[tuple[str, str, str]]:
        """Return what each statement's passage is about, its heading and its text."""
        return [(each.about, *said) for each in self.passages for said in each.statements]


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def pools_of(folder: Path) -> list[StatementPool]:
    """Return all pools of a folder that have questions."""
    found = [pool for path in sorted(folder.glob("*.articles.jsonl")) for pool in _articles(path)]
    if (folder / PAGES).is_file():
        found += _sites(folder)
    return [pool for pool in found if pool.questions]


def _articles(path: Path) -> Iterator[StatementPool]:
    collection = path.name.partition(".")[0]
    language = collection.partition("-")[0]
    held = HELD_ARTICLES.get(collection, frozenset())
    asked: dict[int, list[Question]] = defaultdict(list)
    for row in lines_of(path.with_name(f"{collection}.questions.jsonl")):
        made = Question(row["id"], row["language"], row["question"], frozenset(row["right"]))
        asked[row["article"]].append(made)
    for row in lines_of(path):
        number, said = row["article"], row["sentences"]
        about = " \u203a ".join(filter(None, (row.get("title"), row.get("section"))))
        ends = [*row["paragraphs"], len(said)]
        passages = [
            EncoderPassage(about, tuple(("", text) for text in said[a:b]))
            for a, b in pairwise(ends)
        ]
        yield StatementPool(
            collection, str(number), language, number in held, passages, asked[number]
        )


def _sites(folder: Path) -> Iterator[StatementPool]:
    sites: dict[str, StatementPool] = {}
    places: dict[tuple[str, int], int] = {}
    site_of: dict[str, StatementPool] = {}
    size: dict[str, int] = defaultdict(int)
    for page in lines_of(folder / PAGES):
        site = page["site"]
        pool = sites.setdefault(
            site, StatementPool("sites", site, page["language"], is_held_site(site))
        )
        found = list(_passages(page))
        pool.passages += found
        pool.pages += [page["id"]] * len(found)
        site_of[page["id"]] = pool
        for one in page["statements"]:
            places[page["id"], one["n"]] = size[site]
            size[site] += 1
    path = folder / QUESTIONS
    for number, row in enumerate(lines_of(path) if path.is_file() else ()):
        pool, page = site_of[row["page"]], row["page"]
        right, helps = (
            frozenset(places[page, n] for n in row.get(name) or () if (page, n) in places)
            for name in ("answers", "helps")
        )
        if right:
            pool.questions.append(
                Question(
                    f"{page}-{number}", row["language"], row["question"], right, helps - right,
                    page, row.get("need", ""),
                )
            )  # fmt: skip
        if row.get("twin"):
            language = row.get("twin_language") or row["language"]
            nothing: frozenset[int] = frozenset()
            pool.questions.append(
                Question(
                    f"{page}-{number}-twin", language, row["twin"], nothing, helps | right, page
                )
            )  # fmt: skip
    yield from sites.values()


def _passages(page: dict[str, Any]) -> Iterator[EncoderPassage]:
    """Yield the statements of a page as chunks would hold them: by heading, a dozen at most."""
    group: list[tuple[str, str]] = []
    for one in page["statements"]:
        top = one["heading"].partition(" \u203a ")[0]
        begun = group[0][0].partition(" \u203a ")[0] if group else top
        if group and (top != begun or len(group) == TOGETHER):
            yield _chunk(page["title"], group)
            group = []
        group.append((one["heading"], one["text"].replace(" | ", " · ")))
    yield _chunk(page["title"], group)


def _chunk(title: str, group: Sequence[tuple[str, str]]) -> EncoderPassage:
    section = group[0][0].partition(" \u203a ")[0]
    about = " \u203a ".join(filter(None, (title, section)))
    return EncoderPassage(
        about, tuple((head.rpartition("\u203a")[2].strip(), text) for head, text in group)
    )


def is_held_site(site: str) -> bool:
    """Whether nothing is learned from a site: told by its name, so that more sites move none."""
    return int(sha256(site.encode()).hexdigest(), 16) % HELD_SITES == 1
