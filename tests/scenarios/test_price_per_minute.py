"""Who asked what parking costs per minute was given the price of a kWh."""

from chat.services import take_turn
from chat.turn import Turn


def test_whose_price_per_minute_is_unknown_is_told_so(mini):
    turn = Turn("Wat kost parkeren per minuut?", language="nl")
    answer = take_turn(turn, flags={"cache": False}).context.answer

    assert "u vraagt een bedrag per minuut" in answer
    assert "per dag en per kWh" in answer
