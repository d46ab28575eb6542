"""The process that documents are read in, one after another.

A hostile or broken file can take a parser's memory, time or life: it takes those of this process,
which is ended and made anew, and only that document fails. It imports nothing of Django, and
parsers only when there is something to read: they take a second and much memory. To read another
kind of document, write its reader and name it in `READERS`.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import astuple
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from retrieval.ingestion.read.blocks import Block, Sort
from zol.errors import OnlyImages, UnreadableDocument

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
#: Module and function of each media type.
READERS: Mapping[str, tuple[str, str]] = {
    "text/html": ("html", "read_html"),
    PDF: ("pdf", "read_pdf"),
    "text/markdown": ("html", "read_markdown"),
    "text/plain": ("html", "read_text"),
    DOCX: ("docx", "read_docx"),
}
#: By the ending of a file's name.
MEDIA_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".pdf": PDF,
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".docx": DOCX,
}


def reader_of(
    media_type: str, languages: str = "", tell: Callable[[str], None] = print
) -> Callable[[bytes], tuple[Block, ...]]:
    """Return what reads a media type, pictures of a PDF in some languages if any are named."""
    module, name = READERS[media_type]
    found: Callable[..., tuple[Block, ...]] = getattr(
        import_module(f"retrieval.ingestion.read.{module}"), name
    )
    if languages and media_type == PDF:
        ocr = import_module("retrieval.ingestion.read.pdf.ocr").Ocr(languages, tell)
        return partial(found, ocr=ocr)
    return found


#: Seconds for one document; of one whose pictures are read, between two signs of life.
LONGEST = 120.0
#: Bytes of memory for one document, with all the parsers.
MEMORY = 1536 * 1024**2
#: Letters of one document, those of a table's header counted with each of its rows.
MOST_LETTERS = 2_000_000
#: Documents after which a process makes way for a new one: parsers keep some memory of each.
MOST_DOCUMENTS = 50
#: How a line begins that is no answer yet.
_TOLD = b'{"told"'
ROOT = Path(__file__).resolve().parents[3]


def nobody(_said: str) -> None:
    """Take what is told, for whom it does not matter."""


class _Watch:
    """Kills a process that shows no sign of life in time."""

    def __init__(self, process: subprocess.Popen[bytes], longest: float) -> None:
        self._process, self._longest = process, longest
        self.is_over = False
        self._timer = threading.Timer(longest, self._kill)
        self._timer.start()

    def begin(self) -> None:
        """Give it the same time again."""
        self._timer.cancel()
        self._timer = threading.Timer(self._longest, self._kill)
        self._timer.start()

    def end(self) -> None:
        self._timer.cancel()

    def _kill(self) -> None:
        self.is_over = True
        self._process.kill()


class Reader:
    """A process that reads documents; it is started when it is needed, and again when it died."""

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = self._count = 0

    def read(
        self,
        data: bytes,
        media_type: str,
        *,
        longest: float = LONGEST,
        ocr: str = "",
        tell: Callable[[str], None] = nobody,
    ) -> tuple[Block, ...]:
        """Return a document's blocks; raise `UnreadableDocument` with the reason, in time.

        `ocr` and `tell` are those of `retrieval.ingestion.read.read`.
        """
        head = {"media_type": media_type, "size": len(data), "ocr": ocr}
        with self._lock:
            try:
                answer = self._answer(head, data, longest, tell)
            except BaseException:
                self.close()  # What it still says would be taken for the next answer.
                raise
        if "only_images" in answer:
            raise OnlyImages(answer["only_images"])
        if "failure" in answer:
            raise UnreadableDocument(answer["failure"])
        return tuple(Block(Sort(sort), *rest) for sort, *rest in answer["blocks"])

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.communicate()
        self._process = None

    def _answer(
        self, head: dict[str, Any], data: bytes, longest: float, tell: Callable[[str], None]
    ) -> dict[str, Any]:
        process = self._running()
        questions, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        watch = _Watch(process, longest)
        try:
            questions.write(json.dumps(head).encode() + b"\n" + data)
            questions.flush()
            line = answers.readline()
            while line.startswith(_TOLD) and not watch.is_over:
                tell(json.loads(line)["told"])
                watch.begin()
                line = answers.readline()
        except BrokenPipeError:
            line = b""
        finally:
            watch.end()
        if line.endswith(b"\n") and not watch.is_over:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.close()
        if watch.is_over:
            return {"failure": f"Reading it took more than {longest:.0f} seconds"}
        return {"failure": f"The file ended its reader ({process.returncode})"}

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process; never one that this process inherited by a fork."""
        self._count += 1
        is_ours = self._owner == os.getpid()
        if not is_ours or self._count > MOST_DOCUMENTS:
            self.close()
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-c", f"import {__name__} as own; own.main()"]
            command.append(str(self._memory))
            self._process = subprocess.Popen(  # noqa: S603 (our own module)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
            )
            self._owner, self._count = os.getpid(), 1
        return self._process


reader = Reader()
atexit.register(reader.close)


def _read(
    data: bytes, media_type: str, languages: str, tell: Callable[[str], None]
) -> dict[str, Any]:
    try:
        blocks = reader_of(media_type, languages, tell)(data)
    except OnlyImages as error:
        return {"only_images": str(error)}
    except UnreadableDocument as error:
        return {"failure": str(error)[:300]}
    except MemoryError:
        return {"failure": "It needs more memory than one document may take"}
    letters = sum(len(block.text) + len(block.header) for block in blocks)
    if letters > MOST_LETTERS:
        return {"failure": f"It holds {letters:,} letters; at most {MOST_LETTERS:,} are read"}
    return {"blocks": [list(astuple(block)) for block in blocks]}


def main() -> None:
    """Read documents from standard input until it ends; answer each with a line of JSON."""
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What a parser prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what).encode() + b"\n")
        answers.flush()

    while head := sys.stdin.buffer.readline():
        asked = json.loads(head)
        data = sys.stdin.buffer.read(asked["size"])
        say(_read(data, asked["media_type"], asked["ocr"], lambda told: say({"told": told})))


if __name__ == "__main__":
    main()
