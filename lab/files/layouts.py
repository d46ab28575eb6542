"""Pages of hospitals in 40 layouts, and how whole their content comes out.

Twenty frames (`frames/*.html`) are written as content management systems write them; each stands
around a page of hours and prices and around a page of questions, in four languages. A page says
what must come out of it (a number, hours, a row with its heads, a campus, the paragraph before a
table, an answer in a panel, the box beside the text) and what is furniture (menus, cookie bars,
related pages, social links, forms).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.template import Context, Engine

from retrieval.reading import read
from retrieval.reading.blocks import Block, Sort

FOLDER = Path(__file__).parent / "frames"
#: Names of texts that must come out, and the column names over those that are rows.
HEADS = {"row": "days", "other": "days", "prices": "price"}
MUSTS = frozenset({
    "lead", "before", "phone", "where", "answer", "answer2", "ask", "ask2", "long", "bring", "item",
    "item2", "box", "boxphone", "boxhours",
})  # fmt: skip
FURNITURE = frozenset({
    "menu", "submenu", "path", "cookie", "accept", "related", "news", "news2", "share", "letter",
    "mail", "foot", "privacy", "skip", "search", "useful", "login", "print", "top",
})  # fmt: skip
PANELS = ("_details.html", "_buttons.html", "_boxed.html")
_NAMED = re.compile(r"\bw\.(\w+)")
_INCLUDED = re.compile(r'include "?(_\w+\.html|panel|table)')


@dataclass(frozen=True, slots=True)
class Page:
    """A page, the texts of its language by name, and the names of those that it shows."""

    name: str
    html: str
    words: dict[str, Any]
    shown: frozenset[str]

    def missing(self, blocks: Sequence[Block]) -> list[str]:
        """Return the names of texts that must come out and have not."""
        names = sorted(self.shown & (MUSTS | HEADS.keys()))
        return [name for name in names if not self._is_there(name, blocks)]

    def needless(self, blocks: Sequence[Block]) -> list[str]:
        """Return the furniture that came out."""
        said = "\n".join(f"{block.header}\n{block.text}" for block in blocks)
        return [text for text in self.furniture() if text in said]

    def furniture(self) -> list[str]:
        names = sorted(self.shown & FURNITURE)
        texts = (self.words[name] for name in names)
        return [text for each in texts for text in ([each] if isinstance(each, str) else each)]

    def _is_there(self, name: str, blocks: Sequence[Block]) -> bool:
        text = self.words[name]
        if name not in HEADS:
            return any(text in block.text for block in blocks)
        return any(
            block.sort is Sort.ROW
            and all(cell in block.text for cell in text)
            and all(head in (block.header or block.heads) for head in self.words[HEADS[name]])
            for block in blocks
        )


def pages() -> Iterator[Page]:
    """Yield each frame around a page of hours and around a page of questions."""
    texts = json.loads((FOLDER / "texts.json").read_text(encoding="utf-8"))
    languages, engine = [*texts], Engine(dirs=[str(FOLDER)])
    for number, path in enumerate(sorted(FOLDER.glob("[!_]*.html"))):
        for form in (0, 1):
            words = texts[languages[(number + form) % len(languages)]]
            said = {"w": words, "panel": PANELS[number % 3], "is_wrapped": number % 2}
            inside = "_questions.html" if form else "_hours.html"
            body = engine.get_template(inside).render(Context(said))
            html = engine.get_template(path.name).render(Context(said | {"body": body}))
            shown = _named(path.name) | _named(inside)
            shown |= _named("_answer.html") | _named("_table.html") if form else set()
            head = '<!doctype html><html><head><meta charset="utf-8"></head>'
            name = f"{path.stem} {inside.strip('_').removesuffix('.html')}"
            yield Page(name, f"{head}{html}</html>", words, frozenset(shown))


def _named(template: str) -> set[str]:
    """Return the names of the texts in a template and in those that it includes by name."""
    said = (FOLDER / template).read_text(encoding="utf-8")
    inside = (name for name in _INCLUDED.findall(said) if name.startswith("_"))
    return set(_NAMED.findall(said)).union(*map(_named, inside))


def measure() -> Iterator[str]:
    """Yield what is missing and needless in each page, and the counts of all."""
    counts: Counter[str] = Counter()
    for page in pages():
        blocks = read(page.html.encode(), "text/html")
        missing, needless = page.missing(blocks), page.needless(blocks)
        counts["musts"] += len(page.shown & (MUSTS | HEADS.keys()))
        counts["missing"] += len(missing)
        counts["furniture"] += len(page.furniture())
        counts["needless"] += len(needless)
        if missing or needless:
            yield f"{page.name}: lacks {missing}, has {needless}"
    musts, furniture = counts["musts"], counts["furniture"]
    yield f"musts {musts - counts['missing']} of {musts}: {1 - counts['missing'] / musts:.1%}"
    yield f"furniture {counts['needless']} of {furniture}: {counts['needless'] / furniture:.1%}"
