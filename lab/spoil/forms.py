"""Ways to spoil a whole reply: its form, or what it says of a message."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from lab.recorded.endpoint import Reply

FormSpoiler: TypeAlias = Callable[[str, random.Random], Reply]
Value: TypeAlias = dict[str, Any]


def _broken(text: str, dice: random.Random) -> Reply:
    """Leave out one quote or bracket."""
    places = [at for at, sign in enumerate(text) if sign in '"]}']
    at = dice.choice(places or [0])
    return Reply(text[:at] + text[at + 1 :])


def _wrong_types(text: str, dice: random.Random) -> Reply:
    value = json.loads(text)
    statements = [
        {**each, "lines": 21, "text": {"said": each["text"]}} if at == 0 else each
        for at, each in enumerate(value["statements"])
    ]
    return Reply(json.dumps({**value, "status": True, "statements": statements}))


def _forty(text: str, dice: random.Random) -> Reply:
    value = json.loads(text)
    return Reply(json.dumps({**value, "statements": (value["statements"] * 40)[:40]}))


def _in_text(insert: str) -> FormSpoiler:
    """Put something into the first statement's words, as it stands in JSON."""

    def spoil(text: str, dice: random.Random) -> Reply:
        value = json.loads(text)
        if not value["statements"]:
            return Reply(text)
        first, *rest = value["statements"]
        words = first["text"].split(" ")
        words.insert(len(words) // 2, "\u0001")
        said = json.dumps({**value, "statements": [{**first, "text": " ".join(words)}, *rest]})
        return Reply(said.replace("\\u0001", insert))

    return spoil


FORMS: Mapping[str, FormSpoiler] = {
    "fence": lambda text, _: Reply(f"```json\n{text}\n```"),
    "prose round it": lambda text, _: Reply(f"Sure, here it is:\n{text}\nHope this helps!"),
    "broken": _broken,
    "cut": lambda text, _: Reply(text, is_cut=True),
    "length": lambda text, _: Reply(text[: len(text) // 2], finish="length"),
    "two objects": lambda text, _: Reply(f"{text}\n{text}"),
    "wrong types": _wrong_types,
    "empty": lambda text, _: Reply(""),
    "40 statements": _forty,
    "NUL": _in_text("\\u0000"),
    "lone surrogate": _in_text("\\ud83d"),
    "reasoning only": lambda text, _: Reply(text, is_reasoning=True),
    "200 kB field": _in_text("a" * 200_000),
}


def _intent(value: Value, dice: random.Random, intents: list[str]) -> Value:
    return {**value, "intent": dice.choice([each for each in intents if each != value["intent"]])}


def _moved(value: Value, dice: random.Random, intents: list[str]) -> Value:
    moment = value.get("moment") or {
        "from": "2026-12-01T00:00", "to": "2026-12-02T00:00", "said": "",
    }  # fmt: skip
    week = timedelta(days=dice.choice([-7, 7]))

    def later(text: str) -> str:
        return (datetime.fromisoformat(text) + week).isoformat(timespec="minutes")

    return {**value, "moment": {**moment, "from": later(moment["from"]), "to": later(moment["to"])}}


ClassifySpoiler: TypeAlias = Callable[[Value, random.Random, list[str]], Value]
CLASSIFY: Mapping[str, ClassifySpoiler] = {
    "neighbouring intent": _intent,
    "off_topic .99": lambda value, *_: {**value, "intent": "off_topic", "confidence": 0.99},
    "personal .99": lambda value, *_: {**value, "advice": "personal", "confidence": 0.99},
    "other language": lambda value, *_: {
        **value, "language": "fr" if value["language"] != "fr" else "nl",
    },
    "other subject": lambda value, *_: {
        **value, "rewritten": "parkeren op campus Sint-Jan tarief per uur",
        "parts": [{"text": "parkeren op campus Sint-Jan, tarief", "wants": "price"}],
    },
    "invented entity": lambda value, *_: {
        **value,
        "entities": [*value["entities"], {"kind": "department", "said": "dermatologie"}][:8],
    },
    "moment ± 1 week": _moved,
    "urgency none": lambda value, *_: {**value, "urgency": "none"},
}  # fmt: skip
