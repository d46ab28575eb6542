"""Prepare a web process: answer example questions before its first visitor, write proxy pages.

Dictionaries, stemmers, the embedding's weights and all that is derived from a version are loaded
when first needed, so that commands start quickly. A web process loads them at once by answering an
example question in each language; nothing is stored and no model is asked. The proxy shows a page
of each host while no web process answers.
"""

from __future__ import annotations

import logging
from pathlib import Path

from django.db import Error, connection
from django.template.loader import render_to_string

from chat import wiring
from chat.interface import interface_of
from chat.pipeline import run
from chat.question.examples import ROWS as EXAMPLE_ROWS
from chat.selectors import prices_of
from chat.services import redacted, without_greeklish
from chat.tools import Models, Tools, nothing_found
from chat.turn import Turn
from retrieval.embedding import get_embedder
from retrieval.intents import Intent
from taxonomy.language import dictionary
from taxonomy.publishing.live import faults, profile_of
from taxonomy.snapshot import Snapshot
from zol.access.hosts import is_origin
from zol.errors import ExpectedError
from zol.models import Hospital, HospitalHost
from zol.runtime.processor import gc_paused
from zol.tenancy import serving

logger = logging.getLogger(__name__)
#: The most frequent intent in every language.
ASKED = Intent.NAVIGATION_OR_PRACTICAL_INFO


def warm_up() -> None:
    """Answer a few questions of every published hospital before its first visitor."""
    try:
        hospitals = list(Hospital.objects.all())
    except Error:
        return  # the database is away or empty: the readiness check reports it
    with gc_paused(freeze=True):
        for hospital in hospitals:
            _warm_up_hospital(hospital)
    connection.close()


def _warm_up_hospital(hospital: Hospital) -> None:
    with serving(hospital):
        number = 0
        try:
            kit = without_models(wiring.tools())
            number = kit.snapshot.version
            redacted(hospital.name)
            kit.snapshot.derived(prices_of)
            for turn in questions(kit.snapshot):
                run(without_greeklish(turn, kit.snapshot), kit)
            # Looking up an unknown word loads the dictionary.
            dictionary.has(hospital.short_name)
        except (Error, ExpectedError) as reason:
            logger.warning("%s is not ready: %s", hospital.slug, reason, exc_info=reason.__cause__)
        except Exception as error:  # One failure must not stop the other hospitals.
            logger.exception("%s is not ready", hospital.slug)
            faults[hospital.pk, number] = repr(error)


def questions(snapshot: Snapshot) -> tuple[Turn, ...]:
    """Return an example question in each language; the hospital's name without examples."""
    found: dict[str, Turn] = {}
    for row in snapshot.rows_of(EXAMPLE_ROWS):
        if row["intent"] == ASKED and "{" not in row["text"]:
            found.setdefault(row["language"], Turn(row["text"], language=row["language"]))
    return tuple(found.values()) or (Turn(snapshot.profile.name),)


def without_models(kit: Tools) -> Tools:
    """Return tools without models and without remote embeddings."""
    kit = kit.changed(cache=None, engine=kit.engine.spare or kit.engine, models=Models())
    return kit if get_embedder().is_local else kit.changed(search=nothing_found)


def write_away_pages(folder: Path) -> None:
    """Write the page of every host of this database to a folder, as HOST.html.

    The pages are self-contained. A folder that cannot be written does not stop the server.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in HospitalHost.objects.select_related("hospital"):
            if is_origin(f"https://{row.host}"):
                draft = folder / f".{row.host}"
                draft.write_text(_page_of(row), encoding="utf-8")
                draft.replace(folder / f"{row.host}.html")
    except OSError:
        logger.exception("The page for the proxy was not written")


def _page_of(row: HospitalHost) -> str:
    hospital = row.hospital
    own = hospital.default_language
    codes = [own, *(code for code in hospital.languages if code != own)]
    texts = [(code, interface_of(profile_of(hospital), code)) for code in codes]
    return render_to_string("chat/away.html", {"hospital": hospital, "said": texts})
