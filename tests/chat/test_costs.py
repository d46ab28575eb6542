import pytest

from chat.selectors import Prices, prices_of
from tests.builders import snapshot
from zol.llm.base import Call


def test_tokens_read_and_written_have_their_own_price():
    calls = [Call("primary", "big", 1.0, tokens_in=1_000_000, tokens_out=500_000)]

    assert Prices({"big": (2.0, 8.0)}).cost(calls) == pytest.approx(6.0)


def test_a_model_of_ones_own_costs_nothing():
    assert Prices().cost([Call("primary", "ours", 1.0, 10, 10)]) == 0.0


def test_prices_are_rows():
    rows = [{"model": "big", "input_per_million": 1, "output_per_million": 2}]

    assert prices_of(snapshot(chat__modelprice=rows)).by_model == {"big": (1.0, 2.0)}
