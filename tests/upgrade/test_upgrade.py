"""A hospital that began with an earlier release goes on with this one."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import override_settings

from chat import services
from chat.turn import Turn
from taxonomy.models import LivePointer
from tests.answering import mini_hospital
from tests.conftest import let_turns_end
from tests.upgrade.dumps import FOLDER, restored
from zol.tenancy import serving

VISIT = "https://www.azm-mini.example/praktisch/bezoek"


@pytest.fixture(params=sorted(FOLDER.glob("*.sql.gz")), ids=lambda dump: dump.name)
def upgraded(request, django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), restored(request.param):
        with override_settings(DEFAULTS_WITH_MIGRATE=True):
            call_command("migrate", verbosity=0)
        call_command("reindex", outdated=True, verbosity=0)
        hospital = mini_hospital()
        with serving(hospital):
            yield hospital
        let_turns_end()


def test_its_version_is_still_live_and_its_page_still_answers(upgraded):
    context = services.take_turn(Turn("Wat zijn de bezoekuren op B3?")).context

    assert LivePointer.objects.get().version.number == 1
    assert "15:00-19:30" in context.answer
    assert [each.url for each in context.citations] == [VISIT]
