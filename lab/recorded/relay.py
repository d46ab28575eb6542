"""Take over what players wrote: requests and replies of a relay's folder become a recorded set.

The folder has done/PURPOSE-KEY.json, the request with its messages, and replies/KEY.txt.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from lab.recorded.library import Library
from lab.recorded.requests import Request
from lab.recorded.turns import HERE, ExamTurn, RecordedCall

#: What a player writes in place of a reply to play a fault.
FAULT = "!"


def calls_in(folder: Path, turns: Sequence[ExamTurn], lost: Counter[str]) -> Iterator[RecordedCall]:
    """Yield the calls of a relay's folder; `lost` counts, by purpose, those of no known turn."""
    library = Library(turns, ())
    for path in sorted((folder / "done").glob("*.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        reply = folder / "replies" / f"{body['key']}.txt"
        text = reply.read_text(encoding="utf-8").strip() if reply.is_file() else FAULT
        request = Request(body)
        turn = library.turn_of(request)
        if turn is None or text.startswith(FAULT):
            lost[request.purpose] += 1
            continue
        yield RecordedCall(
            request.purpose, turn.question, turn.conversation, text, dict(request.lines)
        )


def store(name: str, exam: Path, calls: Sequence[RecordedCall], folder: Path = HERE) -> None:
    """Keep an exam and its replies as a set."""
    target = folder / f"exam-{name}.jsonl"
    target.write_text(exam.read_text(encoding="utf-8"), encoding="utf-8")
    lines = (json.dumps(call.as_json(), ensure_ascii=False) for call in calls)
    packed = gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)
    (folder / f"replies-{name}.jsonl.gz").write_bytes(packed)
