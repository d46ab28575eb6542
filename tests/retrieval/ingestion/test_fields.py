"""No line of a page is without what it stands under, and none has another's, however it is cut."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from retrieval.fields import HEADING, Place, packed, refitted, unpacked, with_context
from retrieval.ingestion.split import split
from retrieval.reading import DOCX, PDF, read
from tests.retrieval.ingestion.trees import HTML, Page
from zol.text import cells_of, is_row, names_columns

_OWN = re.compile(r"\bx[b-t]{5}\b")


def faults(page: Page) -> Iterator[str]:
    """Yield what is wrong with the fields of a page, once it is cut."""
    met: set[str] = set()
    for piece in split(read(page.data, page.media_type), title=page.title):
        for line, place in zip(piece.content.splitlines(), piece.places, strict=True):
            if line.startswith(HEADING) or names_columns(line):
                continue
            cells = cells_of(line) if is_row(line) or place.heads else (line,)
            heads = place.heads[bool(place.row) :] if place.heads else ()
            for at, cell in enumerate(cells):
                for own in _OWN.findall(cell):
                    met.add(own)
                    head = heads[at] if at < len(heads) else ""
                    yield from compared(page, own, place, head, (place.row, *cells)[:2])
    yield from (f"{own} is lost" for own in page.under.keys() - met)


def compared(
    page: Page, own: str, place: Place, head: str, first: tuple[str, ...]
) -> Iterator[str]:
    under = page.under[own]
    if place.path != under.path:
        yield f"{own} stands under {place.path}, not {under.path}"
    if place.caption != under.caption and not (under.caption == "" and place.caption == ""):
        yield f"{own} has the caption {place.caption!r}, not {under.caption!r}"
    if place.lead != under.lead:
        yield f"{own} has the lead {place.lead}, not {under.lead}"
    if head != under.head:
        yield f"{own} has the head {head!r}, not {under.head!r}"
    if under.group and under.group not in first:
        yield f"{own} is not of the group {under.group!r} but {first}"


@pytest.mark.parametrize("media_type", [HTML, DOCX, PDF], ids=["html", "docx", "pdf"])
def test_every_line_has_its_own_path_caption_heads_and_lead(media_type):
    # A PDF takes ten times as long; `make soak` reads thousands of pages.
    pages = [Page(seed, media_type) for seed in range(3 if media_type == PDF else 8)]

    assert sum(len(page.under) for page in pages) > 500
    assert [fault for page in pages for fault in faults(page)] == []


CAMPUSES = """<h1>Parkeren</h1><h2>Campus Noord</h2><h3>Tarieven</h3><p>Een uur kost 2 euro.</p>
<h2>Campus Zuid</h2><h3>Tarieven</h3><table><caption>Per dag</caption><tr><th>Duur<th>Prijs</tr>
<tr><td>1 uur<td>3 euro</tr></table><p>Breng mee:</p><ul><li>uw kaart (cid:127)</li></ul>"""


def test_what_is_read_of_a_piece_is_unambiguous():
    (piece,) = split(read(CAMPUSES.encode(), HTML), title="Parkeren")

    assert piece.section == "Campus Noord \u203a Tarieven"
    assert list(with_context(zip(piece.content.splitlines(), piece.places, strict=True))) == [
        "## Campus Noord \u203a Tarieven",
        "Een uur kost 2 euro.",
        "## Campus Zuid \u203a Tarieven",
        "Per dag",
        "Duur: 1 uur; Prijs: 3 euro",
        "Breng mee:",
        "- uw kaart",
    ]


def test_fields_are_kept_with_their_text_and_no_other():
    (piece,) = split(read(CAMPUSES.encode(), HTML), title="Parkeren")
    kept = json.loads(json.dumps(packed(piece.content, piece.places)))

    assert unpacked(piece.content, piece.section, kept) == piece.places
    edited = piece.content.replace("3 euro", "4 euro")
    assert [place.path for place in unpacked(edited, "", kept)][-1] == ("Tarieven",)
    before, after = (piece.section, piece.content), (piece.section, f"Nieuw.\n{edited}")
    assert refitted(piece.places, before, after) == (piece.places[0], *piece.places)


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("SOAK"), reason="minutes: for make soak")
def test_of_fifty_thousand_lines_none_has_anothers():
    counted: Counter[str] = Counter()
    wrong: dict[str, list[str]] = {HTML: [], DOCX: [], PDF: []}
    for seed in range(100, 2_200):
        # A PDF takes ten times as long.
        page = Page(seed, PDF if seed % 10 == 0 else (HTML, DOCX)[seed % 2])
        counted[page.media_type] += len(page.under)
        wrong[page.media_type] += faults(page)

    print(dict(counted), wrong[PDF])  # noqa: T201 (what was counted is a part of the result)
    assert sum(counted.values()) >= 50_000
    assert wrong[HTML] == wrong[DOCX] == []
    # A table of two columns that is read as boxes loses its caption and its heads.
    assert len(wrong[PDF]) <= counted[PDF] / 10_000
