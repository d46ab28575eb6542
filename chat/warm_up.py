"""A process rehearses before its first visitor: what is loaded when first needed, is needed here.

Dictionaries, stemmers, the embedding's weights, what is derived from a version: all of it is read
when somebody first asks for it, so that commands start quickly. The web process asks for it itself,
by answering example questions, one in each language. Nothing is stored, no model is asked.
"""

from __future__ import annotations

import logging

from django.db import Error, connection

from chat import live
from chat.answer_cache.policy import NoCache
from chat.costs import prices_of
from chat.pipeline import run
from chat.question.examples import ROWS as EXAMPLE_ROWS
from chat.services import in_own_letters, redacted
from chat.tools import Models, Tools, nothing_found
from chat.turn import Turn
from retrieval.embedding import get_embedder
from retrieval.intents import Intent
from taxonomy import dictionary
from taxonomy.publishing.live import faults
from taxonomy.publishing.snapshot import Snapshot
from zol.errors import ExpectedError
from zol.models import Hospital
from zol.processor import nothing_thrown_away
from zol.tenancy import serving

logger = logging.getLogger(__name__)
#: What people ask most, in every language.
ASKED = Intent.NAVIGATION_OR_PRACTICAL_INFO


def warm_up() -> None:
    """Answer a few questions of every published hospital, before its first visitor waits."""
    try:
        hospitals = list(Hospital.objects.all())
    except Error:
        return  # the database is away or empty: readiness tells of that
    with nothing_thrown_away(for_good=True):
        for hospital in hospitals:
            _rehearse(hospital)
    connection.close()


def _rehearse(hospital: Hospital) -> None:
    with serving(hospital):
        number = 0
        try:
            kit = by_ourselves(live.tools())
            number = kit.snapshot.version
            redacted(hospital.name)
            kit.snapshot.derived(prices_of)
            for turn in questions(kit.snapshot):
                run(in_own_letters(turn, kit.snapshot), kit)
            # Only a word that nobody knows is looked up there.
            dictionary.has(hospital.short_name)
        except (Error, ExpectedError) as reason:
            logger.warning("%s is not ready: %s", hospital.slug, reason, exc_info=reason.__cause__)
        except Exception as error:  # The other hospitals are served none the less.
            logger.exception("%s is not ready", hospital.slug)
            faults[hospital.pk, number] = repr(error)


def questions(snapshot: Snapshot) -> tuple[Turn, ...]:
    """Return what is asked most, once in each language; just the name, if there is no example."""
    found: dict[str, Turn] = {}
    for row in snapshot.rows_of(EXAMPLE_ROWS):
        if row["intent"] == ASKED and "{" not in row["text"]:
            found.setdefault(row["language"], Turn(row["text"], language=row["language"]))
    return tuple(found.values()) or (Turn(snapshot.profile.name),)


def by_ourselves(kit: Tools) -> Tools:
    """Return tools that ask nobody else: no model, and no provider of embeddings elsewhere."""
    kit = kit.but(cache=NoCache(), engine=live.EMBEDDED, models=Models())
    return kit if get_embedder().is_local else kit.but(search=nothing_found)
