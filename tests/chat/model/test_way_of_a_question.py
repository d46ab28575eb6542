"""How much code a question meets on its way: files and functions of the product, by engine."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chat import services
from chat.channels import sessions
from chat.models import Message
from chat.services import TurnRequest
from tests.chat.model.conftest import said
from tests.chat.model.test_classify import meaning
from zol.runtime import bridge
from zol.tenancy import serving

ROOT = Path(__file__).parents[3]
APPS = tuple(f"{ROOT / app}/" for app in ("zol", "taxonomy", "retrieval", "chat", "evaluation"))
FIRST, SECOND = "Wat kost parkeren?", "Wat is cataract en welke dokter behandelt dat?"
#: Most files and functions that one question may meet. Alone in a process, on 30 November 2026: 121
#: and 776 with the embedded engine, 127 and 808 with a model; beside other tests about a tenth more.
MOST = {"embedded": (130, 860), "model": (145, 910)}


class Witness:
    """Notes the product's named functions that are called in any thread while it looks."""

    def __init__(self) -> None:
        self.met: set[tuple[str, str]] = set()
        self.is_looking = False

    def __call__(self, frame: Any, event: str, argument: object) -> None:
        if event != "call" or not self.is_looking:
            return
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if file.startswith(APPS) and not name.endswith(">"):
            self.met.add((file.removeprefix(f"{ROOT}/"), name))

    @property
    def files(self) -> list[str]:
        return sorted({file for file, _name in self.met})


@contextmanager
def watched(witness: Witness) -> Iterator[None]:
    """Have a witness called in this thread, in those that begin, and in those of the pools."""
    pools = (bridge.turns, bridge.checks, bridge.urgent, bridge.waiting, bridge.helpers)
    threading.setprofile(witness)
    sys.setprofile(witness)
    in_each(pools, lambda: sys.setprofile(witness))
    try:
        yield
    finally:
        threading.setprofile(None)
        sys.setprofile(None)
        in_each(pools, lambda: sys.setprofile(None))


def in_each(pools: tuple[ThreadPoolExecutor, ...], work: Callable[[], None]) -> None:
    """Do some work in every thread that a pool has at the moment."""
    for pool in pools:
        together = threading.Barrier(len(pool._threads))

        def once(together: threading.Barrier = together) -> None:
            together.wait(10)
            work()

        for job in [pool.submit(once) for _ in range(len(pool._threads))]:
            job.result(20)


def met_by(hospital: Any) -> Witness:
    """Return what the second question of a warm process meets, until its answer is stored."""
    witness = Witness()
    with watched(witness):
        services.answer(sessions.start(hospital, "nl"), TurnRequest(FIRST))
        conversation, later = sessions.start(hospital, "nl"), []
        witness.is_looking = True
        message = services.answer(conversation, TurnRequest(SECOND), later=later.append)
        witness.is_looking = False
    assert Message.objects.get(pk=message.pk).answer
    return witness


def report(engine: str, witness: Witness) -> tuple[int, int]:
    """Print what was met, for `pytest -s`, and return how many files and functions."""
    for file in witness.files:
        names = sorted(name for each, name in witness.met if each == file)
        sys.stdout.write(f"{file}: {', '.join(names)}\n")
    sys.stdout.write(f"{engine}: {len(witness.files)} files, {len(witness.met)} functions\n")
    return len(witness.files), len(witness.met)


@pytest.mark.parametrize("engine", MOST)
def test_a_question_meets_few_files_and_functions(engine, request, hospital_with_doses, db):
    if engine == "model":
        stack = request.getfixturevalue("stack")
        stack.play(
            said("Cataract is een vertroebeling van de ooglens.", "vertroebeling van de ooglens"),
            classify=json.dumps(meaning()),
        )
    with serving(hospital_with_doses):
        files, functions = report(engine, met_by(hospital_with_doses))

    most_files, most_functions = MOST[engine]
    assert files <= most_files
    assert functions <= most_functions
