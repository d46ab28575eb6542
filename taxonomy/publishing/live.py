"""Snapshots of published versions: built once per process, swapped when another goes live."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from operator import attrgetter
from threading import Lock
from time import monotonic
from typing import Any

from django.db import Error, connection

from taxonomy.models import Release, Version
from taxonomy.models.releases import WAITING
from taxonomy.publishing.content import (
    FORMER_KEYS,
    PROFILE_FIELDS,
    Content,
    EntityContent,
    content_of,
    draft_content,
)
from taxonomy.snapshot import DerivedValues, Profile, Snapshot
from taxonomy.snomed.linking import current_release_id, terminology_of
from taxonomy.vocabulary import AliasKind, Kind, Predicate, Spelling, Thing, Triple, Vocabulary
from zol.errors import ExpectedError, NotPublished
from zol.models import Hospital
from zol.postgres.pool import AWAY
from zol.runtime.processor import gc_paused
from zol.tenancy import required_hospital_id

#: Seconds for which a process may assume that the live version has not changed.
POINTER_LIFETIME = 0.25
#: Raw SQL: runs four times a second, and the ORM takes as long to build it as PostgreSQL to run it.
_LIVE = """
    SELECT version_id, (SELECT id FROM taxonomy_snomedrelease WHERE is_current LIMIT 1)
    FROM taxonomy_livepointer WHERE hospital_id = %s"""
#: A version, and the SNOMED CT release that it is read with (0 for none).
Live = tuple[int, int]
#: By hospital: when its live pointer was last read, and its value.
_pointers: dict[int, tuple[float, Live]] = {}
#: By hospital: the snapshot that its questions are answered from.
_snapshots: dict[int, tuple[Live, Snapshot]] = {}
_building = Lock()
#: Why versions cannot be loaded, by hospital and number; such a version is not tried again.
faults: dict[tuple[int, int], str] = {}
#: How many submitted versions of a hospital are prepared ahead of going live.
MOST_PREPARED = 2
#: Functions that take long to derive their value from a snapshot; apps add theirs in `ready`.
slow_to_derive: list[Callable[[Snapshot], Any]] = []
_replacement: ContextVar[Snapshot | None] = ContextVar("replacement", default=None)
#: Values derived from a content, by its hospital, fingerprint and SNOMED CT release, least recently
#: used first: a version that was prepared, or was live before, can answer at once.
_derived: OrderedDict[tuple[int, str, int], DerivedValues] = OrderedDict()
#: How many of these are kept for each hospital that this process answers for.
MOST_DERIVED = 4


@contextmanager
def answering_from(snapshot: Snapshot) -> Iterator[None]:
    """Answer from this snapshot instead of the live one, as if it were published."""
    token = _replacement.set(snapshot)
    try:
        yield
    finally:
        _replacement.reset(token)


def is_trying() -> bool:
    """Return whether answers come from another snapshot than the live one."""
    return _replacement.get() is not None


def live_snapshot() -> Snapshot:
    """Return what the served hospital has published. Built once per process and version."""
    hospital_id = required_hospital_id()
    replacement = _replacement.get()
    if replacement is not None and replacement.hospital_id == hospital_id:
        return replacement
    if snapshot := _loaded(hospital_id, _cached_pointer(hospital_id)):
        return snapshot
    # A connection first: other threads may hold the whole pool while they wait for the lock.
    connection.ensure_connection()
    with _building:
        # Read again: another thread may have swapped in a newer version meanwhile.
        live = _read_pointer(hospital_id)
        return _loaded(hospital_id, live) or _swapped_in(live, hospital_id)


def snapshot_at_hand() -> Snapshot:
    """Return the live snapshot; the previous one while a newer version is being built or the
    database is away."""
    if is_trying():
        return live_snapshot()
    hospital_id = required_hospital_id()
    try:
        snapshot = _loaded(hospital_id, _cached_pointer(hospital_id))
    except AWAY:
        snapshot = None
    return snapshot or snapshot_in_memory() or live_snapshot()


def snapshot_in_memory() -> Snapshot | None:
    """Return the snapshot that was last answered from, if any; never asks the database."""
    _live, snapshot = _snapshots.get(required_hospital_id(), (None, None))
    return snapshot


def draft_snapshot() -> Snapshot:
    """Return the snapshot that publishing the draft now would give.

    Derived values are reused until somebody edits the draft.
    """
    hospital = Hospital.objects.get(pk=required_hospital_id())
    content = draft_content(hospital)
    snapshot = replace(snapshot_of(content, hospital, 0), digests=content.digests())
    return _sharing(snapshot, content.fingerprint())


def swap_in_live_version() -> None:
    """Build the served hospital's live version, if this process answers for it, and switch to it.

    Meanwhile questions are answered from the previous version for as long as its pointer is cached.
    All values derived from that one are derived before the switch, so that no question waits.
    """
    hospital_id = required_hospital_id()
    connection.ensure_connection()
    with _building:
        live = _pointer(hospital_id)
        if hospital_id not in _snapshots or _loaded(hospital_id, live):
            _pointers.pop(hospital_id, None)
            return
        _swapped_in(live, hospital_id)
        _pointers[hospital_id] = (monotonic(), live)


def _swapped_in(live: Live, hospital_id: int) -> Snapshot:
    previous = snapshot_in_memory()
    with gc_paused():
        snapshot = _load(live)
        if previous is not None:
            snapshot.derive_like(previous)
    _snapshots[hospital_id] = live, snapshot
    return snapshot


def prepare_coming_versions() -> None:
    """Derive from the latest submitted versions what has been derived from the live one.

    Deriving takes a second at a hospital's size: done ahead, going live only switches.
    """
    if (previous := snapshot_in_memory()) is None:
        return
    waiting = Release.objects.filter(state__in=WAITING, version__isnull=False).order_by("-pk")
    release = current_release_id()
    rows = waiting.values_list("version_id", "version__fingerprint")[:MOST_PREPARED]
    for version_id, fingerprint in rows:
        key = previous.hospital_id, fingerprint, release
        derived = _derived.get(key, DerivedValues())
        if previous._derived.keys() - derived.keys():
            _load((version_id, release)).derive_like(previous)


def make_ready(version: Version) -> None:
    """Derive from a version whatever takes long before it goes live, so that going live is quick.

    Trained models are stored where every process finds them.
    """
    live = version.pk, current_release_id()
    if _loaded(version.hospital_id, live):
        return
    snapshot = _load(live)
    if (previous := snapshot_in_memory()) is not None:
        snapshot.derive_like(previous)
    for build in slow_to_derive:
        snapshot.derived(build)


def hospitals_in_use() -> frozenset[int]:
    """Return the hospitals that this process answers for."""
    return frozenset(_snapshots)


def forget_snapshots() -> None:
    """Drop all snapshots, so that the next question reads the live version again."""
    _pointers.clear()
    _snapshots.clear()
    faults.clear()


def recheck_live_versions(*hospital_ids: int) -> None:
    """Read the live pointer again at the next question of some hospitals, or of all."""
    for hospital_id in hospital_ids or list(_pointers):
        _pointers.pop(hospital_id, None)


def _loaded(hospital_id: int, live: Live) -> Snapshot | None:
    """Return the snapshot in use if it is of this version."""
    known, snapshot = _snapshots.get(hospital_id, (None, None))
    return snapshot if known == live else None


def _cached_pointer(hospital_id: int) -> Live:
    read_at, live = _pointers.get(hospital_id, (float("-inf"), (0, 0)))
    return live if monotonic() - read_at < POINTER_LIFETIME else _read_pointer(hospital_id)


def _read_pointer(hospital_id: int) -> Live:
    read_at = monotonic()
    live = _pointer(hospital_id)
    _pointers[hospital_id] = (read_at, live)
    return live


def _pointer(hospital_id: int) -> Live:
    with connection.cursor() as cursor:
        cursor.execute(_LIVE, [hospital_id])
        found = cursor.fetchone()
    if found is None:
        raise NotPublished("This hospital has no published version yet")
    return int(found[0]), int(found[1] or 0)


def _load(live: Live) -> Snapshot:
    version = Version.objects.select_related("hospital").get(pk=live[0])
    key = version.hospital_id, version.number
    if key in faults:
        raise NotPublished(faults[key])
    # Versions, and hospitals, differ in a few row sets only: equal sets are read and held once.
    held = {
        (name, digest): snapshot.rows[name]
        for _live, snapshot in list(_snapshots.values())
        for name, digest in snapshot.digests.items()
    }
    try:
        content = content_of(version, held)
        snapshot = snapshot_of(content, version.hospital, version.number, snomed=live[1])
    except (Error, ExpectedError, MemoryError):
        raise
    except Exception as error:
        faults[key] = f"Version {version.number} cannot be read: {error!r}"
        raise NotPublished(faults[key]) from error
    snapshot = replace(snapshot, digests=version.digests)
    # The fingerprint of an older version does not cover the profile, which may be edited.
    has_profile = any(entity.ref.kind == Kind.HOSPITAL for entity in content.entities)
    is_shared = has_profile and version.fingerprint
    return _sharing(snapshot, version.fingerprint) if is_shared else snapshot


def _sharing(snapshot: Snapshot, fingerprint: str) -> Snapshot:
    """Return a snapshot that shares its derived values with others of the same content."""
    key = snapshot.hospital_id, fingerprint, snapshot.snomed
    snapshot = replace(snapshot, _derived=_derived.setdefault(key, DerivedValues()))
    _derived.move_to_end(key)
    while len(_derived) > MOST_DERIVED * max(1, len(_snapshots)):
        _derived.popitem(last=False)
    return snapshot


def load_snapshot(version: Version) -> Snapshot:
    """Return the snapshot of a version, live or not."""
    return snapshot_of(content_of(version), version.hospital, version.number)


def snapshot_of(
    content: Content, hospital: Hospital, number: int, *, snomed: int | None = None
) -> Snapshot:
    """Return the snapshot of a content.

    `snomed` is the SNOMED CT release to read it with (0: none); by default the current one.
    """
    things = {entity.ref: _thing(entity) for entity in content.entities}
    ordered = sorted(content.entities, key=attrgetter("position"))
    facts = sorted(content.relations, key=attrgetter("position"))
    known = (Triple(things[f.subject], Predicate(f.predicate), things[f.object]) for f in facts)
    vocabulary = Vocabulary((things[entity.ref] for entity in ordered), known)
    profile = _published_profile(content, hospital)
    release = current_release_id() if snomed is None else snomed
    return Snapshot(
        hospital_id=hospital.pk,
        version=number,
        profile=profile,
        vocabulary=vocabulary,
        rows=content.rows,
        terminology=terminology_of(vocabulary, profile.default_language, release),
        snomed=release,
    )


def profile_of(hospital: Hospital) -> Profile:
    """Return the hospital's profile as it is stored now, published or not."""
    values = {name: getattr(hospital, name) for name in Profile.__dataclass_fields__}
    return Profile(**values | {"languages": tuple(hospital.languages)})


def _published_profile(content: Content, hospital: Hospital) -> Profile:
    """Return the published profile; versions older than published profiles get the current one."""
    for entity in content.entities:
        if entity.ref.kind == Kind.HOSPITAL:
            values = {name: entity.data[name] for name in PROFILE_FIELDS if name in entity.data}
            values["languages"] = tuple(values.get("languages", ()))
            website = entity.data.get("url", "")
            return Profile(slug=hospital.slug, name=entity.name, website=website, **values)
    return profile_of(hospital)


def _thing(entity: EntityContent) -> Thing:
    data = dict(entity.data)
    aliases = tuple(
        Spelling(alias["text"], alias["language"], AliasKind(alias["kind"]))
        for alias in data.pop("aliases", ())
    )
    url, former = data.pop("url", ""), tuple(data.pop(FORMER_KEYS, ()))
    return Thing(Kind(entity.ref.kind), entity.ref.key, entity.name, url, aliases, data, former)
