"""Markdown and plain text."""

from __future__ import annotations

import re
import tomllib

import yaml
from lxml import html
from markdown_it import MarkdownIt

from retrieval.ingestion.read.blocks import Block, Sort, clean, tidy
from retrieval.ingestion.read.html import blocks_of, decoded

#: What stands between two lines of dashes (YAML) or of plus signs (TOML) above a text.
_FRONT_MATTER = re.compile(
    r"\A\s*(---|\+\+\+)[ \t]*\r?\n(.{0,20000}?)^(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
#: "[^1]: what it says", with the lines under it that are set further in, and where it is said.
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.+(?:\n[ \t]+\S.*)*)(?:\n|\Z)", re.MULTILINE)
_NOTED = re.compile(r"\[\^([^\]\s]+)\]")
_FIELD = re.compile(r"\s*(?:$|#|-\s|[\w.-]+\s*[:=]|\s)")


def read_text(data: bytes) -> tuple[Block, ...]:
    """Return the paragraphs of a text, which empty lines separate."""
    paragraphs = re.split(r"\n\s*\n", decoded(data))
    return tidy(Block(Sort.TEXT, clean(paragraph)) for paragraph in paragraphs)


def read_markdown(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text as those of the page that it describes."""
    title, text = _without_front_matter(decoded(data))
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rendered = parser.render(_with_notes(text))
    if not rendered.strip():
        return ()
    page = html.fragment_fromstring(rendered, create_parent="main")
    titled = [] if page.xpath(".//h1") or not title else [Block(Sort.HEADING, title, level=1)]
    return tidy([*titled, *blocks_of(page)])


def _with_notes(text: str) -> str:
    """Write each note in brackets where it is first referred to: what it says counts there."""
    notes = dict(_NOTE.findall(text))

    def said(place: re.Match[str]) -> str:
        note = " ".join(notes.pop(place[1], "").split()).rstrip(".")
        return f" ({note})" if note else ""

    text = _NOTED.sub(said, _NOTE.sub("", text))
    return "\n\n".join((text, *notes.values()))  # What nothing refers to stands at the end.


def _without_front_matter(text: str) -> tuple[str, str]:
    """Return the title that stands in a text's front matter, and the text below it."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return "", text
    read = yaml.safe_load if found[1].startswith("-") else tomllib.loads
    try:
        fields = read(found[2])
    except (yaml.YAMLError, ValueError):
        is_said = all(_FIELD.match(line) for line in found[2].splitlines())
        return "", text[found.end() :] if is_said else text
    if not isinstance(fields, dict):
        return "", text
    return clean(str(fields.get("title") or "")), text[found.end() :]
