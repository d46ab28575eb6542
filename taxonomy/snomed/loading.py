"""Loading a release: all of it or nothing, in bounded memory, beside the one in use."""

from __future__ import annotations

import resource
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

import numpy as np
from django.db import transaction

from taxonomy.models import (
    SnomedConcept,
    SnomedDescription,
    SnomedIsA,
    SnomedRelationship,
    SnomedRelease,
)
from taxonomy.snomed import tables
from taxonomy.snomed.closure import Hierarchy
from taxonomy.snomed.files import Mistakes, ReleaseFiles, find_files
from taxonomy.snomed.parts import Reading
from zol.errors import BadInput

Say = Callable[[str], None]


def ignore(_: object) -> None:
    """Let progress pass unseen."""


@dataclass(frozen=True, slots=True)
class LoadingSteps:
    """Who is told how far a load is: of its parts, and of the bytes read."""

    say: Say = ignore
    begin: Callable[[int], None] = ignore
    step: Callable[[int], object] = ignore


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be loaded."""

    folder: Path
    languages: frozenset[str] = frozenset()
    edition: str = ""
    #: Whether the same release is loaded once more.
    again: bool = False
    #: Whether all is undone in the end.
    dry_run: bool = False
    #: Whether it may be older than the release in use, or have less in it.
    replace_anyway: bool = False


@dataclass(slots=True)
class LoadResult:
    release: SnomedRelease
    #: Whether it was the current one already, so that nothing was done.
    is_known: bool = False
    #: What changes for entities that are stamped, as sentences; the first ones, and how many more.
    affected: tuple[str, ...] = ()
    more: int = 0


class LessThanBefore(BadInput):
    """A release that would take away what the one in use has."""


def load_release(wish: Wish, progress: LoadingSteps | None = None) -> LoadResult:
    """Load a release and make it the current one; refuse it with all its mistakes."""
    progress = progress or LoadingSteps()
    started = perf_counter()
    files = find_files(wish.folder, wish.languages)
    edition = wish.edition or files.folder.resolve().name
    fingerprint = files.fingerprint(edition, *sorted(wish.languages))
    current = SnomedRelease.objects.using("owner").filter(is_current=True).first()
    if current and current.fingerprint == fingerprint and not wish.again:
        return LoadResult(current, is_known=True)
    progress.begin(files.size)
    with transaction.atomic(using="owner"):
        # A second load waits for the first, which may make it needless.
        tables.rows_of("SELECT pg_advisory_xact_lock(hashtext('zol.snomed'))")
        tables.create_new()
        reading = _fill(files, wish.languages, progress)
        progress.say("Building the indexes")
        tables.index_new()
        progress.say("Comparing with the release before")
        release = _record(files, edition, fingerprint, reading)
        if current:
            _refuse_less(wish, current, release)
        release.changes = tables.record(release, has_former=current is not None)
        tables.put_in_place()
        _note_cost(release, perf_counter() - started)
        affected, more = tables.sentences(release)
        if wish.dry_run:
            transaction.set_rollback(True, using="owner")
    return LoadResult(release, affected=affected, more=more)


def _note_cost(release: SnomedRelease, seconds: float) -> None:
    release.seconds = round(seconds, 1)
    release.peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    release.save(using="owner")


def _refuse_less(wish: Wish, current: SnomedRelease, release: SnomedRelease) -> None:
    """Refuse what is older or has less: entities would lose their codes and words.

    A Snapshot keeps every concept that ever was, as inactive: fewer of them is another edition, or
    a file that is not whole.
    """
    if wish.replace_anyway or wish.dry_run:
        return
    lost = []
    if release.effective < current.effective:
        lost.append(f"it is of {release.effective}, the one in use of {current.effective}")
    had, has = current.counts.get("concepts", 0), release.counts["concepts"]
    if has < had:
        lost.append(f"it has {has:,} concepts, the one in use {had:,}")
    if missing := set(current.languages) - set(release.languages):
        lost.append(f"it has nothing in {', '.join(sorted(missing))}")
    if lost:
        raise LessThanBefore(
            f"{release} has less than {current}: {'; '.join(lost)}. Nothing was loaded."
            " --dry-run shows what would change; --replace-anyway loads it."
        )


def _fill(files: ReleaseFiles, languages: Collection[str], progress: LoadingSteps) -> Reading:
    mistakes = Mistakes()
    reading = Reading(files, languages, mistakes, progress.step)
    progress.say("Reading concepts")
    _copy_concepts(reading, mistakes)
    progress.say("Reading language reference sets")
    reading.read_language_refsets()
    progress.say("Reading descriptions")
    _copy_descriptions(reading, mistakes)
    progress.say("Reading relationships")
    _copy_relationships(reading, mistakes)
    mistakes.refuse_if_any()
    progress.say("Building the transitive closure of IS-A")
    _copy_closure(reading, mistakes)
    return reading


def _copy_concepts(reading: Reading, mistakes: Mistakes) -> None:
    with tables.copying(SnomedConcept, "id, is_active, effective") as copy:
        for rows in reading.concepts():
            if not mistakes.total:
                columns = (rows.ids, ">i8"), (rows.active, "i1"), (rows.days, ">i4")
                copy.write(tables.as_rows(*columns))


def _copy_descriptions(reading: Reading, mistakes: Mistakes) -> None:
    columns = "id, concept, language, sort, acceptability, size, key, term"
    with tables.copying(SnomedDescription, columns, binary=False) as copy:
        for batch in reading.descriptions():
            if not mistakes.total:
                lines = ((*map(str, row[:-1]), tables.escaped(row.term)) for row in batch)
                copy.write("".join("\t".join(line) + "\n" for line in lines))


def _copy_relationships(reading: Reading, mistakes: Mistakes) -> None:
    with tables.copying(SnomedRelationship, "id, source, type, destination") as copy:
        for rows in reading.relationships():
            if not mistakes.total:
                copy.write(tables.as_rows(*((column, ">i8") for column in rows)))


def _copy_closure(reading: Reading, mistakes: Mistakes) -> None:
    ids = reading.concept_ids
    hierarchy = Hierarchy(*reading.is_a, size=len(ids))
    if circle := hierarchy.circle():
        named = [int(ids[at]) for at in circle]
        file, line = reading.where_is(named[0], named[1 % len(named)])
        shown = " is a ".join(map(str, [*named[:8], named[0]]))
        mistakes.add(file, line, f"IS-A goes in a circle: {shown}.")
        mistakes.refuse_if_any()
    count = 0
    with tables.copying(SnomedIsA, "ancestor, descendant, distance") as copy:
        for pairs in hierarchy.closure():
            count += len(pairs.descendants)
            ancestors, descendants = ids[pairs.ancestors], ids[pairs.descendants]
            columns = (ancestors, ">i8"), (descendants, ">i8"), (pairs.distances, ">i2")
            copy.write(tables.as_rows(*columns))
    reading.counts["closure"] = count


def _record(files: ReleaseFiles, edition: str, fingerprint: str, reading: Reading) -> SnomedRelease:
    released = files.date
    SnomedRelease.objects.using("owner").filter(is_current=True).update(is_current=False)
    return SnomedRelease.objects.using("owner").create(
        edition=edition,
        effective=date.fromisoformat(released) if released else _newest(),
        languages=sorted(reading.spoken),
        fingerprint=fingerprint,
        counts=reading.counts,
    )


def _newest() -> date:
    ((newest,),) = tables.rows_of(f"SELECT max(effective) FROM taxonomy_snomedconcept{tables.NEW}")
    found: date = newest or np.datetime64("today").item()
    return found
