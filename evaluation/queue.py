"""The work queue: recent failed answers, grouped by question.

A group is identified by its oldest question. Staff's decision (`WorkItem`) refers to that question,
so it stays with the group while questions come and go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.utils import timezone

from chat.behaviours import UNSURE, Behaviour, Certainty
from chat.models import Conversation, Message
from chat.services import history_of
from evaluation.models import GoldenQuestion, LiveGrade, WorkItem
from retrieval.embedding import get_encoder
from retrieval.vectors import Matrix
from zol.languages import LANGUAGES

#: Age and number of the failed answers read, the newest first.
SPAN, NEWEST = timedelta(days=30), 500
#: Most decisions of staff that are read, those on the newest questions first.
DECIDED = 250
#: Deferred fields of a message.
LONG = ("answer", "trace", "citations", "follow_ups", "timings_ms")
#: Cosine from which two questions count as the same, for staff who read both. Of 465 wordings of 93
#: questions in eight languages 150 match others, 108 of them correctly.
SAME_QUESTION = 0.5
#: Words and other wordings shown of a group.
SHOWN = 5
#: Category of a new golden question until staff change it.
CATEGORY = "practical_info"
DISLIKED, LOW = "disliked", "low"
#: Number of the week's lowest grades that count as failed: more likely wrong than right.
LOWEST, WEEK, DOUBTFUL = 10, timedelta(days=7), 0.5
#: Weights of failures: a near answer may have helped; an empty or disliked one did not.
BADNESS = {str(Certainty.NEAR): 1, str(Certainty.NOTHING): 2, DISLIKED: 2, LOW: 1}


@dataclass(slots=True)
class FailedGroup:
    """Failed questions that ask the same; a closed group counts only later failures."""

    first: Message
    item: WorkItem | None = None
    messages: list[Message] = field(default_factory=list)

    def add(self, message: Message) -> None:
        closed = self.item.closed_at if self.item else None
        if closed is None or message.created_at > closed:
            self.messages.append(message)

    @property
    def question(self) -> str:
        return _line(self.first)

    @property
    def language(self) -> str:
        return language_of(self.first)

    @property
    def is_closed(self) -> bool:
        return self.item is not None and self.item.state != WorkItem.State.OPEN

    @property
    def is_back(self) -> bool:
        return self.is_closed and bool(self.messages)

    def is_in(self, wanted: str, user: Any) -> bool:
        """Return whether the group is on a user's list: open, mine or closed."""
        waits = not self.is_closed or self.is_back
        mine = self.item is not None and self.item.owner_id == user.pk
        return {"open": waits, "mine": waits and mine, "closed": self.is_closed}[wanted]

    @property
    def failures(self) -> Counter[str]:
        """Count its failures: unsure, nothing found, disliked, low grade."""
        return Counter(way for message in self.messages for way in failures_of(message))

    @property
    def badness(self) -> int:
        return sum(BADNESS[way] * count for way, count in self.failures.items())

    @property
    def missing(self) -> list[str]:
        return _commonest((word for each in self.messages for word in each.missing), SHOWN)

    @property
    def about(self) -> list[str]:
        """Return the department that most answers referred to."""
        return _commonest((each.contact.get("name", "") for each in self.messages), 1)

    @property
    def newest(self) -> list[Message]:
        return self.messages[: -SHOWN - 1 : -1]


def _line(message: Message) -> str:
    return " ".join(message.question.split())


def failures_of(message: Message) -> list[str]:
    """Return how an answer failed."""
    feedback = getattr(message, "feedback", None)
    is_disliked = feedback is not None and not feedback.is_good
    is_low = getattr(message, "is_low", False)
    return [*({message.certainty} & BADNESS.keys()), *[DISLIKED] * is_disliked, *[LOW] * is_low]


def language_of(message: Message) -> str:
    """Return the language of a question, or of its page if that language is not supported."""
    known = message.language in LANGUAGES
    return message.language if known else message.conversation.language


def _commonest(values: Iterable[str], number: int) -> list[str]:
    return [value for value, _count in Counter(filter(None, values)).most_common(number)]


def failed() -> QuerySet[Message]:
    """Return recent answers that were unsure, disliked, or among the lowest grades of the week."""
    now = timezone.now()
    low = LiveGrade.objects.filter(graded_at__gte=now - WEEK, overall__lt=DOUBTFUL)
    is_low = Q(pk__in=list(low.values_list("pk", flat=True)[:LOWEST]))
    bad = Q(certainty__in=UNSURE) | Q(feedback__is_good=False) | is_low
    found = Message.objects.filter(bad, state=Message.State.FINISHED, created_at__gte=now - SPAN)
    return found.annotate(is_low=ExpressionWrapper(is_low, BooleanField()))


def failed_groups() -> list[FailedGroup]:
    """Return failed answers grouped by question, the most frequent and worst first."""
    items = (
        WorkItem.objects.select_related("message__conversation", "owner", "golden")
        .defer(*(f"message__{name}" for name in LONG))
        .order_by(F("closed_at").desc(nulls_first=True), "-pk")[:DECIDED]
    )
    rows = failed().select_related("conversation", "feedback").defer(*LONG)
    messages = list(reversed(rows.order_by("-created_at", "pk")[:NEWEST]))
    groups = [FailedGroup(item.message, item) for item in reversed(items)]
    texts = [_line(each) for each in (*(group.first for group in groups), *messages)]
    assigned = founders(np.array([_vector(text) for text in texts]), len(groups), SAME_QUESTION)
    founded = dict(enumerate(groups))
    for message, (place, founder) in zip(messages, assigned, strict=True):
        if place == founder:
            founded[place] = FailedGroup(message)
        founded[founder].add(message)
    return sorted(founded.values(), key=lambda group: -group.badness)


def founders(vectors: Matrix, known: int, least: float) -> list[tuple[int, int]]:
    """Group the vectors after the known ones; return the index of each and of its group's first.

    It joins the most similar first vector, or starts a group of its own.
    """
    similarities = vectors @ vectors.T
    places, found = list(range(known)), []
    for place in range(known, len(vectors)):
        best = places[int(np.argmax(similarities[place, places]))] if places else place
        if best == place or similarities[place, best] < least:
            best = place
            places.append(place)
        found.append((place, best))
    return found


@lru_cache(maxsize=2 * (NEWEST + DECIDED))
def _vector(text: str) -> Matrix:
    return get_encoder().embed_query(text)


def golden_copies(conversations: Iterable[Conversation]) -> QuerySet[GoldenQuestion]:
    """Return the golden questions that still repeat questions of conversations."""
    asked = Message.objects.filter(conversation__in=[each.pk for each in conversations])
    questions = {f"queue-{pk.hex}": text for pk, text in asked.values_list("pk", "question")}
    golden = GoldenQuestion.objects.filter(key__in=questions)
    same = [row.pk for row in golden if {questions[row.key]} & {*row.turns}]
    return golden.filter(pk__in=same)


@transaction.atomic
def guard(item: WorkItem, user: Any) -> GoldenQuestion:
    """Create the golden question of a failed group, with its earlier turns; once."""
    message = item.message
    golden, _made = GoldenQuestion.objects.get_or_create(
        hospital_id=item.hospital_id,
        key=f"queue-{item.pk.hex}",
        defaults={
            "category": CATEGORY,
            "language": language_of(message),
            "turns": [
                *(each.question for each in history_of(message.conversation, before=message)),
                message.question,
            ],
            "expect": str(Behaviour.ANSWER),
            "owner": user.get_username()[:80],
        },
    )
    WorkItem.objects.filter(pk=item.pk).update(golden=golden)
    return golden
