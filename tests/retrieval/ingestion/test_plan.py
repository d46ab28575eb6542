"""What people did to a chunk survives a new version of its page."""

import pytest

from retrieval.ingestion.split import Draft
from retrieval.ingestion.store import plan
from retrieval.models import Chunk

ONE = "De bezoekuren van de B3-afdeling zijn elke dag van drie tot half acht."
ONE_CHANGED = "De bezoekuren van de B3-afdeling zijn elke dag van twee tot half acht."
TWO = "Parkeren kost anderhalve euro per begonnen uur."


def chunk(pk, text, *, source=None, is_edited=False, is_marked=False):
    return Chunk(
        pk=pk, content=text, source_hash=Draft(source or text).source_hash, is_edited=is_edited,
        is_enabled=not is_marked,
    )  # fmt: skip


EDITED = "Onze eigen woorden."
#: What there is, the drafts of a new version, and of each place: the text, the chunk that takes it,
#: whether that keeps its own words, and whether staff are told that the source changed.
PLANS = {
    "an unchanged source keeps its chunk": (
        [chunk(1, ONE), chunk(2, TWO)], [TWO, ONE], [(TWO, 2, False, False), (ONE, 1, False, False)],
    ),
    "an edit survives an unchanged source": (
        [chunk(1, EDITED, source=ONE, is_edited=True)], [ONE], [(ONE, 1, True, False)],
    ),
    "an edit survives a changed source and is marked": (
        [chunk(1, f"{ONE} Bel eerst even.", source=ONE, is_edited=True)], [TWO, ONE_CHANGED],
        [(TWO, None, False, False), (ONE_CHANGED, 1, True, True)],
    ),
    "an edit survives a source that is gone": (
        [chunk(1, ONE, source="iets heel anders", is_edited=True)], [TWO],
        [(TWO, None, False, False), (None, 1, True, True)],
    ),
    "an unedited chunk whose source changed is replaced": (
        [chunk(1, ONE)], [ONE_CHANGED], [(ONE_CHANGED, None, False, False)],
    ),
    "one that was switched off stays off with its new text": (
        [chunk(1, ONE, is_marked=True)], [ONE_CHANGED], [(ONE_CHANGED, 1, False, False)],
    ),
    "two equal passages are two chunks": (
        [chunk(1, ONE), chunk(2, ONE)], [ONE, ONE], [(ONE, 1, False, False), (ONE, 2, False, False)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("there", "drafts", "places"), PLANS.values(), ids=PLANS)
def test_of_a_new_version(there, drafts, places):
    assert [
        (
            place.draft and place.draft.content, place.existing and place.existing.pk,
            place.keeps_text, place.source_changed,
        )
        for place in plan(there, [Draft(text) for text in drafts])
    ] == places  # fmt: skip
