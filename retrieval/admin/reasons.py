"""Reasons that the ingestion kept, in the language of who reads them.

A worker writes them for everybody, in English; a test holds this list to what the readers say.
"""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

REASONS = (
    gettext_noop("%(kind)s cannot be read"),
    gettext_noop("The file is %(size)s MB; at most %(limit)s MB is read"),
    gettext_noop("The page was never fetched"),
    gettext_noop("The file of the page is gone from the storage"),
    gettext_noop("No text was found"),
    gettext_noop("A script fills this page; only its frame could be read"),
    gettext_noop("The page cannot be taken apart: %(why)s"),
    gettext_noop("This is not a Word document: %(why)s"),
    gettext_noop("The document unpacks to more than is read of any document"),
    gettext_noop("The document has tables too deep in each other"),
    gettext_noop("A table in a cell holds more than is read of any table"),
    gettext_noop("A table has more places than are read of any table"),
    gettext_noop("The PDF is protected with a password"),
    gettext_noop("The PDF is damaged: %(why)s"),
    gettext_noop("The PDF holds only images, no text"),
    gettext_noop("The PDF has %(pages)s pages; at most %(limit)s are read"),
    gettext_noop("Reading it took more than %(seconds)s seconds"),
    gettext_noop("The file ended its reader (%(code)s)"),
    gettext_noop("It needs more memory than one document may take"),
    gettext_noop("It holds %(letters)s letters; at most %(limit)s are read"),
    gettext_noop("More than %(pages)s pages are pictures"),
    gettext_noop("OCR took more than %(seconds)s seconds"),
    gettext_noop("OCR is set, and Tesseract is not installed"),
    gettext_noop("A page took OCR more than %(seconds)s seconds"),
    gettext_noop("OCR failed: %(why)s"),
    gettext_noop("Reading by OCR: page %(page)s of %(pages)s"),
    gettext_noop("Its worker ended or failed; it waits for another"),
    gettext_noop("Its worker ended or failed %(times)s times; the log of the worker says why"),
)
#: Parts of a remark, each a sentence of its own.
REMARKS = (
    gettext_noop("The same title."),
    gettext_noop("The same subject."),
    gettext_noop("Mostly the same text."),
    gettext_noop("Of %(day)s, the other of %(later)s."),
    gettext_noop("Version %(older)s, the other %(newer)s."),
    gettext_noop("Its number %(number)s is given there no more."),
    gettext_noop("Read by OCR: compare the figures with the original."),
    gettext_noop("Pictures without text: page %(pages)s."),
    gettext_noop("Doubtful words: %(words)s."),
)


def in_words(reason: str) -> str:
    """Return a reason in the language of the page; what nobody translated as it was written."""
    for known in REASONS:
        if found := _pattern(known).fullmatch(reason):
            return gettext(known) % found.groupdict()
    for known in REMARKS:
        found = _pattern(known).search(reason)
        if found:
            said = gettext(known) % found.groupdict()
            reason = reason[: found.start()] + said + reason[found.end() :]
    return reason


@cache
def _pattern(known: str) -> re.Pattern[str]:
    parts = re.split(r"%\((\w+)\)s", known)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)
        ),
        re.DOTALL,
    )
