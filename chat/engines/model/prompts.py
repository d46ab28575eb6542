"""What a model is told: sections that staff edit, in order, filled in for the turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.phrases import filled
from taxonomy.snapshot import Snapshot

ROWS = "chat.promptsection"


@dataclass(frozen=True)
class Prompts:
    """The sections of every prompt. Immutable once built."""

    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def say(self, prompt: str, values: Mapping[str, Any]) -> str:
        """Return a prompt filled in; a section of which nothing is left is left out."""
        said = (filled(section, values).strip() for section in self.sections.get(prompt, ()))
        return "\n\n".join(filter(None, said))


def prompts_of(snapshot: Snapshot) -> Prompts:
    """Return a version's prompts; use it through `snapshot.derived(prompts_of)`."""
    sections: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in snapshot.rows_of(ROWS):
        sections[str(row["prompt"])].append((int(row["position"] or 0), str(row["text"])))
    return Prompts({name: tuple(text for _, text in sorted(s)) for name, s in sections.items()})
