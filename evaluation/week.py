"""The week before a demonstration is first looked at: golden questions, really asked and answered.

Their conversations are marked by their channel, and erased like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from zlib import crc32

from django.core.management import call_command
from django.db.models import F

from chat import services
from chat.answering.certainty import UNSURE
from chat.behaviours import Channel
from chat.channels import sessions
from chat.models import Conversation, Feedback
from evaluation.cases import Case, stored_cases
from evaluation.models import Run
from retrieval.models import CategoryMismatch
from zol.models import Hospital

#: Turns that are asked, and how long ago the first: today and the six days before it.
TURNS, SPAN = 120, timedelta(days=6)
#: Of so many answers one gets a thumb.
THUMBS = 4
#: Golden questions that a run asks.
CATEGORY = "navigation"


def fill(hospital: Hospital) -> None:
    """Ask golden questions, one at a time, where nobody has asked anything; then have a run."""
    if Conversation.objects.exists() or Run.objects.exists():
        return
    cases = _mixed(stored_cases())
    for place, case in enumerate(cases):
        talk = sessions.start(hospital, case.language, channel=Channel.DEMO)
        for question in (*(step.question for step in case.earlier), case.question):
            message = services.answer(talk, question)
        if place % THUMBS == 0:
            services.rate(message, is_good=message.certainty not in UNSURE)
        _put_back(talk, SPAN * (len(cases) - place) / len(cases))
    call_command("evaluate", hospital=hospital.slug, category=CATEGORY)


def erase() -> None:
    """Erase what was made up, with all that is kept of it."""
    for talk in Conversation.objects.filter(channel=Channel.DEMO):
        services.forget(talk)


def _mixed(cases: Iterable[Case]) -> list[Case]:
    """Return cases of all sorts and languages, together as many turns as a week has."""
    found: list[Case] = []
    turns = 0
    for case in sorted(cases, key=lambda each: crc32(each.key.encode())):
        if turns < TURNS:
            found.append(case)
            turns += 1 + len(case.earlier)
    return found


def _put_back(talk: Conversation, ago: timedelta) -> None:
    """Have a conversation have been held so long ago."""
    then = {"created_at": F("created_at") - ago}
    Conversation.objects.filter(pk=talk.pk).update(**then)
    talk.messages.update(**then, finished_at=F("finished_at") - ago)
    Feedback.objects.filter(message__conversation=talk).update(**then)
    CategoryMismatch.objects.filter(conversation_id=talk.pk).update(**then)
