"""Load a release: all of it or nothing, in bounded memory, while the current one is in use.

The files are copied to temporary tables with typed columns, so that PostgreSQL reports a bad line.
From these, SQL builds the reference tables and the transitive closure of IS-A.
"""

from __future__ import annotations

import re
import resource
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg
from django.db import IntegrityError, transaction

from taxonomy.language.tokens import folded, join
from taxonomy.models import SnomedRelease
from taxonomy.resolvers.index import LONGEST
from taxonomy.snomed import files, tables
from taxonomy.snomed.files import ReleaseFiles, ReleaseRefused, find_files, language_of, lines_of

IS_A = 116680003
NAME, SYNONYM, DEFINITION = 900000000000003001, 900000000000013009, 900000000000550004
PREFERRED = 900000000000548007
#: Width of the column `key`.
KEY_LETTERS = 200
#: Columns of the temporary tables; descriptions get `size` and `key` in addition.
_COMPONENT = "effective date, active boolean, module bigint"
_RAW = {
    "concept": f"id bigint, {_COMPONENT}, status bigint",
    "member": f"id uuid, {_COMPONENT}, refset bigint, description bigint, degree bigint",
    "description": f"""id bigint, {_COMPONENT}, concept bigint,
        language text CONSTRAINT language_code CHECK (language ~ '^[a-z]{{2,3}}(-[A-Za-z]{{2}})?$'),
        type bigint CONSTRAINT type CHECK (type IN ({NAME}, {SYNONYM}, {DEFINITION})),
        term text CONSTRAINT term CHECK (term ~ '\\S'),
        casing bigint, size smallint, key text""",
    "relationship": f"""id bigint, {_COMPONENT}, source bigint, destination bigint,
        grouped integer, type bigint, characteristic bigint, modifier bigint""",
}
_REFERENCES = (
    ("description", "concept"), ("relationship", "source"), ("relationship", "destination"),
)  # fmt: skip
_STRANGER = """
    SELECT r.{column} FROM raw_{part} r LEFT JOIN raw_concept c ON c.id = r.{column}
    WHERE c.id IS NULL LIMIT 1"""
_FILL = (
    """INSERT INTO taxonomy_snomedconcept_new (id, is_active, effective)
    SELECT id, active, effective FROM raw_concept""",
    """INSERT INTO taxonomy_snomedrelationship_new (id, source, type, destination)
    SELECT id, source, type, destination FROM raw_relationship WHERE active""",
    f"""CREATE TEMP TABLE raw_parent AS
    SELECT DISTINCT source AS child, destination AS parent FROM raw_relationship
    WHERE active AND type = {IS_A}""",
    """INSERT INTO taxonomy_snomedisa_new (ancestor, descendant, distance)
    SELECT parent, child, 1 FROM raw_parent""",
)
#: Descriptions of a language without a language reference set are all acceptable.
_DESCRIBE = f"""
    INSERT INTO taxonomy_snomeddescription_new
        (id, concept, language, sort, acceptability, size, key, term)
    SELECT d.id, d.concept, left(d.language, 2),
        CASE type WHEN {NAME} THEN 'f' WHEN {SYNONYM} THEN 's' ELSE 'd' END,
        CASE WHEN m.is_preferred THEN 'p' WHEN m.description IS NOT NULL THEN 'a'
             WHEN left(d.language, 2) = ANY(%(judged)s::text[])
                  OR '' = ANY(%(judged)s::text[]) THEN 'n'
             ELSE 'a' END,
        d.size, d.key, d.term
    FROM raw_description d LEFT JOIN (
        SELECT description, bool_or(degree = {PREFERRED}) AS is_preferred
        FROM raw_member WHERE active GROUP BY description
    ) m ON m.description = d.id
    WHERE d.active AND (cardinality(%(wanted)s::text[]) = 0
        OR left(d.language, 2) = ANY(%(wanted)s::text[]))"""
