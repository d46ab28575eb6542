"""A red-flag phrase stops a turn, unless it is negated."""

import pytest

from chat.safety import phrases as safety_rows
from chat.safety.emergencies import phrases
from chat.safety.emergencies.alarm import situations_of
from chat.safety.emergencies.phrases import RedFlags, red_flags_of
from taxonomy.snapshot import Profile, Snapshot
from zol.languages import LANGUAGES

EMPTY = Snapshot(1, 1, Profile(slug="zt"))
ROWS = (
    {"kind": "breathing", "language": "nl", "role": "trigger", "text": "krijg geen lucht"},
    {"kind": "unconscious", "language": "nl", "role": "trigger", "text": "vader bewusteloo*"},
    {"kind": "before", "language": "nl", "role": "denial", "text": "niet"},
)


def kinds(*messages: str) -> list[str]:
    *before, message = messages
    return [sign.kind for sign in RedFlags(ROWS).signs(message, *before)]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        pytest.param("Ik KRIJG geen lucht!", ["breathing"], id="capitals are folded"),
        pytest.param("ik krijg bijna geen lucht", ["breathing"], id="a word in between"),
        pytest.param("mijn vader ligt bewusteloos", ["unconscious"], id="an open ending"),
        pytest.param("ik krijg nu echt wel geen lucht", [], id="three words in between"),
        pytest.param("mijn vader is niet bewusteloos", [], id="a denial inside"),
        pytest.param("het is niet zo: krijg geen lucht", ["breathing"], id="a denial elsewhere"),
        pytest.param("ik zeg niet krijg geen lucht", [], id="a denial before"),
        pytest.param("waar kan ik parkeren", [], id="ordinary"),
        pytest.param("", [], id="empty"),
    ],
)
def test_a_phrase_is_found_in_folded_words(message: str, found: list[str]):
    assert kinds(message) == found


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        (["ik krijg geen lucht en mijn vader ligt bewusteloos"], ["breathing", "unconscious"]),
        (["ik krijg", "geen lucht"], ["breathing"]),
        (["ik krijg geen lucht", "waar is de ingang"], []),
    ],
    ids=["two situations", "begun in one message", "only in the message before"],
)
def test_situations_are_distinguished_also_across_two_messages(messages, found):
    assert kinds(*messages) == found


def test_the_words_that_were_found_are_kept():
    (sign,) = RedFlags(ROWS).signs("help, ik krijg geen lucht")

    assert sign.phrase == "krijg geen lucht"


def test_phrases_of_a_hospital_and_of_the_product_both_apply():
    row = {"kind": "breathing", "language": "nl", "role": "trigger", "text": "paarse paraplu"}
    own = Snapshot(1, 1, Profile(slug="zt"), rows={phrases.ROWS: (row,)})

    flags = own.derived(red_flags_of)

    assert flags.signs("de paarse paraplu is zoek")
    assert flags.signs("mijn vader ademt niet meer")


def test_rows_of_removed_roles_are_ignored():
    row = {"kind": "burn", "language": "any", "role": "rule", "text": "{boiling}"}
    own = Snapshot(1, 1, Profile(slug="zt"), rows={phrases.ROWS: (row,)})

    assert not own.derived(red_flags_of).signs("{boiling} boiling")


def test_every_language_has_enough_phrases_and_every_phrase_a_situation():
    known = {each.kind for each in EMPTY.derived(situations_of)}
    rows = safety_rows.defaults(phrases.FILE)

    assert min(phrases.counts().values()) >= phrases.FEWEST
    assert {row["kind"] for row in rows if row["role"] == phrases.TRIGGER} == known


def test_each_situation_has_a_phrase_in_each_language():
    rows = safety_rows.defaults(phrases.FILE)
    told = {(row["kind"], row["language"]) for row in rows if row["role"] == phrases.TRIGGER}

    assert {(each.kind, c) for each in EMPTY.derived(situations_of) for c in LANGUAGES} <= told
