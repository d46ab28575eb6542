"""A release that narrows a red flag is shown to miss the emergency before anybody can miss it."""

from __future__ import annotations

import pytest

from chat import services
from chat.behaviours import Behaviour
from chat.channels import sessions
from chat.models import RedFlagPhrase
from evaluation.preview import replay, start_preview
from tests.taxonomy.releases import publish_draft, submitted

#: Heard by a row of the hospital's own, and by nothing that comes with the product.
SAID = "de paarse paraplu van de buren is zoek"


@pytest.fixture
def narrowed(mini):
    """A release without the hospital's own words for an alarm, which are live."""
    row = RedFlagPhrase.objects.create(
        hospital=mini, kind="breathing", language="nl", role="trigger", text="paarse paraplu"
    )
    publish_draft(mini)
    asked = services.answer(sessions.start(mini, "nl"), SAID)
    row.text = "rode paraplu"
    row.save()
    return submitted(mini), asked


def test_the_emergency_that_would_be_missed_is_shown(narrowed):
    release, asked = narrowed

    preview = start_preview(release)
    replay(preview)

    item = preview.items.get(message=asked)
    assert asked.behaviour == Behaviour.EMERGENCY
    assert item.changes
    assert item.data["before"]["answer"] == asked.answer
    assert item.data["after"]["answer"] != asked.answer
