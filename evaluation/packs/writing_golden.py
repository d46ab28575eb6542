"""Golden questions of a pack, laid over the rows of a hospital."""

from __future__ import annotations

from evaluation.models import GoldenQuestion
from evaluation.packs.changes import Change, Changes
from evaluation.packs.records import Pack
from zol.models import Hospital


def write_golden(hospital: Hospital, pack: Pack, changes: Changes) -> None:
    """Make the golden questions what the pack says; those that staff wrote have no line."""
    existing = {row.key: row for row in GoldenQuestion.objects.filter(hospital=hospital)}
    new = []
    for position, record in enumerate(pack.golden, start=1):
        values = {**record.fields, "line": record.line, "position": position}
        row = existing.pop(record.key, None)
        if row is None:
            new.append(GoldenQuestion(hospital=hospital, key=record.key, **values))
            continue
        differing = [name for name, value in values.items() if getattr(row, name) != value]
        for name in differing:
            setattr(row, name, values[name])
        if differing:
            row.save(update_fields=differing)
        changes.count("golden question", Change.CHANGED if differing else Change.UNCHANGED)
    GoldenQuestion.objects.bulk_create(new, batch_size=1_000)
    changes.count("golden question", Change.ADDED, len(new))
    gone = [row.pk for row in existing.values() if row.line]
    GoldenQuestion.objects.filter(pk__in=gone).delete()
    changes.count("golden question", Change.GONE, len(gone))
