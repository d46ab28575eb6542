"""Format an answer for staff: stages with timings, candidates with factors, and differences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from chat.channels.frames import answer_of
from chat.models import Message
from chat.turn import details_of

#: The key of candidates in the trace of `assemble`; shown as a table.
RANKING = "ranking"
#: A citation mark: sources may have other numbers.
_MARK = re.compile(r"\[\d+\]")


def shown(
    trace: Mapping[str, Any], timings: Mapping[str, float], citations: Sequence[Any] = ()
) -> dict[str, Any]:
    """Return a trace for its page: stages, gates, and candidates with a factor for each boost."""
    cited = {pk for each in citations for pk in (each["chunk_id"], *each.get("also", ()))}
    records = trace.get("stages", ())
    stages = [_stage(record) for record in records]
    parts = [detail for detail in details_of("assemble", records) if detail.get(RANKING)]
    boosts = [row.get("boosts", {}) for part in parts for row in part[RANKING]]
    names = list(dict.fromkeys(name for each in boosts for name in each))
    candidates = [
        {
            # "2.1" is the first for the second part of a question.
            "rank": f"{number}.{rank}" if len(parts) > 1 else str(rank),
            "values": row,
            "boosts": [row.get("boosts", {}).get(name) for name in names],
            "is_used": rank <= part.get("passages", 0),
            "is_cited": row.get("chunk") in cited,
        }
        for number, part in enumerate(parts, start=1)
        for rank, row in enumerate(part[RANKING], start=1)
    ]
    spent = [stage["milliseconds"] for stage in stages]
    return {
        "stages": stages,
        "boosts": names,
        "candidates": candidates,
        #: Whether facts joined the passages, and by which rule; one for each part of the question.
        "gates": [detail for detail in details_of("gate_facts", records) if "rule" in detail],
        "total": timings.get("total", sum(spent)),
        "slowest": max(spent, default=0.0),
    }


def _stage(record: Mapping[str, Any]) -> dict[str, Any]:
    lines = flat(record.get("detail", {}))
    return {
        "name": record.get("stage", "").replace("_", " "),
        "milliseconds": round(1_000 * record.get("seconds", 0.0), 2),
        "failure": record.get("failure", ""),
        "details": [
            (path.replace("_", " "), text) for path, text in lines if text and RANKING not in path
        ],
    }


def flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield nested values as lines of a path and a value."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from flat(inner, f"{path} · {name}" if path else str(name))
        case list() if any(isinstance(item, dict | list) for item in value):
            for number, inner in enumerate(value, start=1):
                yield from flat(inner, f"{path} {number}")
        case list():
            yield path, ", ".join(map(as_text, value))
        case _:
            yield path, as_text(value)


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return f"{value:.4g}" if isinstance(value, float) else str(value if value is not None else "")


@dataclass(slots=True)
class TrialAnswer:
    """An answer to compare with others, or the reason why there is none."""

    name: str
    title: Any
    message: Message | None = None
    #: HTML as on the patients' page.
    html: str = ""
    #: Stages and candidates, once there is an answer.
    trace: dict[str, Any] = field(default_factory=dict)
    explained: dict[str, Any] = field(default_factory=dict)
    failure: str = ""

    def show(self, message: Message) -> None:
        self.message = message
        self.html = answer_of(message.answer, message.language)
        self.trace = shown(message.trace, message.timings_ms, message.citations)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Return the answer's own properties by name."""
        message = self.message
        if message is None:
            return []
        return [
            (gettext("Certainty"), message.get_certainty_display() or "–"),
            (gettext("Behaviour"), message.get_behaviour_display() or "–"),
            (gettext("Intent"), message.get_intent_display() or "–"),
            (gettext("Language of the answer"), message.get_language_display() or "–"),
            (gettext("Verified with hospital data"), as_text(message.verified)),
        ]

    @property
    def circumstances(self) -> list[tuple[str, str]]:
        """Return how the answer was made, which is not compared."""
        message = self.message
        if message is None:
            return []
        return [
            (gettext("Engine"), message.engine or "–"),
            (gettext("Degraded"), as_text(message.degraded)),
            (gettext("Repeated from memory"), as_text(message.cached)),
            (gettext("Total time"), f"{self.trace['total']:.1f} ms"),
        ]

    @property
    def contact(self) -> list[str]:
        """Return the contact card of the answer as lines."""
        card: dict[str, Any] = self.message.contact if self.message else {}
        lines = [
            [each.get(name) for name in ("name", "phone", "hours", "address")]
            for each in (card, *card.get("places", ()))
        ]
        return [line for each in lines if (line := " · ".join(filter(None, each)))]


def differing(answers: Sequence[TrialAnswer]) -> set[str]:
    """Return the parts of the page in which answers differ; "failure" if one was not given."""
    parts = [
        {
            "answer": _MARK.sub("", each.message.answer),
            "contact": each.contact,
            "follow_ups": each.message.follow_ups,
            "facts": each.facts,
            "sources": {(source["url"], source["title"]) for source in each.message.citations},
        }
        for each in answers
        if each.message
    ]
    found = {name for each in parts for name in each if each[name] != parts[0][name]}
    return found if len(parts) == len(answers) else {*found, "failure"}
