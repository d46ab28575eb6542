"""What is learned is the same in every process, whatever order it goes through words in."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.chat.question.readers import ROOT

LEARN = """
from dataclasses import replace
from hashlib import sha256
from chat.question.reader import lessons_of
from chat.question.learned.sentence_vectors import meanings
from chat.question.reader import _learn
from tests.chat.question.readers import snapshot

whole = lessons_of(snapshot())
few = {"chat.intentexample": 12, "chat.redflagphrase": 1}
rows = {name: tuple(found)[:: few.get(name, 1)] for name, found in whole.rows.items()}
kept = _learn(replace(whole, rows=rows), meanings())
print(sha256(b"".join(kept[name].tobytes() for name in sorted(kept))).hexdigest())
"""


def learned(seed: int) -> str:
    return subprocess.run(
        [sys.executable, "-c", LEARN],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout.strip()


def test_two_processes_learn_the_same() -> None:
    first = learned(1)

    assert len(first) == 64
    assert first == learned(2)
