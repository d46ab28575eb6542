"""Erase conversations at a patient's request: find, count, then delete them with all derived data.

The audit log keeps who erased, when, why and how many rows, but no text of the patient.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.admin.utils import NestedObjects
from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from chat.models import Conversation, Message
from chat.services import copies, forget
from zol.errors import BadInput
from zol.records.audit import AuditEntry, record
from zol.text import fold, words

#: Maximum conversations of one erasure: a person reviews them first.
MOST = 200
#: Letters from which a search word must not be repeated in the logged reason.
IDENTIFYING = 4
_REFERENCE = re.compile(r"[0-9a-f]{8,32}")


@dataclass(frozen=True, slots=True)
class Sought:
    """Criteria for the conversations to erase; all that are given must match."""

    #: Id of a conversation or message, or its first eight characters.
    reference: str = ""
    day: date | None = None
    #: Words of one question, in any order.
    words: str = ""

    def conversations(self) -> list[Conversation]:
        """Return the conversations, latest first; raise `BadInput` if none or too many."""
        if not (self.reference or self.day or self.words.strip()):
            raise BadInput(_("Enter a reference, a day or words."))
        asked = Message.objects.all()
        if self.day:
            asked = asked.filter(created_at__date=self.day)
        for word in self.words.split():
            asked = asked.filter(question__icontains=word)
        if self.reference:
            first, last = self._range()
            asked = asked.filter(
                Q(pk__range=(first, last)) | Q(conversation__pk__range=(first, last))
            )
        found = Conversation.objects.filter(pk__in=asked.values("conversation"))[: MOST + 1]
        if not found:
            raise BadInput(_("No conversation was found."))
        if len(found) > MOST:
            raise BadInput(_("More than %d conversations match: add a day or more words.") % MOST)
        return list(found)

    def _range(self) -> tuple[UUID, UUID]:
        signs = self.reference.strip().lower().replace("-", "")
        if not _REFERENCE.fullmatch(signs):
            raise BadInput(
                _("A reference has at least eight characters: only digits and the letters a to f.")
            )
        return UUID(signs.ljust(32, "0")), UUID(signs.ljust(32, "f"))

    def __str__(self) -> str:
        how = {"reference": self.reference, str(self.day): self.day, "words": self.words}
        return ", ".join(name for name, given in how.items() if given)


def rows_to_erase(conversations: list[Conversation]) -> dict[str, int]:
    """Return the number of rows of each kind that are erased with conversations."""
    collector = NestedObjects(using=connection.alias)
    collector.collect(conversations)
    counts: Counter[str] = Counter()
    collected: Mapping[Any, Collection[Any]] = collector.model_objs
    for model, rows in collected.items():
        counts[str(model._meta.verbose_name_plural)] += len(rows)
    for copied in (copies_of(conversations) for copies_of in copies):
        counts[str(copied.model._meta.verbose_name_plural)] += copied.count()
    return dict(+counts)


@transaction.atomic
def erase(sought: Sought, *, by: Any, why: str) -> dict[str, int]:
    """Erase conversations with everything derived from them; return the rows of each kind."""
    if not why.strip():
        raise BadInput(_("Enter a reason."))
    identifying = {word for word in words(sought.words) if len(word) >= IDENTIFYING}
    if any(word in fold(why) for word in identifying):
        raise BadInput(_("The reason is kept: do not repeat the words you searched for."))
    conversations = sought.conversations()
    counts = rows_to_erase(conversations)
    for conversation in conversations:
        forget(conversation)
    erased = ", ".join(f"{number} {name}" for name, number in counts.items())
    record(AuditEntry.What.ERASED, sought, by=by, why=why.strip(), after=erased)
    return counts
