"""Rows for tests: only what a test is about needs to be said."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from chat.models import Conversation, Message
from taxonomy.models import Alias, Entity, Relation
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.vocabulary import Kind, Predicate
from zol.models import Hospital, HospitalHost
from zol.records.versioned import default_rows, defaulted_models
from zol.tenancy import serving
from zol.text import fold

#: Of what is learned from, one row in so many.
FEW = 10
LEARNED_FROM = ("chat.intentexample", "chat.redflagphrase")


def hospital(slug: str = "test", host: str = "", **fields: Any) -> Hospital:
    """Return a hospital with one host and nothing else."""
    values = {"name": "Ziekenhuis Test", "short_name": "ZT", "phone": "089 00 00 00"} | fields
    row = Hospital.objects.create(slug=slug, **values)
    with serving(row):
        HospitalHost.objects.create(hospital=row, host=host or f"{slug}.localhost")
    return row


def with_defaults(row: Hospital) -> Hospital:
    """Give a hospital the product's default rows, as its own and less many examples.

    To learn from all takes ten times as long; questions of these tests are plain ones.
    """
    with serving(row):
        for model in defaulted_models():
            few = FEW if model.row_set() in LEARNED_FROM else 1
            model._default_manager.bulk_create(default_rows(model, row.pk)[::few])
    return row


def entity(row: Hospital, kind: Kind, name: str, *aliases: str, **fields: Any) -> Entity:
    """Return an entity; its key follows from its name."""
    key = fields.pop("key", "") or fold(name).replace(" ", "-").replace(".", "")
    made = ENTITY_MODELS[kind].objects.create(hospital=row, key=key, name=name, **fields)
    for position, text in enumerate(aliases):
        language, _, word = text.rpartition(":")
        Alias.objects.create(entity=made, text=word, language=language or "nl", position=position)
    return made


def relate(subject: Entity, predicate: Predicate, *objects: Entity) -> None:
    for position, target in enumerate(objects):
        Relation.objects.create(
            subject=subject, predicate=predicate, object=target, position=position
        )


def message(
    row: Hospital, question: str = "Waar kan ik parkeren?", *, days: int = 0, **fields: Any
) -> Message:
    """Return an answer of so many days ago, in a conversation of its own unless one is given."""
    # By the clock on the wall: an hour that came or went in between keeps the day.
    then = timezone.localtime() - timedelta(days=days)
    usual = {"answer": "Op P1. [1]", "behaviour": "answer", "state": "finished", "language": "nl"}
    values = usual | fields
    if "conversation" not in values:
        values["conversation"] = Conversation.objects.create(hospital=row)
    made = Message.objects.create(hospital=row, question=question, **values)
    made.created_at = then
    made.save(update_fields=["created_at"])
    return made
