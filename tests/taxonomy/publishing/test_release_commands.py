"""`publish` and `rollback` follow the same rules as the pages."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from taxonomy.publishing.versions import live_version
from tests.taxonomy.releases import approved, author, submitted
from tests.zol.staff import member
from zol.models import Role

pytestmark = pytest.mark.django_db


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_release_is_published_and_an_earlier_version_comes_back(live):
    release = approved(live)

    said = run("publish", str(release.pk), "--by", "bert")

    assert said == f"Version 2 is live: release {release}.\n"
    assert live_version() == release.version
    back = run("rollback", "v1", "--hospital", live.slug, "--by", "bert")
    assert back == "Version 1 is live again.\n"
    assert live_version().number == 1


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        pytest.param("anna", "is now", id="unapproved"),
        pytest.param("carl", "Your roles", id="a curator"),
        pytest.param("niemand", "There is no account", id="an unknown account"),
    ],
)
def test_what_the_pages_refuse_is_refused(live, by, sentence):
    release = submitted(live)
    author(live)
    member(live, Role.CURATOR, username="carl")

    with pytest.raises(CommandError, match=sentence):
        run("publish", str(release.pk), "--by", by)

    assert live_version().number == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["1", "--by", "bert"], "is live already", id="the live one"),
        pytest.param(["7", "--by", "bert"], "has no version 7", id="an unknown one"),
        pytest.param(["2", "--by", "bert"], "was never live", id="one that was never live"),
    ],
)
def test_a_rollback_that_cannot_be_is_refused(live, arguments, sentence):
    approved(live)

    with pytest.raises(CommandError, match=sentence):
        run("rollback", *arguments)
