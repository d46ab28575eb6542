"""Fixed texts are filled in safely, and their flaws are reported to staff."""

import re

import pytest

from chat.models import FixedText
from chat.phrases import Flaw, Phrases, What, flaws, phrases_of
from chat.safety.phrases import defaults
from taxonomy.facts.free_hours import DayNames
from taxonomy.snapshot import Profile, Snapshot
from tests.zol.staff import signed_in
from zol.languages import LANGUAGES
from zol.models import Role


def said(text, **values):
    phrases = Phrases({("x", "nl"): text}, Profile(short_name="ZOL"))
    return phrases.say("x", "nl", **values)


SERVICE = "Joindre le service {department} :"


@pytest.mark.parametrize(
    ("text", "department", "read"),
    [
        (SERVICE, "Service de médiation", "Joindre le Service de médiation :"),
        (SERVICE, "Cardiologie", "Joindre le service Cardiologie :"),
        ("Bij dienst {department}.", "Diensthoofd", "Bij dienst Diensthoofd."),
        ("{department}", "{short_name}", "{short_name}"),
        ("{short_name}: {department}", "Oogziekten", "ZOL: Oogziekten"),
    ],
)
def test_placeholders_are_filled_in_as_they_are_and_what_a_name_begins_with_is_said_once(
    text, department, read
):
    assert said(text, department=department) == read


def test_the_hospital_s_own_emergency_number_comes_before_that_of_its_country():
    line = {"kind": "emergency", "number": "112", "name_en": "Emergency number"}
    texts = {("x", "fr"): "Appelez le {emergency_phone}."}

    own = Phrases(texts, Profile(emergency_phone="15"), lines=(line,))

    assert own.say("x", "fr") == "Appelez le 15."
    assert Phrases(texts, lines=(line,)).say("x", "fr") == "Appelez le 112."


@pytest.mark.parametrize(
    "text",
    [
        "Bel {iemand}",
        "Bel {phone",
        "Bel phone}",
        "Bel {0}",
        "Bel {}",
        "Bel {short_name!q}",
        "{a.b[c]}",
    ],
)
def test_what_nobody_fills_in_and_a_brace_too_many_stay_as_they_are(text):
    assert said(text) == text


TEXTS = tuple(defaults("texts"))
HOLES = re.compile(
    r"\{[a-z_]*phone|\{crisis|(?:^|[^\S\n])[.,](?:\s|$)|\*\*\*\*|\(\)|:\n(?![-\d])|:$"
)
DESK = {"name": "ZOL", "short_name": "ZOL", "phone": "089 1", "emergency_phone": "112"}
WITHOUT = {
    "no number at all": Profile(**DESK | {"phone": "", "emergency_phone": ""}),
    "no help desk": Profile(**DESK),
    "only a help desk": Profile(**DESK | {"phone": "", "helpdesk_phone": "089 2"}),
    "no out-of-hours doctor": Profile(**DESK | {"name": "", "helpdesk_phone": "089 2"}),
}


@pytest.mark.parametrize("profile", WITHOUT.values(), ids=WITHOUT)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_tells_anybody_to_call_a_number_that_there_is_not(profile, language):
    """Whatever fields a hospital leaves empty, in every text and language."""
    texts = {(row["kind"], row["language"]): row["text"] for row in TEXTS}
    phrases = Phrases(texts, profile)
    leads = {kind for kind, code in texts if texts[kind, code].rstrip().endswith(":")}
    for kind in {kind for kind, code in texts if code == language} - leads:
        text = phrases.say(kind, language, desk="ZOL", desk_phone="", languages="x", name="x")
        assert not HOLES.search(text), (kind, text)


def test_a_question_goes_with_the_number_that_it_leads_to():
    assert said("Ik weet het niet. Liever een mens? Bel {phone}.") == "Ik weet het niet."


def test_a_list_without_one_of_its_numbers_is_numbered_anew():
    text = "Hulp:\n1. Bel {phone}.\n2. Bel uw huisarts.\n3. Kom langs."

    assert said(text) == "Hulp:\n1. Bel uw huisarts.\n2. Kom langs."