_ONE_UP = """
    INSERT INTO taxonomy_snomedisa_new (ancestor, descendant, distance)
    SELECT DISTINCT p.parent, i.descendant, i.distance + 1
    FROM taxonomy_snomedisa_new i JOIN raw_parent p ON p.child = i.ancestor
    WHERE i.distance = %s AND NOT EXISTS (
        SELECT 1 FROM taxonomy_snomedisa_new k
        WHERE k.ancestor = p.parent AND k.descendant = i.descendant)"""
_COUNTS = {
    "concepts": "raw_concept",
    "active concepts": "raw_concept WHERE active",
    "descriptions": "raw_description",
    "relationships": "raw_relationship",
    "active relationships": "raw_relationship WHERE active",
    "closure": "taxonomy_snomedisa_new",
}
_TAG = re.compile(r"\s*\([^()]*\)$")


def ignore(_: object) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class LoadingSteps:
    """Callbacks for the progress of a load: its parts, and the bytes read."""

    announce: Callable[[str], None] = ignore
    begin: Callable[[int], None] = ignore
    step: Callable[[int], object] = ignore


def load_release(
    folder: Path, *, languages: frozenset[str] = frozenset(), edition: str = "",
    replace_anyway: bool = False, progress: LoadingSteps = LoadingSteps(),
) -> tuple[SnomedRelease, bool]:  # fmt: skip
    """Load a release and make it the current one; the first mistake refuses it.

    Return the release, and whether it was not loaded before. A release that is older or smaller
    than the current one is loaded only with `replace_anyway`.

    :raises ReleaseRefused: nothing was loaded.
    """
    started = perf_counter()
    found = find_files(folder, languages)
    edition = edition or found.folder.resolve().name
    fingerprint = found.fingerprint(edition, *sorted(languages))
    current = SnomedRelease.objects.using("owner").filter(is_current=True).first()
    if current and current.fingerprint == fingerprint:
        return current, False
    progress.begin(found.size)
    with transaction.atomic(using="owner"):
        # Concurrent loads wait for each other.
        tables.rows_of("SELECT pg_advisory_xact_lock(hashtext('zol.snomed'))")
        tables.create_new()
        _read(found, progress)
        _fill(found, languages, progress)
        progress.announce("Comparing with the release before")
        release = _record(found, edition, fingerprint)
        if current:
            if not replace_anyway:
                _refuse_less(current, release)
            release.changes = tables.record(release)
        tables.put_in_place()
        release.seconds = round(perf_counter() - started, 1)
        release.peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        release.save(using="owner")
        _run(f"DROP TABLE raw_parent, {', '.join(f'raw_{part}' for part in _RAW)}")
    return release, True


def _refuse_less(current: SnomedRelease, release: SnomedRelease) -> None:
    """Refuse a release that is older or smaller: entities would lose codes and synonyms.

    A Snapshot keeps retired concepts as inactive ones, so fewer concepts are those of another
    edition or of an incomplete file.
    """
    lost = []
    if release.effective < current.effective:
        lost.append(f"it is of {release.effective}, the one in use of {current.effective}")
    had, has = current.counts.get("concepts", 0), release.counts["concepts"]
    if has < had:
        lost.append(f"it has {has:,} concepts, the one in use {had:,}")
    if missing := set(current.languages) - set(release.languages):
        lost.append(f"it has nothing in {', '.join(sorted(missing))}")
    if lost:
        raise ReleaseRefused(
            f"{release} has less than {current}: {'; '.join(lost)}. --replace-anyway loads it."
        )


def _read(found: ReleaseFiles, progress: LoadingSteps) -> None:
    """Copy the files to temporary tables."""
    for part, columns in _RAW.items():
        _run(f"CREATE TEMP TABLE raw_{part} ({columns})")
    for part, paths, header in (
        ("concept", found.concepts, files.CONCEPT),
        ("member", found.language_refsets, files.LANGUAGE),
        ("description", found.descriptions, files.DESCRIPTION),
        ("relationship", found.relationships, files.RELATIONSHIP),
    ):
        progress.announce(f"Reading {part}s")
        for path in paths:
            pieces = lines_of(path, header, progress.step)
            if part == "description":
                pieces = ([_with_key(line) for line in piece] for piece in pieces)
            _copy(path, part, pieces)


