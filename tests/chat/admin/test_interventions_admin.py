"""A bulletin is made by one person with a reason, in a form that says what is wrong."""

from datetime import timedelta

import pytest

from chat.models import Intervention
from chat.selectors import live_interventions
from taxonomy.vocabulary import Kind
from tests import factories
from tests.zol.staff import signed_in
from zol.clock import hospital_now
from zol.models import Role
from zol.records.audit import AuditEntry
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
PAGE = "/admin/chat/intervention/"
TODAY = hospital_now().date()
WHOLE = {
    "kind": "bulletin", "text_nl": "Parking Noord is dicht.", "reason": "Werken",
    "is_active": "on", "valid_from": f"{TODAY}", "valid_to": f"{TODAY}",
}  # fmt: skip


@pytest.fixture
def browser(hospital):
    return signed_in(hospital, Role.QUALITY, username="quality")


def test_a_bulletin_holds_at_once_and_who_made_it_is_written_down(hospital, browser):
    assert live_interventions().bulletins(TODAY) == ()

    assert browser.post(f"{PAGE}add/", WHOLE).status_code == 302

    (told,) = live_interventions().bulletins(TODAY)
    assert (told.is_general, told.texts["nl"]) == (True, WHOLE["text_nl"])
    assert AuditEntry.objects.filter(who="quality", what="row.added").exists()
    assert "the whole hospital" in browser.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        (
            "valid_to",
            f"{TODAY - timedelta(days=1)}",
            "The last day is before the first day: correct one of them.",
        ),
        ("valid_to", "", "Enter the last day on which this is shown."),
        ("text_nl", "", "Write the text in at least one language."),
        ("reason", "", "This field is required."),
        ("questions", "parkeren", "Write at least two words on every line."),
    ],
)
def test_what_is_wrong_is_told_at_its_field(browser, field, value, sentence):
    page = browser.post(f"{PAGE}add/", WHOLE | {field: value})

    assert sentence in page.content.decode()
    assert not Intervention.objects.exists()


def test_a_subject_is_of_this_hospital(hospital, browser):
    other = factories.hospital(slug="elders", name="Elders")
    with serving(other):
        theirs = factories.entity(other, Kind.DEPARTMENT, "Dermatologie")
    ours = factories.entity(hospital, Kind.DEPARTMENT, "Oogziekten")

    refused = browser.post(f"{PAGE}add/", WHOLE | {"subject": theirs.pk})
    browser.post(f"{PAGE}add/", WHOLE | {"subject": ours.pk})

    assert (
        "This does not belong to your hospital: choose something that does."
        in refused.content.decode()
    )
    assert Intervention.objects.get().subject_id == ours.pk


@pytest.mark.parametrize(
    ("first", "last", "active", "state"),
    [
        (1, 2, True, "not started yet"),
        (0, 0, True, "now"),
        (-2, -1, True, "ended"),
        (0, 1, False, "ended"),
    ],
)
def test_the_list_says_whether_it_is_to_come_holds_now_or_is_over(
    hospital, browser, first, last, active, state
):
    Intervention.objects.create(
        hospital=hospital, kind="bulletin", text_nl="Dicht.", is_active=active,
        valid_from=TODAY + timedelta(days=first), valid_to=TODAY + timedelta(days=last),
    )  # fmt: skip

    assert f'<td class="field-state">{state}</td>' in browser.get(PAGE).content.decode()
