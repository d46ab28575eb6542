"""PDF brochures, read by a process of their own.

A hostile or broken PDF can take a parser's memory, time or life: it takes those of the other
process, and only that document fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from retrieval.ingestion.read.blocks import Block, Sort
from zol.errors import UnreadableDocument

#: Seconds for one PDF.
LONGEST = 120
#: Bytes of memory for one PDF.
MEMORY = 1024**3
ROOT = Path(__file__).resolve().parents[3]


class OnlyImages(UnreadableDocument):
    """A PDF without any text: a scan, which says nothing to us."""


def read_pdf(data: bytes, *, longest: float = LONGEST) -> tuple[Block, ...]:
    """Return the blocks of a PDF; one that holds only images is said to do so."""
    command = [sys.executable, "-m", "retrieval.ingestion.read.pdf_process", str(MEMORY)]
    try:
        done = subprocess.run(  # noqa: S603 (our own module)
            command, input=data, capture_output=True, timeout=longest, cwd=ROOT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableDocument(f"The PDF took more than {longest:.0f} seconds") from error
    if done.returncode < 0:
        raise UnreadableDocument(f"The PDF ended its reader (signal {-done.returncode})")
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise UnreadableDocument(f"The PDF cannot be read: {''.join(last)[:200]}") from error
    if "only_images" in answer:
        raise OnlyImages("The PDF holds only images, no text")
    if "failure" in answer:
        raise UnreadableDocument(answer["failure"])
    return tuple(Block(Sort(sort), *rest) for sort, *rest in answer["blocks"])
