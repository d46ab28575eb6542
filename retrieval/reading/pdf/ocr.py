"""OCR of scanned pages by Tesseract, which is optional.

Uncertain words, figures first, are reported to staff, who compare them with the original. A page
with mostly uncertain words counts as a picture without text.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import median
from time import monotonic
from typing import Any

import numpy as np
from lxml import html
from PIL.Image import Image
from scipy.ndimage import find_objects, label, maximum_filter1d, uniform_filter1d

from retrieval.reading.pdf.lines import BULLET, Line
from zol.errors import UnreadableDocument

PROGRAM = "tesseract"
#: Limits per document: pages, seconds per page, seconds in all.
LARGEST_PAGES, SECONDS_A_PAGE, LONGEST = 100, 60, 900.0
#: Pixels per inch, and most pixels of a page.
SHARPNESS, MOST_DOTS = 300, 25_000_000
#: Points per inch.
POINTS = 72
#: Ruled lines: least length and most thickness in points, darkest grey, dark share and most slope.
RULE, THICK, DARK, WHOLE, ASKEW = 24.0, 1.2, 160, 0.98, 0.02
#: Least confidence in percent: of a page, of a word, of a word with figures.
READABLE, SURE, SURE_FIGURES = 60, 75, 90
#: Sizes within this share count as equal.
ALIKE = 0.15
#: Longest remark on a document in letters.
LONGEST_REMARK = 480


@dataclass
class Ocr:
    """OCR of one document's scanned pages, and its uncertain words."""

    #: In Tesseract's codes: nld+fra+eng.
    languages: str
    #: Receives progress, and the final report for staff.
    tell: Callable[[str], None]
    _start: float = field(default_factory=monotonic)
    _pages: int = 0
    _unread: list[int] = field(default_factory=list)
    #: Uncertain words: whether without figures, page, word, confidence.
    _doubts: list[tuple[bool, int, str, int]] = field(default_factory=list)

    def words_of(self, page: Any) -> list[Line]:
        """Return the words of a scanned page."""
        self._pages += 1
        if self._pages > LARGEST_PAGES:
            raise UnreadableDocument(f"More than {LARGEST_PAGES} pages are pictures")
        if monotonic() - self._start > LONGEST:
            raise UnreadableDocument(f"OCR took more than {LONGEST:.0f} seconds")
        self.tell(f"Reading by OCR: page {page.page_number} of {len(page.pdf.pages)}")
        picture = _Picture.of(page)
        found = [*_words(picture, page.page_number, self.languages)]
        if not found or median(sure for _word, sure in found) < READABLE:
            self._unread.append(page.page_number)
            return []
        for word, sure in found:
            has_figures = any(map(str.isdigit, word.text))
            if not BULLET.match(word.text) and sure < (SURE_FIGURES if has_figures else SURE):
                self._doubts.append((not has_figures, word.page, word.text, sure))
        # Tables are found by the lines of the page's objects.
        page.objects.setdefault("line", []).extend(picture.rules())
        return _in_even_sizes([word for word, _sure in found])

    def conclude(self) -> None:
        """Report what staff must compare with the original, if there were scanned pages."""
        if not self._pages:
            return
        report = "Read by OCR: compare the figures with the original."
        if self._unread:
            unread = ", ".join(map(str, self._unread[:40]))
            is_some = self._pages > len(self._unread)
            report = f"{report if is_some else ''} Pictures without text: page {unread}.".strip()
        named = [
            f"p. {page} “{text}” ({sure} %)" for _order, page, text, sure in sorted(self._doubts)
        ]
        shown = len(named)
        while shown and len(report) + len(_listed(named, shown)) > LONGEST_REMARK:
            shown -= 1
        self.tell(report + _listed(named, shown))


def _listed(named: list[str], shown: int) -> str:
    if not named:
        return ""
    more = f" and {len(named) - shown} more" if shown < len(named) else ""
    return f" Words that OCR may have misread: {', '.join(named[:shown])}{more}."


