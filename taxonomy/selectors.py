"""Published rows in, plain values out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from threading import Lock
from time import monotonic
from typing import Any

from taxonomy.kinds import AliasKind, Kind, Predicate
from taxonomy.models import LivePointer, PublishedEntity, PublishedRelation, PublishedRow, Version
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Fact, Spelling, Thing, Vocabulary
from zol.errors import NotPublished
from zol.models import Hospital
from zol.tenancy import required_hospital_id

#: Seconds for which a process may believe that the live version is still the same.
BELIEVED = 0.5
_pointers: dict[int, tuple[float, int]] = {}
_snapshots: dict[int, Snapshot] = {}
_building = Lock()


def live_snapshot() -> Snapshot:
    """Return what the served hospital has published. Built once per process and version."""
    version_id = _live_version_id(required_hospital_id())
    if (snapshot := _snapshots.get(version_id)) is None:
        with _building:
            snapshot = _snapshots.get(version_id) or _load_and_keep(version_id)
    return snapshot


def forget_snapshots() -> None:
    """Forget what is in memory, so that the next question reads the live version anew."""
    _pointers.clear()
    _snapshots.clear()


def recheck_live_version(hospital_id: int) -> None:
    """Look at the database for the next question, rather than believe what was last seen."""
    _pointers.pop(hospital_id, None)


def _live_version_id(hospital_id: int) -> int:
    now = monotonic()
    seen_at, version_id = _pointers.get(hospital_id, (0.0, 0))
    if version_id and now - seen_at < BELIEVED:
        return version_id
    live = LivePointer.objects.values_list("version_id", flat=True).first()
    if live is None:
        raise NotPublished("This hospital has no published version yet")
    _pointers[hospital_id] = (now, live)
    return int(live)


def _load_and_keep(version_id: int) -> Snapshot:
    snapshot = load_snapshot(Version.objects.select_related("hospital").get(pk=version_id))
    for old in [pk for pk, kept in _snapshots.items() if kept.hospital_id == snapshot.hospital_id]:
        del _snapshots[old]
    _snapshots[version_id] = snapshot
    return snapshot


def load_snapshot(version: Version) -> Snapshot:
    """Return a version, live or not, as plain values."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    published = PublishedRow.objects.filter(version=version).order_by("pk")
    for row_set, data in published.values_list("row_set", "data"):
        rows[row_set].append(data)
    return Snapshot(
        hospital_id=version.hospital_id,
        version=version.number,
        profile=profile_of(version.hospital),
        vocabulary=_load_vocabulary(version),
        rows={name: tuple(found) for name, found in rows.items()},
    )


def profile_of(hospital: Hospital) -> Profile:
    values = {name: getattr(hospital, name) for name in Profile.__dataclass_fields__}
    return Profile(**values | {"languages": tuple(hospital.languages)})


def _load_vocabulary(version: Version) -> Vocabulary:
    things = {
        row.pk: thing_of(row)
        for row in PublishedEntity.objects.filter(version=version).order_by("position", "pk")
    }
    facts = PublishedRelation.objects.filter(version=version).order_by("position", "pk")
    return Vocabulary(things.values(), _facts(things, facts))


def thing_of(row: PublishedEntity) -> Thing:
    data = dict(row.data)
    aliases = tuple(
        Spelling(alias["text"], alias["language"], AliasKind(alias["kind"]))
        for alias in data.pop("aliases", ())
    )
    return Thing(Kind(row.kind), row.key, row.name, data.pop("url", ""), aliases, data)


def _facts(things: dict[int, Thing], rows: Iterable[PublishedRelation]) -> Iterable[Fact]:
    for row in rows:
        yield Fact(things[row.subject_id], Predicate(row.predicate), things[row.object_id])
