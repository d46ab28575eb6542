"""Personal data is counted as hidden only when nothing of it is left."""

from __future__ import annotations

from chat.safety.phrases import defaults
from chat.safety.redaction import Redactor
from lab.commands.personal_data import SETS, measure, read, table

MESSAGES = (
    ("bel 0477 12 34 56", ["0477 12 34 56"]),
    ("bel 0477 12 34 56 of Zwaluwhof", ["0477 12 34 56", "Zwaluwhof"]),
    ("mijn zoon Jan heeft koorts", ["zoon"]),
    ("route 12", []),
    ("ik ben Jan Peeters", []),
)


def test_counts_what_is_hidden_what_goes_with_it_and_what_is_changed_for_nothing() -> None:
    rows = [
        {"id": str(at), "language": "nl", "text": text, "personal": [{"text": p} for p in personal]}
        for at, (text, personal) in enumerate(MESSAGES)
    ]

    figures, misses = measure(Redactor(defaults("cues")), rows)

    counts = figures["nl"]
    assert (counts["personal"], counts["hidden"], counts["beyond"]) == (3, 1, 1)
    assert (counts["harmless"], counts["changed"]) == (2, 1)
    assert [line.split()[0] for line in misses] == ["1", "2", "4"]
    assert "1 of    3  33.3%" in next(iter(table(figures)))


def test_what_is_labelled_stands_in_its_message() -> None:
    for file in sorted(SETS.glob("*.jsonl")):
        for row in read(file):
            assert all(each["text"] in row["text"] for each in row["personal"]), row["id"]
