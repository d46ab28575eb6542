"""Cut pages that were written for training into numbered statements.

    python -m evaluation.lab.reading.pages FOLDER pages.jsonl [SHEETS]

FOLDER holds Markdown with a front matter of title, site, kind and language, a folder for each
writer. Written is a line of JSON for each page; into SHEETS, what those read who ask about it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zol.sentences import sentences

FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
ITEM = re.compile(r"^\s*(?:[-*]|\d{1,3}[.)])\s+")
RULE = re.compile(r"^\|?[\s:|-]+\|?$")


def page_of(identifier: str, text: str) -> dict[str, Any]:
    """Return a page with its statements: sentences, items of lists and rows of tables."""
    front = FRONT.match(text)
    if front is None:
        raise ValueError(f"{identifier} has no front matter")
    # A remark behind the value is not part of it.
    about = dict(line.split("#")[0].split(":", 1) for line in front[1].splitlines() if ":" in line)
    page = {key.strip(): value.strip() for key, value in about.items()}
    statements = [
        {"n": number, "heading": heading, "sort": sort, "text": said}
        for number, (heading, sort, said) in enumerate(_statements(text[front.end() :]), 1)
    ]
    return {"id": identifier, **page, "statements": statements}


def _statements(text: str) -> Iterator[tuple[str, str, str]]:
    path: list[str] = []
    names: list[str] | None = None
    for line in text.splitlines():
        plain = line.strip().replace("**", "").replace("`", "")
        if heading := HEADING.match(plain):
            path = [*path[: len(heading[1]) - 2], heading[2]]
            names = None
        elif plain.startswith("|"):
            if RULE.match(plain):
                continue
            cells = [cell.strip() for cell in plain.strip("|").split("|")]
            if names is None:
                names = cells
                continue
            labelled = (
                f"{name}: {cell}" if name else cell
                for name, cell in zip(names, cells, strict=False)
                if cell
            )
            yield " › ".join(path), "row", " | ".join(labelled)
        else:
            names = None
            if ITEM.match(plain):
                yield " › ".join(path), "item", ITEM.sub("", plain)
            else:
                yield from ((" › ".join(path), "text", said) for said in sentences(plain) if said)


def sheet_of(page: dict[str, Any]) -> str:
    """Return a page as those read it who ask about it."""
    lines = [f"{page['id']} · {page['kind']} · {page['language']} · {page['title']}"]
    heading = ""
    for one in page["statements"]:
        if one["heading"] != heading:
            heading = one["heading"]
            lines.append(f"## {heading}")
        lines.append(f"{one['n']}. {one['text']}")
    return "\n".join(lines) + "\n"


def main(folder: Path, out: Path, sheets: Path | None = None) -> None:
    """Cut every page of a folder."""
    files = sorted(folder.rglob("*.md"))
    pages = [page_of(f"{file.parent.name}-{file.stem}", file.read_text()) for file in files]
    out.write_text("".join(json.dumps(page, ensure_ascii=False) + "\n" for page in pages))
    if sheets:
        sheets.mkdir(parents=True, exist_ok=True)
        for page in pages:
            (sheets / f"{page['id']}.txt").write_text(sheet_of(page))
    print(f"{len(pages)} pages, {sum(len(page['statements']) for page in pages)} statements")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
