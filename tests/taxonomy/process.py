"""A process of its own that answers, publishes or submits for a test; it speaks JSON lines.

python -m tests.taxonomy.process answer HOSPITAL hears|deaf
python -m tests.taxonomy.process ask HOSPITAL hears|deaf QUESTION
python -m tests.taxonomy.process publish HOSPITAL USER RELEASE…   (one thread for each release)
python -m tests.taxonomy.process submit HOSPITAL USER RELEASE
python -m tests.taxonomy.process cycle HOSPITAL                   (releases until it is killed)
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import django


def say(**values: Any) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def answer(hospital: str, ears: str) -> None:
    """Answer again and again; say when the version that it is answered from changes."""
    from taxonomy.publishing.live import live_snapshot
    from taxonomy.vocabulary import Kind
    from zol.tenancy import serving

    listen(ears)
    seen = 0
    with serving(int(hospital)):
        while True:
            snapshot = live_snapshot()
            names = sorted(thing.name for thing in snapshot.vocabulary.of_kind(Kind.DEPARTMENT))
            if snapshot.version != seen:
                seen = snapshot.version
                say(version=seen, at=time.time(), departments=names)
            time.sleep(0.005)


def listen(ears: str) -> None:
    """Hear of publications, as a web process does; one that is deaf has to notice by itself."""
    from taxonomy.publishing import versions

    if ears == "hears":
        versions.listen()
        versions._listeners[0].subscribed.wait(20)


def ask(hospital: str, ears: str, question: str) -> None:
    """Ask the same again and again; say when the answer changes, and how long it took."""
    from chat.services import take_turn
    from chat.turn import Turn
    from zol.tenancy import serving

    listen(ears)
    seen = ""
    with serving(int(hospital)):
        while True:
            began = time.time()
            answer = take_turn(Turn(question)).context.answer
            if answer != seen:
                seen = answer
                say(answer=answer, at=time.time(), took=round(time.time() - began, 3))
            time.sleep(0.1)


def publish(hospital: str, user: str, *numbers: str) -> None:
    """Publish every release at the same moment, each in a thread of its own."""
    together = Barrier(len(numbers) + 1)
    with ThreadPoolExecutor(len(numbers)) as threads:
        jobs = [threads.submit(publish_one, hospital, user, each, together) for each in numbers]
        say(ready=True)
        sys.stdin.readline()
        together.wait(30)
        for job in jobs:
            job.result()


def publish_one(hospital: str, user: str, number: str, together: Barrier) -> None:
    from django.contrib.auth import get_user_model
    from django.db import Error, connections
    from django.utils import translation

    from taxonomy.models import Release
    from taxonomy.publishing.going_live import publish_release
    from zol.errors import StepRefused
    from zol.tenancy import serving

    try:
        with serving(int(hospital)), translation.override("en"):
            who = get_user_model().objects.get(username=user)
            release = Release.objects.get(pk=int(number))
            together.wait(30)
            version = publish_release(release, by=who)
            say(release=release.pk, version=version.number)
    except StepRefused as error:
        say(release=int(number), refused=str(error))
    except Error as error:
        say(release=int(number), failed=repr(error))
    finally:
        connections.close_all()


def submit(hospital: str, user: str, number: str) -> None:
    from django.contrib.auth import get_user_model

    from taxonomy.models import Release
    from taxonomy.publishing import approval
    from zol.tenancy import serving

    with serving(int(hospital)):
        who = get_user_model().objects.get(username=user)
        say(ready=True)
        approval.submit(Release.objects.get(pk=int(number)), by=who)
        say(done=True)


def cycle(hospital: str) -> None:
    """Edit, submit, approve and publish until somebody pulls the plug."""
    from django.contrib.auth import get_user_model

    from taxonomy.models import Department
    from taxonomy.publishing import approval, going_live
    from tests.taxonomy.releases import previewed
    from zol.tenancy import serving

    find = get_user_model().objects.get
    with serving(int(hospital)):
        anna, bert = find(username="anna"), find(username="bert")
        say(ready=True)
        while True:
            name = f"Dienst {time.time_ns()}"
            key = name.lower().replace(" ", "-")
            Department.objects.create(hospital_id=int(hospital), key=key, name=name)
            release = approval.submit(approval.open_release(by=anna, title=name), by=anna)
            previewed(release)
            approval.approve(release, by=bert)
            going_live.publish_release(release, by=bert)
            say(version=release.version.number)


if __name__ == "__main__":
    django.setup()
    {"answer": answer, "ask": ask, "publish": publish, "submit": submit, "cycle": cycle}[
        sys.argv[1]
    ](*sys.argv[2:])
