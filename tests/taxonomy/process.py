"""Process that answers, publishes or submits for a test, and reports what it did."""

import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from threading import Barrier, Lock
from typing import Any

import django
from django.apps import apps

if not apps.ready:  # The process from which all of them are forked loads the product.
    django.setup()


class Line:
    """The line to the test."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._lock = pipe, Lock()

    def say(self, **values: Any) -> None:
        with self._lock:
            self._pipe.send(values)

    def wait(self) -> None:
        self._pipe.recv()


def work(pipe: Connection, database: str, learned: Any, what: str, *arguments: Any) -> None:
    """Do one thing that is named below, on the database of a test."""
    from django.db import connections

    from chat.question.examples import vector_store

    for alias in ("default", "owner"):
        connections[alias].settings_dict["NAME"] = database
    vector_store.folder = learned
    doing = {"answer": answer, "ask": ask, "publish": publish, "submit": submit, "cycle": cycle}
    doing[what](Line(pipe), *arguments)


def answer(line: Line, hospital: int, ears: str) -> None:
    """Answer again and again; say when the version that it is answered from changes."""
    from taxonomy.publishing.live import live_snapshot
    from taxonomy.vocabulary import Kind
    from zol.tenancy import serving

    listen(ears)
    seen = 0
    with serving(hospital):
        while True:
            snapshot = live_snapshot()
            names = sorted(thing.name for thing in snapshot.vocabulary.of_kind(Kind.DEPARTMENT))
            if snapshot.version != seen:
                seen = snapshot.version
                line.say(version=seen, at=time.time(), departments=names)
            time.sleep(0.005)


def listen(ears: str) -> None:
    """Hear of publications, as a web process does; one that is deaf has to notice by itself."""
    from taxonomy.publishing import versions

    if ears == "hears":
        versions.listen()
        versions._listeners[0].subscribed.wait(20)


def ask(line: Line, hospital: int, ears: str, question: str) -> None:
    """Ask the same again and again; say when the answer changes, and how long it took."""
    from chat.services import take_turn
    from chat.turn import Turn
    from zol.tenancy import serving

    listen(ears)
    seen = ""
    with serving(hospital):
        while True:
            began = time.time()
            answer = take_turn(Turn(question)).context.answer
            if answer != seen:
                seen = answer
                line.say(answer=answer, at=time.time(), took=round(time.time() - began, 3))
            time.sleep(0.1)


def publish(line: Line, hospital: int, user: str, *numbers: int) -> None:
    """Publish every release at the same moment, each in a thread of its own."""
    together = Barrier(len(numbers) + 1)
    with ThreadPoolExecutor(len(numbers)) as threads:
        jobs = [
            threads.submit(publish_one, line, hospital, user, each, together) for each in numbers
        ]
        line.say(ready=True)
        line.wait()
        together.wait(30)
        for job in jobs:
            job.result()


def publish_one(line: Line, hospital: int, user: str, number: int, together: Barrier) -> None:
    from django.contrib.auth import get_user_model
    from django.db import Error, connections
    from django.utils import translation

    from taxonomy.models import Release
    from taxonomy.publishing.going_live import publish_release
    from zol.errors import StepRefused
    from zol.tenancy import serving

    try:
        with serving(hospital), translation.override("en"):
            who = get_user_model().objects.get(username=user)
            release = Release.objects.get(pk=number)
            together.wait(30)
            version = publish_release(release, by=who)
            line.say(release=release.pk, version=version.number)
    except StepRefused as error:
        line.say(release=number, refused=str(error))
    except Error as error:
        line.say(release=number, failed=repr(error))
    finally:
        connections.close_all()


def submit(line: Line, hospital: int, user: str, number: int) -> None:
    from django.contrib.auth import get_user_model

    from taxonomy.models import Release
    from taxonomy.publishing import approval
    from zol.tenancy import serving

    with serving(hospital):
        who = get_user_model().objects.get(username=user)
        line.say(ready=True)
        approval.submit(Release.objects.get(pk=number), by=who)
        line.say(done=True)


def cycle(line: Line, hospital: int) -> None:
    """Edit, submit, approve and publish until somebody pulls the plug."""
    from django.contrib.auth import get_user_model

    from taxonomy.models import Department
    from taxonomy.publishing import approval, going_live
    from tests.taxonomy.releases import previewed
    from zol.tenancy import serving

    find = get_user_model().objects.get
    with serving(hospital):
        anna, bert = find(username="anna"), find(username="bert")
        line.say(ready=True)
        while True:
            name = f"Dienst {time.time_ns()}"
            key = name.lower().replace(" ", "-")
            Department.objects.create(hospital_id=hospital, key=key, name=name)
            release = approval.submit(approval.open_release(by=anna, title=name), by=anna)
            previewed(release)
            approval.approve(release, by=bert)
            going_live.publish_release(release, by=bert)
            line.say(version=release.version.number)
