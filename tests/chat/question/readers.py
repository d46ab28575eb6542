"""Builders of a small hospital with the default rows, and of what it understands."""

import csv
from functools import cache
from pathlib import Path
from typing import Any

from chat.engines.embedded.classify import CodeReader, code_reader_of
from chat.turn import Exchange, Turn, Understanding
from taxonomy.snapshot import Profile, Snapshot
from tests.taxonomy.vocabularies import vocabulary

ROOT = Path(__file__).parents[3]
ROWS = {
    "chat.cue": "chat/defaults/cues.csv",
    "chat.intentexample": "chat/defaults/intent_examples.csv",
    "chat.rewritetemplate": "chat/defaults/rewrite_templates.csv",
    "chat.advicephrase": "chat/defaults/advice.csv",
    "chat.redflagphrase": "chat/defaults/red_flags.csv",
    "chat.injectionpattern": "chat/defaults/injection_patterns.csv",
    "taxonomy.lexiconconcept": "taxonomy/defaults/lexicon.csv",
    "taxonomy.complaintroute": "taxonomy/defaults/complaint_routes.csv",
}


def default_rows(path: str) -> tuple[dict[str, Any], ...]:
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@cache
def snapshot() -> Snapshot:
    profile = Profile(slug="zt", name="Ziekenhuis Test", short_name="ZT", phone="089 00 00 00")
    rows = {name: default_rows(path) for name, path in ROWS.items()}
    return Snapshot(1, 1, profile, vocabulary(), rows)


def reader() -> CodeReader:
    return snapshot().derived(code_reader_of)


def asked(question: str, *earlier: str, page: str = "nl") -> Understanding:
    """Return the understanding of a question, after earlier ones."""
    history = tuple(Exchange(question=text, answer="") for text in earlier)
    return reader().understand(Turn(question, page, history))


def names(meaning: Understanding) -> list[str]:
    return [match.thing.name for match in meaning.matches]
