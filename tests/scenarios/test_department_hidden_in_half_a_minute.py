"""A department was hidden, approved and published in half a minute.

Six golden questions broke, and the back office told so minutes later. Now nothing is approved
before its impact preview has finished, by whatever way it is asked for.
"""

import pytest
from django.core.management import CommandError, call_command

from evaluation.preview import replay, start_preview
from taxonomy.models import Doctor, Release
from taxonomy.models.releases import ReleaseState
from tests.taxonomy.releases import approver, submitted

pytestmark = pytest.mark.django_db


@pytest.fixture
def hidden(mini):
    """A release that hides a doctor whom a golden question names; nobody has previewed it."""
    Doctor.objects.filter(last_name="Çalışkan").update(status=Doctor.Status.HIDDEN)
    return submitted(mini, "Arts weg", is_previewed=False)


@pytest.fixture
def operator(mini, client):
    client.defaults |= {"HTTP_HOST": "azm-mini.localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
    client.force_login(approver(mini))
    return client


def by_page(operator, release, text):
    address = f"/admin/taxonomy/release/{release.pk}/step/approve/"
    return operator.post(address, {"text": text}, follow=True).text


def by_api(operator, release, text):
    address = f"/api/v1/admin/releases/{release.pk}/approve/"
    return operator.post(address, {"text": text}, content_type="application/json").content.decode()


def by_command(operator, release, text):
    try:
        call_command("publish", str(release.pk), by="bert", approve=True, reason=text)
    except CommandError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("approve", [by_page, by_api, by_command])
def test_it_is_approved_no_sooner_than_its_preview_has_finished(operator, hidden, approve):
    said = approve(operator, hidden, "Haast")

    assert "preview of this release has not finished" in said
    assert Release.objects.get(pk=hidden.pk).state == ReleaseState.IN_REVIEW


def test_what_it_breaks_is_known_and_answered_for_before_patients_notice(operator, hidden):
    address = f"/admin/taxonomy/release/{hidden.pk}/change/"
    before = operator.get(address)

    replay(start_preview(hidden))
    after = operator.get(address)
    refused = by_page(operator, hidden, "")
    by_page(operator, hidden, "De arts is vertrokken; de vraag wordt aangepast.")

    release = Release.objects.get(pk=hidden.pk)
    assert "approve" not in [step.name for step in before.context["steps"]]
    assert f"manage.py preview {hidden.pk}" in before.text
    assert "approve" in [step.name for step in after.context["steps"]]
    assert "Why does it go live all the same?" in after.text
    assert f"breaks {release.broken} golden questions" in refused
    assert (release.state, release.broken_by.username) == (ReleaseState.APPROVED, "bert")
