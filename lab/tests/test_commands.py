"""`python -m lab NAME` runs the laboratory's commands."""

from __future__ import annotations

import pytest

from lab.__main__ import main, names


def test_the_commands_of_the_contract_are_there() -> None:
    assert {"benchmark", "benchmark_retrieval", "example_vectors", "floors"} <= set(names())


@pytest.mark.parametrize("words", [[], ["magic"], ["__init__"]])
def test_another_name_is_refused_with_those_that_there_are(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="with one of: alarms, benchmark"):
        main(words)
