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
    Held,
    content_of,
    draft_content,
)
from taxonomy.publishing.snapshot import DerivedValues, Profile, Snapshot
from taxonomy.snomed.linking import current_release, current_release_id, terminology_of
from taxonomy.vocabulary import AliasKind, Kind, Predicate, Spelling, Thing, Triple, Vocabulary
from zol.errors import ExpectedError, NotPublished
from zol.models import Hospital
from zol.postgres.pool import AWAY
from zol.runtime.processor import nothing_thrown_away
from zol.tenancy import required_hospital_id

#: Seconds for which a process may believe that the live version is still the same.
BELIEVED = 0.25
#: Asked four times a second: Django takes as long to put it together as PostgreSQL to answer it.
_LIVE = """
    SELECT version_id, (SELECT id FROM taxonomy_snomedrelease WHERE is_current LIMIT 1)
    FROM taxonomy_livepointer WHERE hospital_id = %s"""
#: A version, and the SNOMED CT release that it is read with (0 for none).
Live = tuple[int, int]
NOTHING: Live = (0, 0)
_pointers: dict[int, tuple[float, Live]] = {}
_snapshots: dict[Live, Snapshot] = {}
_building = Lock()
#: Why versions cannot be answered from, by hospital and number: none is read twice.
faults: dict[tuple[int, int], str] = {}
#: Versions that may go live at a hospital, with everything derived already.
_coming: dict[int, dict[Live, Snapshot]] = {}
#: How many of those are kept ready.
MOST_COMING = 2
#: What takes long to derive from a version; apps add theirs when they are ready.
slow_to_derive: list[Callable[[Snapshot], Any]] = []
_instead: ContextVar[Snapshot | None] = ContextVar("instead", default=None)
#: What readers derived from equal contents: a version that is published or rolled back to again is
#: ready at once. Held by fingerprint, SNOMED CT release and profile, the latest few only.
_derived: OrderedDict[tuple[str, int, Profile], DerivedValues] = OrderedDict()
MOST_DERIVED = 4


@contextmanager
def answering_from(snapshot: Snapshot) -> Iterator[None]:
    """Answer from this snapshot instead of the live one, as if it were published."""
    token = _instead.set(snapshot)
    try:
        yield
    finally:
        _instead.reset(token)


def is_trying() -> bool:
    """Whether answers come from something else than what is live."""
    return _instead.get() is not None


def live_snapshot() -> Snapshot:
    """Return what the served hospital has published. Built once per process and version."""
    hospital_id = required_hospital_id()
    instead = _instead.get()
    if instead is not None and instead.hospital_id == hospital_id:
        return instead
    snapshot = _snapshots.get(_believed_version(hospital_id))
    if snapshot is None:
        # A connection first: others may hold all of the pool's while they wait for the lock.
        connection.ensure_connection()
        with _building:
            # Asked once more: what was believed may have been swapped out meanwhile.
            live = _live_version(hospital_id)
            snapshot = _snapshots.get(live) or _swapped_in(live, hospital_id)
    return snapshot


def snapshot_at_hand() -> Snapshot:
    """Return what is live; or what was before, while a newer version is still being built and while
    the database is away."""
    if is_trying():
        return live_snapshot()
    hospital_id = required_hospital_id()
    try:
        live = _believed_version(hospital_id)
    except AWAY:
        live = NOTHING
    return _snapshots.get(live) or _in_use(hospital_id) or live_snapshot()


def snapshot_in_memory() -> Snapshot | None:
    """Return what was answered from last, if anything was; never asks the database."""
    return _in_use(required_hospital_id())


def draft_snapshot() -> Snapshot:
    """Return what answers would be given from if all that staff have edited were live.

    Asked again before anybody edits more, nothing is derived anew.
    """
    hospital = Hospital.objects.get(pk=required_hospital_id())
    content = draft_content(hospital)
    snapshot = replace(snapshot_of(content, hospital, 0), digests=content.digests())
    return _sharing(snapshot, content.fingerprint())


def swap_in_live_version() -> None:
    """Build the served hospital's live version, if this process answers for it, and then use it.

    Questions that arrive meanwhile are answered from the version before, as long as it is believed.
    What readers had derived from that is derived before the swap, so that no question waits for it.
    """
    hospital_id = required_hospital_id()
    old = _in_use(hospital_id)
    connection.ensure_connection()
    with _building:
        live = _pointer(hospital_id)
        if old is None or live in _snapshots:
            _pointers.pop(hospital_id, None)
            return
        _swapped_in(live, hospital_id)
        _pointers[hospital_id] = (monotonic(), live)


def _swapped_in(live: Live, hospital_id: int) -> Snapshot:
    """Use a version instead of the one before; what both derive alike is shared while both are."""
    with nothing_thrown_away():
        old = _in_use(hospital_id)
        snapshot = _coming.get(hospital_id, {}).pop(live, None) or _load(live)
        if old is not None:
            snapshot.derive_like(old)
    _snapshots[live] = snapshot
    for other, kept in list(_snapshots.items()):
        if kept.hospital_id == hospital_id and other != live:
            del _snapshots[other]
    return snapshot


