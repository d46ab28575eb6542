"""Building what stays without looking for garbage."""

from __future__ import annotations

import gc

import pytest

from zol.garbage import SELDOM, look_seldom, nothing_thrown_away


def test_nothing_is_looked_for_until_the_outer_block_ends() -> None:
    with nothing_thrown_away():
        with nothing_thrown_away():
            assert not gc.isenabled()
        assert not gc.isenabled()

    assert gc.isenabled()


def test_what_fails_to_be_built_leaves_the_collector_on() -> None:
    with pytest.raises(ValueError, match="broken"), nothing_thrown_away():
        raise ValueError("broken")

    assert gc.isenabled()


def test_who_looks_seldom_still_looks() -> None:
    before = gc.get_threshold()
    look_seldom()
    chosen = gc.get_threshold()
    gc.set_threshold(*before)

    assert chosen == SELDOM
    assert gc.isenabled()