def _copy(path: Path, part: str, pieces: Iterable[Iterable[bytes]]) -> None:
    try:
        with tables.owner().cursor() as cursor, cursor.copy(f"COPY raw_{part} FROM STDIN") as copy:
            for lines in pieces:
                copy.write(b"".join(line.replace(b"\\", b"\\\\") + b"\n" for line in lines))
    except psycopg.Error as error:
        line = re.search(r"line (\d+)", error.diag.context or "")
        at = int(line[1]) + 1 if line else 0  # The header is not copied.
        raise ReleaseRefused(f"{path.name}:{at}: {error.diag.message_primary or error}.") from error


def _with_key(line: bytes) -> bytes:
    """Return a line of a description with `size` and `key` added; a malformed one unchanged."""
    fields = line.decode("utf-8", "replace").split("\t")
    if len(fields) != len(files.DESCRIPTION):
        return line
    kind, term = fields[6], fields[7]
    size, key = size_and_key(without_tag(term) if kind == str(NAME) else term)
    if kind == str(DEFINITION):
        size, key = 0, ""
    return line + f"\t{size}\t{key}".encode()


def _fill(found: ReleaseFiles, languages: frozenset[str], progress: LoadingSteps) -> None:
    """Build the new reference tables from the temporary ones."""
    progress.announce("Checking references")
    # The planner has no statistics of these tables yet, and would choose nested loops.
    _run("SET LOCAL enable_nestloop = off")
    for part, column in _REFERENCES:
        for (pk,) in tables.rows_of(_STRANGER.format(part=part, column=column)):
            raise ReleaseRefused(f"The {column} {pk} of a {part} is no concept of this release.")
    for statement in _FILL:
        _run(statement)
    judged = [language_of(path) for path in found.language_refsets]
    _run(_DESCRIBE, {"judged": judged, "wanted": sorted(languages)})
    progress.announce("Building the transitive closure of IS-A")
    distance = 1
    while _run(_ONE_UP, [distance]):
        distance += 1
        _run("ANALYZE taxonomy_snomedisa_new")
    for (pk,) in tables.rows_of(
        "SELECT ancestor FROM taxonomy_snomedisa_new WHERE ancestor = descendant LIMIT 1"
    ):
        raise ReleaseRefused(f"IS-A goes in a circle at concept {pk}.")
    _run("SET LOCAL enable_nestloop = on")
    progress.announce("Building the indexes")
    try:
        tables.index_new()
    except IntegrityError as error:
        raise ReleaseRefused(f"A line is there twice: {error}") from error


def _run(sql: str, parameters: Any = None) -> int:
    """Run a statement as the owner; return how many rows it wrote."""
    with tables.owner().cursor() as cursor:
        cursor.execute(sql, parameters)
        return int(cursor.rowcount)


def _record(found: ReleaseFiles, edition: str, fingerprint: str) -> SnomedRelease:
    effective: Any = found.date and date.fromisoformat(found.date)
    if not effective:
        ((effective,),) = tables.rows_of("SELECT max(effective) FROM raw_concept")
    found_languages = tables.rows_of(
        "SELECT DISTINCT language FROM taxonomy_snomeddescription_new ORDER BY language"
    )
    counts = {
        name: tables.rows_of(f"SELECT count(*) FROM {rows}")[0][0] for name, rows in _COUNTS.items()
    }
    releases = SnomedRelease.objects.using("owner")
    releases.filter(is_current=True).update(is_current=False)
    return releases.create(
        edition=edition,
        effective=effective or date.today(),
        languages=[language for (language,) in found_languages],
        fingerprint=fingerprint,
        counts=counts,
    )


def without_tag(name: str) -> str:
    """Return a fully specified name without its semantic tag, such as "(bevinding)"."""
    return _TAG.sub("", name)


def size_and_key(term: str) -> tuple[int, str]:
    """Return the number of words of a term, and its look-up key (empty when it is too long)."""
    words: Sequence[str] = folded(term)
    key = join(words)
    fits = 0 < len(words) <= LONGEST and len(key) <= KEY_LETTERS
    return min(len(words), 999), key if fits else ""
