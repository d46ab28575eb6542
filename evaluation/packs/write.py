"""Laying a pack over a hospital's rows, in one transaction.

Loading the same pack twice changes nothing. What the loader wrote carries its place in the pack
(`position` counts from 1); rows that staff made have no place (0) and are left alone. An entity
that is gone from the pack is hidden, a page withdrawn, never deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from chat.models import FixedText
from chat.phrases import EXAMPLES
from evaluation.packs.findings import Change, Changes, PackMistake, PackRefused, laid_over
from evaluation.packs.golden import GOLDEN_ROWS
from evaluation.packs.pages import write_pages
from evaluation.packs.profile import ProfileRecord
from evaluation.packs.records import Pack
from evaluation.packs.rows import CURATED_ROWS, FACT_ROWS, TRANSLATION_ROWS
from evaluation.packs.taxonomy import write_taxonomy
from zol.hosts import forget_hosts
from zol.models import Hospital, HospitalHost
from zol.tenancy import serving


def load_pack(pack: Pack, *, dry_run: bool = False) -> tuple[Hospital, Changes]:
    """Make the hospital's rows what the pack says; return it and what changed."""
    changes = Changes()
    with _all_or_nothing(dry_run=dry_run):
        hospital = _write_profile(pack.profile, changes)
        with serving(hospital):
            _write_hosts(hospital, pack.profile, changes)
            _write_examples(hospital, pack.profile, changes)
            write_taxonomy(hospital, pack, changes)
            FACT_ROWS.write(hospital, pack.rows, changes)
            write_pages(hospital, pack, changes, dry_run=dry_run)
            CURATED_ROWS.write(hospital, pack.rows, changes)
            TRANSLATION_ROWS.write(hospital, pack.rows, changes)
            GOLDEN_ROWS.write(hospital, pack.rows, changes)
    if not dry_run:
        keep_sources(hospital, pack)
        forget_hosts()
    return hospital, changes


@contextmanager
def _all_or_nothing(*, dry_run: bool) -> Iterator[None]:
    with transaction.atomic():
        yield
        if dry_run:
            transaction.set_rollback(True)


def _write_profile(profile: ProfileRecord, changes: Changes) -> Hospital:
    hospital = Hospital.objects.filter(slug=profile.slug).first()
    if hospital is None:
        changes.count("hospital", Change.ADDED)
        return Hospital.objects.create(slug=profile.slug, **profile.fields)
    with serving(hospital):
        changes.count("hospital", laid_over(hospital, profile.fields))
    return hospital


def _write_hosts(hospital: Hospital, profile: ProfileRecord, changes: Changes) -> None:
    taken = HospitalHost.objects.filter(host__in=profile.hosts).exclude(hospital=hospital)
    if mistakes := [
        PackMistake(profile.place, f"hosts: “{row.host}” belongs to another hospital.")
        for row in taken
    ]:
        raise PackRefused(mistakes)
    mine = {row.host: row for row in HospitalHost.objects.filter(hospital=hospital)}
    for host in profile.hosts:
        if host in mine:
            changes.count("host", Change.UNCHANGED)
            continue
        HospitalHost.objects.create(hospital=hospital, host=host)
        changes.count("host", Change.ADDED)
    for host in mine.keys() - set(profile.hosts):
        mine[host].delete()
        changes.count("host", Change.GONE)


def _write_examples(hospital: Hospital, profile: ProfileRecord, changes: Changes) -> None:
    known = {row.language: row for row in FixedText.objects.filter(kind=EXAMPLES)}
    for language, questions in profile.examples.items():
        text, row = "\n".join(questions), known.get(language)
        if row is None:
            FixedText.objects.create(hospital=hospital, kind=EXAMPLES, language=language, text=text)
        changes.count("examples", laid_over(row, {"text": text}) if row else Change.ADDED)


def source_path(hospital: Hospital, name: str) -> str:
    """Return where a text file of the pack is kept, for an export to give back as it was."""
    return f"{hospital.pk}/pack/{name}"


def keep_sources(hospital: Hospital, pack: Pack) -> None:
    for name, data in pack.sources.items():
        path = source_path(hospital, name)
        if default_storage.exists(path):
            with default_storage.open(path) as file:
                if file.read() == data:
                    continue
            default_storage.delete(path)
        default_storage.save(path, ContentFile(data))