def test_who_has_no_crisis_lines_announces_none():
    assert said("Blijf niet alleen. Praat met iemand:\n{crisis_lines}\nBel later terug.") == (
        "Blijf niet alleen.\nBel later terug."
    )


def test_the_hours_of_the_telephone_are_told_in_the_asker_s_language():
    texts = {("x", "fr"): "Appelez ({phone_hours})."}
    days = DayNames({"nl": {"maandag": 1}})
    phrases = Phrases(texts, Profile(phone_hours="maandag 8:00-20:00"), days=days)

    assert phrases.say("x", "fr") == "Appelez (lundi 8:00-20:00)."


def test_what_follows_the_help_lines_is_no_part_of_the_last_one():
    line = {"kind": "suicide", "number": "1813", "name_en": "Help line"}
    phrases = Phrases({("x", "en"): "Call:\n{crisis_lines}\nDo not stay alone."}, lines=(line,))

    assert phrases.say("x", "en").endswith("- **1813** Help line\n\nDo not stay alone.")


def test_a_version_from_before_lines_had_a_language_gets_the_lines_of_the_product():
    rows = (
        {"country": "be", "kind": "suicide", "number": "1813", "name_en": "Zelfmoordlijn"},
        {"country": "be", "kind": "listening", "number": "089 1", "name_en": "Our own line"},
    )
    snapshot = Snapshot(1, 1, Profile(country="be"), rows={"chat.countryline": rows})

    said = phrases_of(snapshot).say("alarm_crisis", "en")

    assert said.startswith("**Call 02 648 40 14:")
    assert "089 1" in said


HELPDESK = "Bel {helpdesk_phone} tijdens de kantooruren, dan helpen wij u graag verder."


def in_each(**changed: str) -> dict[tuple[str, str], str]:
    return {("helpdesk", code): changed.get(code, HELPDESK) for code in LANGUAGES}


@pytest.mark.parametrize(
    ("language", "text", "flaw"),
    [
        ("tr", "", Flaw("helpdesk", "tr", What.MISSING)),
        ("el", "   ", Flaw("helpdesk", "el", What.MISSING)),
        ("fr", HELPDESK.replace("helpdesk_phone", "phone"),
         Flaw("helpdesk", "fr", What.PLACEHOLDERS, "helpdesk_phone, phone")),
        ("de", "Rufen Sie {helpdesk_phone} an.", None),
        ("ro", "{helpdesk_phone}", Flaw("helpdesk", "ro", What.LENGTH, "16 / 75")),
    ],
)  # fmt: skip
def test_says_what_is_wrong_with_a_text(language: str, text: str, flaw: Flaw | None) -> None:
    assert list(flaws(in_each(**{language: text}), ())) == ([flaw] if flaw else [])


def test_a_text_of_which_there_is_nothing_is_missing_in_every_language() -> None:
    found = list(flaws(in_each(), {"disclaimer", "helpdesk"}))

    assert {flaw.kind for flaw in found} == {"disclaimer"}
    assert [flaw.language for flaw in found] == list(LANGUAGES)


def test_what_a_hospital_starts_with_is_complete() -> None:
    rows = {(str(r["kind"]), str(r["language"])): str(r["text"]) for r in defaults("texts")}

    assert list(flaws(rows, ())) == []
    assert len(rows) > 8 * 50


@pytest.fixture
def texts_of(hospital):
    """A hospital with the texts that it starts with."""
    FixedText.objects.bulk_create(
        FixedText.from_default(row, hospital.pk) for row in defaults("texts")
    )
    return hospital


def test_staff_are_shown_what_is_missing_and_where_to_write_it(texts_of) -> None:
    browser = signed_in(texts_of, Role.CURATOR)
    assert "with the same placeholders." in browser.get("/admin/chat/fixedtext/check/").text

    FixedText.objects.filter(kind="disclaimer", language="tr").delete()

    page = browser.get("/admin/chat/fixedtext/check/").text
    assert "is missing" in page
    assert "?kind=disclaimer&amp;language=tr" in page
    assert "/admin/chat/fixedtext/check/" in browser.get("/admin/").text
    assert "/admin/chat/fixedtext/check/" in browser.get("/admin/chat/fixedtext/").text
