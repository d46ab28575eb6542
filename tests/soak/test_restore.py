"""Whoever restores a dump with the documented commands has a product that answers."""

import pytest

from tests.soak import restore


@pytest.mark.soak
@pytest.mark.slow
def test_a_restored_server_answers_every_question(capsys):
    for name, answered, wrong in restore.rows():
        with capsys.disabled():
            restore.show(name, answered, wrong)
        assert answered == restore.ANSWERS
