"""The owner of a department: approves its curated answers, and gets its counts by e-mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from chat.models import CuratedAnswer, Message
from taxonomy.models import Department
from taxonomy.publishing.notices import language_of, mail

#: The period that an e-mail is about, and how long an approval holds.
MONTH, YEAR = timedelta(days=30), timedelta(days=365)
LONGEST_NAME = 80


def answers_of(department: Department) -> QuerySet[CuratedAnswer]:
    """Return the curated answers about a department, or that send people to it."""
    sent_here = Q(next_step=f"department:{department.key}")
    return CuratedAnswer.objects.filter(Q(subject_id=department.pk) | sent_here)


def owned_department(user: Any, row: CuratedAnswer) -> Department | None:
    """Return the department of an answer that somebody owns; None when they own none of them."""
    kind, _, key = row.next_step.partition(":")
    named = Q(pk=row.subject_id) | Q(key=key if kind == "department" else "")
    return Department.objects.filter(named, owner=user).first()


def approve(row: CuratedAnswer, user: Any) -> None:
    """Note who read an answer in the hospital's language; it is to be read again in a year."""
    name = (user.get_full_name() or user.get_username())[:LONGEST_NAME]
    row.checked_in = row.checked_in | {row.hospital.default_language: name}
    row.review_by = timezone.localdate() + YEAR


def mail_owner(hospital: Any, department: Department) -> bool:
    """Send the owner what the owner may see, in counts and topics, without a patient's words."""
    owner = department.owner
    if owner is None:
        return False
    with language_of(hospital):
        first, last = timezone.localdate() - MONTH, timezone.localdate()
        lines = [f"{date_format(first)} – {date_format(last)}", "", *_counts(department, owner)]
        path = f"{reverse('admin:chat_curatedanswer_changelist')}?q={department.key}"
        return mail(hospital, [owner], department.name, "\n".join(lines), path)


def _counts(department: Department, owner: Any) -> Iterator[str]:
    if owner.has_perm("chat.view_message"):
        here = Q(contact__name=department.name) | Q(contact__url=department.url or "-")
        since = timezone.now() - MONTH
        asked = Message.objects.filter(here, created_at__gte=since, state=Message.State.FINISHED)
        rows = list(asked.only("certainty", "behaviour", "intent"))
        yield gettext("What patients asked, and what they got: %d") % len(rows)
        got = Counter(row.get_certainty_display() or row.get_behaviour_display() for row in rows)
        topics = Counter(row.get_intent_display() or "–" for row in rows)
        for name, number in (*got.most_common(), *topics.most_common()):
            yield f"  - {name}: {number}"
    if owner.has_perm("chat.view_curatedanswer"):
        answers = answers_of(department)
        late = answers.filter(Q(review_by=None) | Q(review_by__lt=timezone.localdate()))
        yield gettext("Curated answers: %d") % answers.count()
        yield gettext("  - to be read again: %d") % late.count()
