"""What sounds like an emergency is one, in situations that nobody wrote a rule for.

Measured by situation, never by phrase: the eight translations of one stay together. The bars are
below what is reached, so that a change that costs recall is noticed and a rewording is not.
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from chat.question.learned.emergencies import HARMLESS, TELLS, alarms_of, told_of
from chat.question.learned.message_network import WEIGHTS
from chat.safety.verdict import Danger
from taxonomy.greeklish import greeklish_of
from taxonomy.snapshot import DerivedValues
from tests.chat.question.readers import ROWS, default_rows, heard, snapshot
from zol.languages import LANGUAGES
from zol.text import fold

DATA = Path(__file__).parents[1] / "data"
#: Shares of situations nobody wrote a row for that are heard: in all, and in the least language.
HEARD, LEAST = 0.85, 0.7
#: Shares that rules and what was learned hear together; in lay words, beside what else is asked.
TOGETHER, LAY = 0.97, 0.95
#: The share of what only comes near that may be taken for an emergency.
NEAR_MISS = 0.05


def situations(kind: str) -> list[dict[str, str]]:
    with (DATA / "red_flag_situations.csv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


def test_hears_most_emergencies_of_situations_that_no_row_tells_of():
    rows = situations("trigger")
    missed = [row["phrase"] for row in rows if not heard(row["phrase"])]

    assert 1 - len(missed) / len(rows) >= HEARD, missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_left_behind(language: str):
    rows = [row for row in situations("trigger") if row["language"] == language]
    missed = [row["phrase"] for row in rows if not heard(row["phrase"])]

    assert 1 - len(missed) / len(rows) >= LEAST, missed


def test_what_only_comes_near_raises_no_alarm():
    rows = situations("near_miss")
    alarming = [row["phrase"] for row in rows if heard(row["phrase"])]

    assert len(alarming) / len(rows) <= NEAR_MISS, alarming


def second(kind: str) -> list[dict[str, str]]:
    """Return the situations that were written, and committed, before anything was measured."""
    with (DATA / "red_flag_situations_second.csv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


def test_rules_and_what_was_learned_hear_emergencies_together():
    rows = second("trigger")
    missed = [row["phrase"] for row in rows if not heard(row["phrase"])]

    assert len(rows) == 10 * len(LANGUAGES)
    assert 1 - len(missed) / len(rows) >= TOGETHER, missed


def test_together_they_leave_alone_what_only_comes_near():
    rows = second("near_miss")

    assert len(rows) == 10 * len(LANGUAGES)
    assert [row["phrase"] for row in rows if heard(row["phrase"])] == []


def lay_words(kind: str) -> list[dict[str, str]]:
    """Return what people say who do not know what is urgent, many asking the way beside it; and
    what only sounds alike: a screen, a machine, a bill, planned care, what is over."""
    with (DATA / "red_flag_lay_words.csv").open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


def test_emergencies_in_lay_words_are_heard_beside_what_else_is_asked():
    rows = lay_words("trigger")
    missed = [row["phrase"] for row in rows if not heard(row["phrase"])]

    assert len(rows) >= 15 * len(LANGUAGES)
    assert 1 - len(missed) / len(rows) >= LAY, missed


def test_hardly_any_look_alike_in_lay_words_is_taken_for_an_emergency():
    rows = lay_words("near_miss")
    heard_of = [row["phrase"] for row in rows if heard(row["phrase"])]

    assert len(rows) >= 15 * len(LANGUAGES)
    assert len(heard_of) / len(rows) <= NEAR_MISS, heard_of


@pytest.mark.parametrize("language", ["tr", "fr", "de", "it", "ro"])
def test_letters_without_their_marks_are_heard_as_well(language: str):
    rows = [row["phrase"] for row in situations("trigger") if row["language"] == language]
    plain = [fold(text) for text in rows]

    lost = [text for text in plain if not heard(text)]
    missed = [text for text in rows if not heard(text)]
    assert len(lost) <= len(missed) + 3, lost


@pytest.mark.parametrize(
    "text", ["o pateras mou den anapneei", "i gynaika mou epese apo tin skala kai den anapneei"]
)
def test_greek_in_latin_letters_is_heard(text: str):
    written = snapshot().derived(greeklish_of).in_greek(text)

    assert heard(written)


def test_ordinary_questions_raise_no_alarm():
    for text in ("waar kan ik parkeren", "wie is dokter Peeters", "when can I visit", "?"):
        assert not heard(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "na de bloedafname gevallen en ik kan mijn arm niet meer bewegen en praat raar"),
        ("en", "the vein will not stop bleeding after the blood test"),
        ("fr", "le sang n'arrête pas de couler de la veine après la prise de sang, ça gicle"),
        ("de", "das Blut spritzt aus der Vene seit der Blutabnahme"),
        ("tr", "kan verdikten sonra kan durmuyor"),
        ("it", "dopo il prelievo il sangue non si ferma e schizza"),
        ("ro", "după recoltare sângele curge și nu se oprește"),
        ("el", "μετά την αιμοληψία το αίμα δεν σταματάει και πετάγεται"),
    ],
)
def test_a_needle_or_blood_that_was_taken_hides_no_emergency(language: str, text: str):
    assert heard(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "mag ik na de bloedafname meteen eten"),
        ("en", "is a bruise after the blood test normal"),
        ("fr", "je tombe souvent dans les pommes après la prise de sang, que faire"),
        ("de", "wie lange muss ich nach der Blutabnahme drücken"),
        ("tr", "kan aldırdıktan sonra hep bayılıyorum, uzanabilir miyim"),
        ("it", "dopo il prelievo svengo sempre, posso stendermi"),
        ("ro", "leșin mereu după recoltare, pot sta întins"),
        ("el", "λιποθυμώ πάντα μετά την αιμοληψία, μπορώ να ξαπλώσω"),
    ],
)
def test_what_is_usual_after_blood_was_taken_is_none(language: str, text: str):
    assert not heard(text)


def test_an_alarm_tells_what_it_sounded_like():
    alarm = (
        snapshot()
        .derived(alarms_of)
        .hear("mijn man is van de ladder gevallen en kan niet meer bewegen")
    )

    assert all((alarm.kind, alarm.like, alarm.reasons))
    assert alarm.least <= alarm.chance <= 1


def test_what_was_taken_away_gives_way_to_what_came_with_the_product():
    rows = [row for row in default_rows(ROWS["chat.redflagphrase"]) if row["role"] != TELLS]
    emptied = type(snapshot())(1, 2, rows={"chat.redflagphrase": tuple(rows)})

    assert any(one.danger is Danger.NOW for one in told_of(emptied))


@pytest.mark.parametrize(
    ("role", "text", "said"),
    [
        (
            TELLS,
            "onze goudvis zwemt vandaag de hele tijd achterstevoren door zijn kom",
            "de goudvis zwemt al de hele dag achterstevoren in zijn kom",
        ),
        (
            HARMLESS,
            "ons konijn heeft van de javel gedronken en ligt plat in zijn hok",
            "ons konijn heeft van de javel gedronken en ligt nu plat in zijn hok",
        ),
    ],
)
def test_an_example_of_staff_decides_once_it_is_published(role: str, text: str, said: str):
    row = {"kind": "goldfish", "language": "nl", "role": role, "text": text}
    rows = (*snapshot().rows_of("chat.redflagphrase"), row)
    published = replace(snapshot(), rows={"chat.redflagphrase": rows}, _derived=DerivedValues())
    before, after = (one.derived(alarms_of).hear(said) for one in (snapshot(), published))

    assert bool(after) is (role == TELLS)
    assert bool(before) is not bool(after)


def test_the_card_tells_of_the_very_file_that_is_shipped():
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()

    assert digest in WEIGHTS.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_examples_to_be_likened_to(language: str):
    assert sum(one.language == language for one in told_of(snapshot())) >= 50
