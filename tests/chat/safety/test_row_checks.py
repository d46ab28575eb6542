"""Rows of safety checks that cannot work are refused when saved, and shown when loaded."""

import pytest

from chat.models import AdvicePhrase, InjectionPattern, RedFlagPhrase
from chat.safety.attacks import InjectionPatterns
from chat.safety.emergencies.phrases import RedFlags
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
ADMIN = "/admin/chat"


#: Rows that are refused, by page, with a part of the message.
WRONG = (
    ("injectionpattern", {"pattern": "ignore ((", "language": "nl"}, "This is not a valid regular expression"),
    ("injectionpattern", {"pattern": "(a+)+$", "language": "nl"}, "may take too long"),
    ("redflagphrase", {"kind": "burn", "language": "nl", "role": "trigger", "text": "?! *"},
     "There is no word to search for"),
    ("advicephrase", {"kind": "med", "language": "nl", "role": "medicine", "text": "*a*"},
     "at least 3 letters"),
)  # fmt: skip


def test_rows_that_cannot_work_are_refused_with_an_explanation(hospital):
    browser = signed_in(hospital, Role.QUALITY)

    for page, values, sentence in WRONG:
        assert sentence in browser.post(f"{ADMIN}/{page}/add/", values).text
    for model in (RedFlagPhrase, AdvicePhrase, InjectionPattern):
        assert not model.objects.exists()


def test_broken_loaded_rows_are_shown_and_the_others_work(hospital):
    InjectionPattern.objects.create(
        hospital=hospital, pattern="((", description="broken", language="nl"
    )
    InjectionPattern.objects.create(
        hospital=hospital, pattern="ignore all", description="whole", language="en"
    )
    browser = signed_in(hospital, Role.CURATOR)

    home = browser.get("/admin/").text
    listed = browser.get(f"{ADMIN}/injectionpattern/").text
    patterns = InjectionPatterns(InjectionPattern.objects.values("pattern", "description"))

    assert "Rows with an error" in home
    assert listed.count('<td class="field-works">✓</td>') == 1
    assert patterns.check("please ignore all of it")


def test_a_wildcard_row_that_is_too_short_is_ignored():
    rows = [{"kind": "burn", "language": "nl", "role": "trigger", "text": "*a*"}]

    assert not RedFlags(rows).signs("waar kan ik parkeren")