def prepare_coming_versions() -> None:
    """Derive from what waits for approval, or its moment, what is derived from the live version.

    Deriving takes a second at a hospital's size: done before, going live only swaps.
    """
    hospital_id = required_hospital_id()
    old = _in_use(hospital_id)
    if old is None:
        return
    waiting = Release.objects.filter(state__in=WAITING, version__isnull=False).order_by("-pk")
    rows = waiting.values_list("version_id", current_release())[:MOST_COMING]
    known, coming = _coming.get(hospital_id, {}), dict[Live, Snapshot]()
    for version_id, release in rows:
        live = int(version_id), int(release or 0)
        coming[live] = known.get(live) or _load(live)
        coming[live].derive_like(old)
    _coming[hospital_id] = coming


def make_ready(version: Version) -> None:
    """Derive from a version what takes long, before it may go live: then going live only swaps.

    What is learned from it is kept where every process finds it.
    """
    hospital_id, release = version.hospital_id, current_release_id()
    live = version.pk, release
    if live in _snapshots:
        return
    known, old = _coming.setdefault(hospital_id, {}), _in_use(hospital_id)
    snapshot = known.get(live) or _load(live)
    if old is not None:
        known[live] = snapshot
        snapshot.derive_like(old)
    for build in slow_to_derive:
        snapshot.derived(build)


def hospitals_in_use() -> frozenset[int]:
    """Return the hospitals that this process answers for."""
    return frozenset(kept.hospital_id for kept in list(_snapshots.values()))


def _in_use(hospital_id: int) -> Snapshot | None:
    kept = list(_snapshots.values())
    return next((each for each in kept if each.hospital_id == hospital_id), None)


def forget_snapshots() -> None:
    """Forget what is in memory, so that the next question reads the live version anew."""
    _pointers.clear()
    _snapshots.clear()
    _coming.clear()
    faults.clear()


def recheck_live_versions(*hospital_ids: int) -> None:
    """Look at the database for the next question of some hospitals, or of all."""
    for hospital_id in hospital_ids or list(_pointers):
        _pointers.pop(hospital_id, None)


def _believed_version(hospital_id: int) -> Live:
    seen_at, live = _pointers.get(hospital_id, (0.0, NOTHING))
    if live is not NOTHING and monotonic() - seen_at < BELIEVED:
        return live
    return _live_version(hospital_id)


def _live_version(hospital_id: int) -> Live:
    seen_at = monotonic()
    live = _pointer(hospital_id)
    _pointers[hospital_id] = (seen_at, live)
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
    try:
        content = content_of(version, _held())
        snapshot = snapshot_of(content, version.hospital, version.number, snomed=live[1])
    except (Error, ExpectedError, MemoryError):
        raise
    except Exception as error:
        faults[key] = f"Version {version.number} cannot be read: {error!r}"
        raise NotPublished(faults[key]) from error
    snapshot = replace(snapshot, digests=version.digests)
    return _sharing(snapshot, version.fingerprint) if version.fingerprint else snapshot


def _sharing(snapshot: Snapshot, fingerprint: str) -> Snapshot:
    """Return a snapshot with what was derived from another of the same contents."""
    key = fingerprint, snapshot.snomed, snapshot.profile
    snapshot = replace(snapshot, _derived=_derived.setdefault(key, DerivedValues()))
    _derived.move_to_end(key)
    while len(_derived) > MOST_DERIVED:
        _derived.popitem(last=False)
    return snapshot


def _held() -> Held:
    """Return the rows in memory: versions, and hospitals, differ in a few sets only."""
    coming = [each for known in list(_coming.values()) for each in list(known.values())]
    return {
        (name, digest): snapshot.rows[name]
        for snapshot in [*list(_snapshots.values()), *coming]
        for name, digest in snapshot.digests.items()
    }


def load_snapshot(version: Version) -> Snapshot:
    """Return a version, live or not, as plain values."""
    return snapshot_of(content_of(version), version.hospital, version.number)


def snapshot_of(
    content: Content, hospital: Hospital, number: int, *, snomed: int | None = None
) -> Snapshot:
    """Return what answers would be given from, if this content were live.

    It is read with a SNOMED CT release (0 for none), the one in use when none is named.
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
    """Return what the hospital says of itself at this moment, published or not."""
    values = {name: getattr(hospital, name) for name in Profile.__dataclass_fields__}
    return Profile(**values | {"languages": tuple(hospital.languages)})


def _published_profile(content: Content, hospital: Hospital) -> Profile:
    """Return the profile that was published; versions from before it was have the present one."""
    for entity in content.entities:
        if entity.ref.kind == Kind.HOSPITAL:
            said = {name: entity.data[name] for name in PROFILE_FIELDS if name in entity.data}
            said["languages"] = tuple(said.get("languages", ()))
            website = entity.data.get("url", "")
            return Profile(slug=hospital.slug, name=entity.name, website=website, **said)
    return profile_of(hospital)


def _thing(entity: EntityContent) -> Thing:
    data = dict(entity.data)
    aliases = tuple(
        Spelling(alias["text"], alias["language"], AliasKind(alias["kind"]))
        for alias in data.pop("aliases", ())
    )
    url, former = data.pop("url", ""), tuple(data.pop(FORMER_KEYS, ()))
    return Thing(Kind(entity.ref.kind), entity.ref.key, entity.name, url, aliases, data, former)
