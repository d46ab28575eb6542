"""Reading, loading and exporting of packs.

All mistakes are found before anything is loaded. Loading is one transaction and idempotent. Loaded
rows have their position in the pack (from 1); rows made by staff have position 0 and stay. An
entity that is no longer in the pack is hidden, a page withdrawn.

An export copies each loaded file whose contents are still current byte for byte, with its comments,
column order and number formats; other files are written in the normal form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import override

from taxonomy.facts.records import FactContext
from taxonomy.models.relations import fact_context
from taxonomy.packs.entities import ENTITIES, write_own
from taxonomy.packs.findings import CellPlace, Change, Changes, Findings, Mistake, PackRefused
from taxonomy.packs.profile import (
    PROFILE,
    ProfileRecord,
    country_and_language,
    more_fields,
    profile_of,
    profile_text,
    read_profile,
)
from taxonomy.packs.sheets import PackContext, RowRecord, Rows, pack_sheets, update_row
from taxonomy.vocabulary import Kind
from zol.access.hosts import forget_hosts
from zol.models import Hospital, HospitalHost
from zol.tenancy import serving

_CAMPUSES = next(each.file for each in ENTITIES if each.kind is Kind.CAMPUS)


@dataclass(frozen=True, slots=True)
class Pack:
    """A valid pack."""

    profile: ProfileRecord
    rows: Rows
    #: Contents of the files listed in rows, by sheet and path.
    attached: Mapping[str, Mapping[str, bytes]]
    #: Contents of the text files by name.
    sources: Mapping[str, bytes]
    warnings: tuple[Mistake, ...] = ()


@override("en")
def read_pack(folder: Path) -> Pack:
    """Read the pack in a folder; raise `PackRefused` with all its mistakes."""
    findings, sheets = Findings(), pack_sheets()
    sources = dict(_sources(folder, findings))
    profile = read_profile(sources[PROFILE], findings) if PROFILE in sources else None
    # Schedules and telephone numbers depend on the hospital's language and country.
    known = country_and_language(profile) if profile else None
    if profile is None or known is None:
        raise PackRefused(findings.mistakes)
    context = FactContext(*known, frozenset())
    rows: dict[str, tuple[RowRecord, ...]] = {}
    for sheet in sheets:
        if sheet.kind is None and _CAMPUSES in findings.incomplete:
            rows[sheet.file] = ()  # Its rows may refer to unreadable campuses.
            continue
        data = sources.get(sheet.file)
        rows[sheet.file] = () if data is None else tuple(sheet.read(data, context, findings))
        if sheet.kind is Kind.CAMPUS:
            campuses = frozenset(key for _kind, key in sheet.entities(rows[sheet.file]))
            context = replace(context, campuses=campuses)
    entities = frozenset(ref for each in sheets for ref in each.entities(rows[each.file]))
    pack = PackContext(sheets, rows, entities, context)
    _check_references(pack, findings)
    for sheet in sheets:
        sheet.check_duplicates(rows[sheet.file], findings)
        sheet.check(pack, findings)
    attached = {each.file: each.attached(folder, rows[each.file], findings) for each in sheets}
    if findings.mistakes:
        raise PackRefused(findings.mistakes, first=findings.incomplete)
    return Pack(profile, rows, attached, sources, tuple(findings.warnings))


def _sources(folder: Path, findings: Findings) -> Iterator[tuple[str, bytes]]:
    needed = {PROFILE, *(each.file for each in pack_sheets() if not each.is_optional)}
    for name in (PROFILE, *(each.file for each in pack_sheets())):
        place = folder / name
        if place.is_file():
            yield name, place.read_bytes()
        elif name in needed:
            findings.wrong(CellPlace(name, 1, 1), "The file is missing.")


def _check_references(pack: PackContext, findings: Findings) -> None:
    """Note references to entities that are not in the pack, unless their file is incomplete."""
    files = {each.kind: each.file for each in pack.sheets}
    mentions = (m for rows in pack.rows.values() for row in rows for m in row.mentions)
    for (kind, key), place in mentions:
        if (kind, key) not in pack.entities and files[kind] not in findings.incomplete:
            findings.wrong(place, f"There is no {kind} “{key}” in {files[kind]}.")


def load_pack(pack: Pack, *, dry_run: bool = False) -> tuple[Hospital, Changes]:
    """Load a pack; return the hospital and the changes."""
    changes = Changes()
    with transaction.atomic():
        hospital = _write_profile(pack.profile, changes)
        with serving(hospital):
            _write_hosts(hospital, pack.profile, changes)
            for name, field in more_fields().items():
                field.write(hospital, pack.profile.more[name], changes)
            write_own(hospital)
            sheets = pack_sheets()
            refused = (each.refused(hospital, pack.rows[each.file]) for each in sheets)
            if mistakes := [*chain.from_iterable(refused)]:
                raise PackRefused(mistakes)
            for sheet in sheets:
                records, files = pack.rows[sheet.file], pack.attached[sheet.file]
                sheet.write(hospital, records, changes, files, dry_run=dry_run)
        if dry_run:
            transaction.set_rollback(True)
    if not dry_run:
        keep_sources(hospital, pack)
        forget_hosts()
    return hospital, changes


def _write_profile(profile: ProfileRecord, changes: Changes) -> Hospital:
    hospital = Hospital.objects.filter(slug=profile.slug).first()
    if hospital is None:
        changes.count("hospital", Change.NEW)
        return Hospital.objects.create(slug=profile.slug, **profile.fields)
    with serving(hospital):
        changes.count("hospital", update_row(hospital, profile.fields))
    return hospital


def _write_hosts(hospital: Hospital, profile: ProfileRecord, changes: Changes) -> None:
    taken = HospitalHost.objects.filter(host__in=profile.hosts).exclude(hospital=hospital)
    if mistakes := [
        Mistake(profile.place, f"hosts: “{row.host}” belongs to another hospital.") for row in taken
    ]:
        raise PackRefused(mistakes)
    mine = {row.host: row for row in HospitalHost.objects.filter(hospital=hospital)}
    for host in profile.hosts:
        if host in mine:
            changes.count("host", Change.UNCHANGED)
            continue
        HospitalHost.objects.create(hospital=hospital, host=host)
        changes.count("host", Change.NEW)
    for host in mine.keys() - set(profile.hosts):
        mine[host].delete()
        changes.count("host", Change.GONE)


def source_path(hospital: Hospital, name: str) -> str:
    """Return the storage path of a loaded text file, which an export may copy."""
    return f"{hospital.pk}/pack/{name}"


def keep_sources(hospital: Hospital, pack: Pack) -> None:
    for name, data in pack.sources.items():
        if _kept(hospital, name) != data:
            default_storage.delete(source_path(hospital, name))
            default_storage.save(source_path(hospital, name), ContentFile(data))


def _kept(hospital: Hospital, name: str) -> bytes | None:
    """Return a text file of the last loaded pack."""
    path = source_path(hospital, name)
    if not default_storage.exists(path):
        return None
    with default_storage.open(path) as file:
        return bytes(file.read())


def export_pack(hospital: Hospital, folder: Path) -> int:
    """Write the pack of a hospital; return the number of files."""
    with serving(hospital):
        copies = (copy for sheet in pack_sheets() for copy in sheet.copies(hospital))
        number = 0
        for name, data in chain(_texts(hospital), copies):
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            number += 1
    return number


def _texts(hospital: Hospital) -> Iterator[tuple[str, bytes]]:
    """Yield the text files: the loaded ones if their contents are still current."""
    profile, context, data = profile_of(hospital), fact_context(hospital), _kept(hospital, PROFILE)
    loaded = read_profile(data, Findings()) if data else None
    is_same = loaded is not None and loaded.whole == profile
    yield PROFILE, data if data and is_same else profile_text(profile)
    for sheet in pack_sheets():
        records, data = sheet.of(hospital), _kept(hospital, sheet.file)
        if data is not None and tuple(sheet.read(data, context, Findings())) != records:
            data = None
        # Optional files without rows exist only if they were loaded.
        if data or records or not sheet.is_optional:
            yield sheet.file, data or sheet.text(records, context.language)