@dataclass(frozen=True, slots=True)
class _Picture:
    """A page as grey pixels, with the points per pixel."""

    dots: Image
    scale: float

    @classmethod
    def of(cls, page: Any) -> _Picture:
        most = sqrt(MOST_DOTS * POINTS**2 / (page.width * page.height))
        sharpness = min(SHARPNESS, int(most))
        picture = page.to_image(resolution=sharpness).original.convert("L")
        return cls(picture, POINTS / sharpness)

    def rules(self) -> Iterator[dict[str, Any]]:
        """Yield the horizontal and vertical lines as line objects of a PDF."""
        is_dark = (np.asarray(self.dots) < DARK).astype(np.float32)
        length, thick = round(RULE / self.scale), round(THICK / self.scale)
        for axis in (0, 1):
            # A scanned line may deviate by its own thickness.
            wide = maximum_filter1d(is_dark, thick, axis=1 - axis)
            marks = label(uniform_filter1d(wide, length, axis=axis) > WHOLE)[0]
            for place in find_objects(marks):
                starts = [part.start for part in place]
                ends = [part.stop for part in place]
                along, across = (ends[at] - starts[at] for at in (axis, 1 - axis))
                if across > 3 * thick + ASKEW * along:
                    continue
                starts[axis] -= length // 2
                ends[axis] += length // 2
                starts[1 - axis] = ends[1 - axis] = (starts[1 - axis] + ends[1 - axis]) / 2
                top, x0, bottom, x1 = (each * self.scale for each in (*starts, *ends))
                yield {
                    "object_type": "line", "x0": x0, "x1": x1, "top": top, "bottom": bottom,
                    "width": x1 - x0, "height": bottom - top,
                }  # fmt: skip


def _words(picture: _Picture, page: int, languages: str) -> Iterator[tuple[Line, int]]:
    """Yield the words of a picture in points, each with its confidence in percent."""
    file, sharpness = io.BytesIO(), round(POINTS / picture.scale)
    picture.dots.save(file, "PNG", dpi=(sharpness, sharpness))
    tree = html.document_fromstring(_asked(file.getvalue(), languages))
    for line in tree.xpath("//span[starts-with(@class, 'ocr_')]"):
        of_line = _properties(line)
        size, top, bottom = float(of_line["x_size"][0]), *map(float, of_line["bbox"][1::2])
        for word in line.iterfind(".//span[@class='ocrx_word']"):
            about, text = _properties(word), word.text_content().strip()
            sure = int(about["x_wconf"][0])
            # Stains are often read as uncertain punctuation.
            if any(map(str.isalnum, text)) or BULLET.match(text) or (text and sure >= SURE):
                left, _top, right, _bottom = map(float, about["bbox"])
                x0, y0, x1, y1, high = (
                    each * picture.scale for each in (left, top, right, bottom, size)
                )
                yield Line(text, x0, y0, x1, y1, high, page), sure


def _properties(element: Any) -> dict[str, list[str]]:
    """Return the values of an hOCR element's title: "bbox 1 2 3 4; x_wconf 95"."""
    parts = (part.split() for part in element.get("title", "").split(";"))
    return {name: values for name, *values in parts}


def _asked(picture: bytes, languages: str) -> bytes:
    command = [PROGRAM, "stdin", "stdout", "-l", languages, "--psm", "1", "hocr"]
    try:
        done = subprocess.run(  # noqa: S603
            command,
            input=picture,
            capture_output=True,
            timeout=SECONDS_A_PAGE,
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            # The limit ends Tesseract even if this process was killed.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_A_PAGE,) * 2),
        )
    except FileNotFoundError as error:
        raise UnreadableDocument(
            "OCR is turned on, but Tesseract is not installed: ask IT"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(
            f"OCR of one page took more than {SECONDS_A_PAGE} seconds"
        ) from error
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UnreadableDocument(f"OCR failed: {why[:200] or done.returncode}")
    return done.stdout


def _in_even_sizes(words: list[Line]) -> list[Line]:
    """Round letter sizes near the median to the same size, because measurements vary."""
    usual = median(word.size for word in words)
    return [
        replace(word, size=round(2 * usual) / 2) if abs(word.size / usual - 1) < ALIKE else word
        for word in words
    ]
