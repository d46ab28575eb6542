"""Places of a chunk's lines: their headings, table caption, column names and list openers.

When a page is cut into chunks, these may end up in another chunk. So a chunk stores them for each
line of its text (`str.splitlines`), and no line is quoted, or given to a model, without them. They
are stored with a digest of the text; for any other text, such as one that release 1.1.0 edited,
they are derived from the text itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from hashlib import blake2b
from itertools import groupby, zip_longest
from typing import Any, TypeAlias

from zol.text import cells_of, is_row, names_columns

#: Separator of a heading path, and the mark of a heading inside a chunk.
PATH, HEADING = " \u203a ", "## "
#: Scope: pairs of a kind (campus, ward, medicine, age) and a name.
Scope: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """The context of a line."""

    #: The headings above, from the top, without the page's title.
    path: tuple[str, ...] = ()
    caption: str = ""
    #: Column names, the first included.
    heads: tuple[str, ...] = ()
    #: The lines that open its list and those around it, outermost first.
    lead: tuple[str, ...] = ()
    #: First cell of the row that this line continues; `heads` then names that and its own cells.
    row: str = ""
    #: See retrieval/scope.py.
    scope: Scope = ()
    #: Anchor of the nearest heading above that has one.
    anchor: str = ""


_NOWHERE = Place()


def packed(text: str, places: Sequence[Place]) -> dict[str, Any]:
    """Return the places of a text's lines as JSON values."""
    bare = [replace(place, scope=()) if place.scope else place for place in places]
    known = {place: number for number, place in enumerate(dict.fromkeys(bare))}
    runs = groupby(zip(bare, places, strict=True), key=lambda pair: (known[pair[0]], pair[1].scope))
    return {
        "of": _digest(text),
        "places": [{name: each for name, each in asdict(p).items() if each} for p in known],
        "lines": [[sum(1 for _ in run), number, *([scope] if scope else [])]
                  for (number, scope), run in runs],
    }  # fmt: skip


def unpacked(text: str, section: str, kept: Mapping[str, Any] | None) -> tuple[Place, ...]:
    """Return the place of each line of a chunk; derive it from the text if none is stored."""
    if not kept or kept["of"] != _digest(text):
        return tuple(_read_off(text, section))
    known = [_place(**fields) for fields in kept["places"]]
    found: list[Place] = []
    for count, number, *scope in kept["lines"]:
        place = known[number]
        if scope:
            place = replace(place, scope=tuple((kind, name) for kind, name in scope[0]))
        found += [place] * count
    return tuple(found)


def _place(**fields: Any) -> Place:
    for name in ("path", "heads", "lead"):
        fields[name] = tuple(fields.get(name, ()))
    return Place(**fields)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=6).hexdigest()


def _read_off(text: str, section: str) -> Iterator[Place]:
    """Yield the places that can be derived from a text; headings above the text stay unknown."""
    place = Place(tuple(section.split(PATH)) if section else ())
    for line in text.splitlines():
        if line.startswith(HEADING):
            place = Place((line.removeprefix(HEADING),))
        elif names_columns(line):
            place = replace(place, heads=cells_of(line))
        elif place.heads and not is_row(line):
            place = replace(place, heads=())
        yield place


def refitted(
    places: Sequence[Place], before: tuple[str, str], after: tuple[str, str]
) -> tuple[Place, ...]:
    """Return the places of a chunk's lines after an edit; `before` and `after` are section and
    text. A new line takes the place of the line that it replaces, else of the line before it."""
    renamed: dict[tuple[str, ...], tuple[str, ...]] = {}
    if before[0] != after[0]:
        renamed[tuple(before[0].split(PATH))] = tuple(filter(None, after[0].split(PATH)))
    old, new = before[1].splitlines(), after[1].splitlines()
    found: list[Place] = []
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for at in range(c, d):
            place = places[max(0, min(a + at - c, b - 1))] if places else _NOWHERE
            path = renamed.get(place.path, place.path)
            heading = new[at].removeprefix(HEADING)
            if new[at].startswith(HEADING) and path[-1:] != (heading,):
                path = renamed[place.path] = (*path[:-1], heading)
            found.append(replace(place, path=path))
    return tuple(found)


def scoped(
    text: str, places: Iterable[Place], find: Callable[[Place, str], Scope]
) -> tuple[Place, ...]:
    """Return the places of a text's lines with their scope; `find` takes a place and a line."""
    return tuple(
        replace(place, scope=find(place, line))
        for line, place in zip(text.splitlines(), places, strict=True)
    )


def paired(place: Place, cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (column name, cell) for each non-empty cell of a row; the rest of a cut row begins with
    its first cell."""
    whole = (f"{place.row} \u2026", *cells) if place.row else cells
    for name, cell in zip_longest(place.heads[: len(whole)], whole, fillvalue=""):
        if cell:
            yield name, cell


def under(head: str, cell: str) -> str:
    """Return a cell after its column name: "Prijs: € 3", "Nuchter? ja"."""
    if not head or not cell:
        return cell
    return f"{head} {cell}" if head.endswith(("?", ";", ":")) else f"{head}: {cell}"


def with_context(lines: Iterable[tuple[str, Place]]) -> Iterator[str]:
    """Yield lines with their context: headings, table captions, list openers, and column names in
    rows."""
    before, last = _NOWHERE, ""
    for line, place in lines:
        if line.startswith(HEADING) or names_columns(line):
            continue
        known = {before.caption, *before.lead}
        if place.path != before.path:
            known = set()
            if place.path:
                yield f"{HEADING}{PATH.join(place.path)}"
        for opener in filter(None, (place.caption, *place.lead)):
            if opener not in known and not last.endswith(opener) and opener != line:
                last = opener
                yield opener
        last, before = line, place
        is_row_of_table = place.row or (place.heads and is_row(line))
        cells = (under(*each) for each in paired(place, cells_of(line)))
        yield "; ".join(cells) if is_row_of_table else line
