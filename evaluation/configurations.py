"""The switches that an evaluation or ablation may turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from zol.errors import BadInput

FLAGS = (
    "value_framework", "boosts", "roster", "rescue", "skim", "crag", "filco", "decomposition",
    "cache", "reranker", "guardrails", "judge", "keyword", "dense", "taxonomy",
)  # fmt: skip
#: A run measures the pipeline, not what it remembers: otherwise the second of two equal runs
#: would see only the answers of the first, and no ranking at all.
USUAL: Mapping[str, bool] = {"cache": False}
#: What an answer may be made from: pages by meaning alone, the taxonomy alone, or everything.
MODES: Mapping[str, Mapping[str, bool]] = {
    "vector_only": {
        "keyword": False, "rescue": False, "taxonomy": False, "roster": False, "supplement": False,
    },
    "graph_only": {"dense": False, "keyword": False, "rescue": False},
    "hybrid": {},
}  # fmt: skip
_VALUES = {"on": True, "off": False}
#: Flags of one factorial: 2⁷ runs are what a night can hold.
MOST_FACTORS = 7


def flags_of(settings: Iterable[str], mode: str = "hybrid") -> dict[str, bool]:
    """Return the switches of `name=on` and `name=off`, over those of a mode and the usual ones."""
    if mode not in MODES:
        raise BadInput(f"There is no mode “{mode}”; there are {', '.join(MODES)}.")
    chosen = {**USUAL, **MODES[mode]}
    for setting in settings:
        name, _, value = setting.partition("=")
        if value not in _VALUES:
            raise BadInput(f"“{setting}” is not a switch: write {name or 'name'}=on or =off.")
        chosen[known(name)] = _VALUES[value]
    return chosen


def factors_of(names: str) -> tuple[str, ...]:
    """Return the switches of `a,b,c`."""
    factors = tuple(known(name.strip()) for name in names.split(",") if name.strip())
    if not factors or len(set(factors)) != len(factors):
        raise BadInput("Name one switch or more, each once: --flags boosts,roster")
    if len(factors) > MOST_FACTORS:
        raise BadInput(
            f"{len(factors)} switches are {2 ** len(factors)} runs; at most {MOST_FACTORS}."
        )
    return factors


def known(name: str) -> str:
    if name not in FLAGS:
        raise BadInput(f"There is no switch “{name}”; there are {', '.join(FLAGS)}.")
    return name


def factorial(factors: tuple[str, ...]) -> tuple[dict[str, bool], ...]:
    """Return every combination of the switches, the usual setting of the others laid under."""
    return tuple(
        {**USUAL, **dict(zip(factors, states, strict=True))}
        for states in product((True, False), repeat=len(factors))
    )
