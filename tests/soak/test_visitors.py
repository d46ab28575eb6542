"""Prints the table of `visitors.py`."""

from __future__ import annotations

import pytest

from tests.chat.server import Servers, free_port
from tests.deploy.proxies import missing, nginx, proxied
from tests.soak.visitors import rows

pytestmark = [
    pytest.mark.soak,
    pytest.mark.alone,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning"),
]


@pytest.mark.skipif(missing(nginx), reason="nginx is not installed: apt-get install nginx")
def test_emergencies_before_limits_and_who_is_one_visitor(mini, tmp_path, capsys):
    server = Servers(
        tmp_path, WEB_PROCESSES="1", RATE_LIMITS="60/hour, 5/10 seconds", HTTPS="on",
        TRUSTED_PROXIES="127.0.0.1", INTERNAL_NETWORKS="127.0.0.1",
    )  # fmt: skip
    server.collect()
    server.start()
    try:
        with (
            proxied(nginx, tmp_path / "proxy", server.port) as proxy,
            proxied(nginx, tmp_path / "alone", free_port()) as alone,
        ):
            found = []
            for row in rows(server, proxy, alone):
                found.append(row)
                with capsys.disabled():
                    print(row)
    finally:
        server.stop()
    assert all(row.good for row in found)
