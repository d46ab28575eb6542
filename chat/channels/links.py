"""Markdown of answers as HTML, in which a link leads only to what is the hospital's.

Whatever wrote a link, a page that a model copies from or staff by mistake: one that leads elsewhere
is shown as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from chat.phrases import phrases_of
from chat.safety.emergencies.situations import situations_of
from retrieval.selectors import is_page
from taxonomy.publishing.snapshot import Snapshot
from zol import phones
from zol.hosts import bare_host, hospital_at, host_of

#: Forms that nobody of us writes.
_UNUSED = ["image", "autolink", "reference", "html_block", "html_inline", "strikethrough"]
#: A host that every browser reads alike, and its port.
_PLACE = re.compile(r"[a-z0-9.-]+(?::\d+)?", re.IGNORECASE)


def markdown_with(allows: Callable[[str], bool]) -> MarkdownIt:
    """Return a reader of Markdown that takes for links only what leads to an allowed address."""
    made = MarkdownIt("js-default", {"html": False, "linkify": False, "breaks": True})
    made.disable(_UNUSED).validateLink = allows  # type: ignore[assignment,method-assign]
    return made


def markdown_of(snapshot: Snapshot) -> MarkdownIt:
    """Return a reader of Markdown whose links lead to the corpus' pages, the hospital's domains and
    its known numbers; use it through `snapshot.derived(markdown_of)`."""
    domain = host_of(snapshot.profile.website).removeprefix("www.")
    numbers = known_numbers(snapshot)

    def allows(address: str) -> bool:
        try:
            scheme, place, path, *_ = urlsplit(address)
        except ValueError:
            return False
        if scheme == "tel":
            return phones.dialled(unquote(path), snapshot.profile.country) in numbers
        if scheme not in ("https", "http") or not _PLACE.fullmatch(place):
            return False
        host = bare_host(place)
        if domain and f".{host}".endswith(f".{domain}"):
            return True
        found = hospital_at(host)
        return (found is not None and found.pk == snapshot.hospital_id) or is_page(address)

    return markdown_with(allows)


def known_numbers(snapshot: Snapshot) -> frozenset[str]:
    """Return the telephone numbers of a hospital, its departments and its country's help lines."""
    profile = asdict(snapshot.profile)
    told = [number for name, number in profile.items() if name.endswith("phone")]
    told += [line["number"] for line in phrases_of(snapshot).lines]
    told += [situation.phone for situation in snapshot.derived(situations_of)]
    told += [str(thing.get("phone") or "") for thing in snapshot.vocabulary.things]
    home = snapshot.profile.country
    return frozenset(phones.dialled(number, home) for number in told if number)
