"""The alarm is measured by labels: needless ones by how they are shown, real ones by danger."""

from __future__ import annotations

import json
from dataclasses import replace

from chat.safety.emergencies.alarm import Alarm, Danger, Detector, Reading, Strength, situations_of
from chat.safety.emergencies.phrases import red_flags_of
from lab.commands.alarms import LabelledMessage, line, measured, messages_of
from taxonomy.snapshot import Snapshot

ORDINARY = LabelledMessage("nl", ("waar is de ingang",), "none")
REAL = LabelledMessage("nl", ("hij ademt niet",), "emergency")
REAL_TOLD = LabelledMessage("nl", ("hij ligt daar maar",), "emergency")
LABOUR = LabelledMessage("nl", ("mijn water brak",), "labour")
STOP = Alarm(Danger.NOW, strength=Strength.STOP)
LIKELY = Alarm(Danger.NOW, strength=Strength.LINE, chance=0.6)


def test_a_needless_line_and_a_missed_one_are_counted():
    said = line([(ORDINARY, LIKELY), (REAL, Alarm()), (REAL, STOP), (LABOUR, STOP)])

    assert "of 1 ordinary: stops 0 texts 0 lines 1" in said
    assert "heard 2/3: emergency 1/2 (right 1), labour 1/1 (right 1)" in said


def test_the_curve_hears_more_at_a_lower_chance():
    def read(text):
        return Reading({Danger.NOW: 0.5, Danger.NONE: 0.5}, {})

    empty = Snapshot(0, 0)
    detector = Detector(empty.derived(red_flags_of), empty.derived(situations_of), read)

    assert "heard 1/1" in line(measured(replace(detector, line_from=0.4), [REAL_TOLD]))
    assert "heard 0/1" in line(measured(replace(detector, line_from=0.6), [REAL_TOLD]))


def test_conversations_and_single_messages_are_read(tmp_path):
    file = tmp_path / "set.jsonl"
    rows = [
        {"lang": "nl", "turns": ["a", "b"], "expect": "crisis"},
        {"language": "fr", "text": "c"},
    ]
    file.write_text("\n".join(map(json.dumps, rows)))

    first, second = messages_of(file)

    assert (first.turns, first.expect) == (("a", "b"), "crisis")
    assert (second.turns, second.is_real) == (("c",), False)
