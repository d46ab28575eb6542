"""What strangers do at once hinders nobody, and they read nothing that is not theirs."""

from __future__ import annotations

import pytest

from tests.answering import HOST, forget_conversations
from tests.chat.server import Servers
from tests.databases import databases
from tests.soak.rights import Site, rows
from tests.zol.staff import PASSWORD, member
from zol.models import Role

pytestmark = [pytest.mark.soak, pytest.mark.alone]


@pytest.fixture
def site(mini, tmp_path):
    server = Servers(tmp_path, WEB_PROCESSES="1")
    server.collect()
    server.start()
    member(mini, Role.OPERATOR, username="operator")
    yield Site(HOST, server.port, server.process.pid)
    forget_conversations()
    server.stop()
    databases.spoil()


def test_no_stranger_hinders_anybody(site, capsys):
    told = [*rows(site, "operator", PASSWORD)]

    with capsys.disabled():
        print("", *told, sep="\n")
    assert [str(row) for row in told if not row.good] == []
