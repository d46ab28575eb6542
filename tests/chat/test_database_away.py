"""PostgreSQL is away, full or read-only: emergencies are answered, and everybody else is told in words.

The product's own PostgreSQL is stopped, filled and made read-only here, and so is the disk of uploads.
"""

import os

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections

from retrieval.models import Document
from taxonomy.publishing.live import recheck_live_versions
from tests.answering import HOST
from tests.chat.server import Server
from tests.databases import databases
from tests.files import pdf
from tests.soak.database_away import NOTICED, carried_out, fill, own_cluster, small_disk
from tests.zol.staff import PASSWORD, signed_in
from zol.access.hosts import forget_hosts
from zol.models import Role

BODY = {"question": "Welke oogartsen werken hier?"}
PAGES = ["/", "/zoek?q=oogarts", "/admin/login/", "/api/v1/chat"]

long = pytest.mark.skipif(not os.environ.get("SOAK"), reason="long: for make soak")


@pytest.fixture
def away(mini):
    """Point the application at a port where no database listens; return how to bring it back."""
    connection = connections["default"]
    real = dict(connection.settings_dict)

    def leave():
        connection.close()
        connection.settings_dict.update(HOST="127.0.0.1", PORT="1")

    def come_back():
        connection.close()
        connection.settings_dict.update(HOST=real["HOST"], PORT=real["PORT"])
        forget_hosts()

    leave.come_back = come_back
    yield leave
    come_back()


def ask(client, path, **headers):
    headers = {"host": HOST, "accept-language": "fr", **headers}
    if path.startswith("/api/"):
        return client.post(path, BODY, content_type="application/json", headers=headers)
    return client.get(path, headers=headers)


@pytest.mark.parametrize("path", PAGES)
def test_every_address_says_in_the_visitor_s_language_that_the_database_is_away(client, away, path):
    forget_hosts()
    away()

    reply = ask(client, path)

    assert reply.status_code == 503
    assert reply.headers["Retry-After"]
    told = reply.json()["message"] if path.startswith("/api/") else reply.content.decode()
    assert "momentanément indisponible" in told
    assert "112" in told


def test_a_database_that_left_after_the_hospital_was_known_is_told_with_its_number(client, away):
    ask(client, "/api/v1/chat")
    away()
    recheck_live_versions()

    for path in ("/", "/api/v1/chat"):
        reply = ask(client, path)
        assert reply.status_code == 503
        assert "011 00 10 00" in reply.content.decode()


def test_readiness_says_which_check_fails_and_recovers(client, away):
    away()
    reply = client.get("/health/ready")
    assert reply.status_code == 503
    assert reply.json()["checks"]["database"] == {"ok": False, "detail": "does not answer"}

    away.come_back()

    assert client.get("/health/ready").status_code == 200
    assert ask(client, "/api/v1/chat").json()["text"]


@pytest.fixture
def cluster(mini, tmp_path):
    """A server on a PostgreSQL of its own, and that PostgreSQL."""
    if os.geteuid():
        pytest.skip("only root can mount a disk that is soon full")
    with own_cluster(tmp_path) as cluster:
        yield cluster


@pytest.fixture
def served(cluster, tmp_path):
    server = Server(
        tmp_path, WEB_PROCESSES="1", TEST_DATABASE_URL=cluster.url, SERVER_DATABASE="zol"
    )
    server.start()
    yield server
    server.stop()


@pytest.mark.slow
def test_nobody_reads_html_and_no_emergency_is_lost_whatever_becomes_of_the_database(
    cluster, served
):
    check(carried_out(cluster, served.port, seconds=NOTICED))


@long
@pytest.mark.soak
@pytest.mark.alone
def test_nor_when_it_lasts_and_emergencies_are_told_within_a_second(cluster, served):
    found = carried_out(cluster, served.port, seconds=15)

    check(found)
    assert max(found["stopped"].seconds) < 1


@long
@pytest.mark.soak
def test_a_server_starts_on_a_full_disk(cluster, served):
    served.stop()
    cluster.fill()

    served.start()

    assert served.process.poll() is None


def check(found):
    assert {name: phase.faults for name, phase in found.items() if phase.faults} == {}
    assert {name: phase.ready for name, phase in found.items()} == {
        "as always": (200, False),
        "read-only": (200, True),
        "full": (200, True),
        "stopped": (503, False),
        "back": (200, False),
    }
    assert found["as always"].kept == {True}
    assert found["read-only"].kept == {False}
    assert {found[name].refused for name in ("as always", "read-only", "full", "back")} == {0}
    assert found["stopped"].refused


@pytest.fixture
def read_only(mini):
    """Have PostgreSQL take no rows on the connection of this thread."""
    staff = signed_in(mini, Role.OPERATOR, username="writer")
    with connections["default"].cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    yield staff
    connections["default"].close()
    databases.spoil()


def test_what_a_read_only_database_cannot_keep_is_answered_and_not_named(client, read_only):
    reply = ask(client, "/api/v1/chat").json()

    assert reply["text"]
    assert (reply["kept"], reply["conversation"], reply["secret"]) == (False, "", "")


def test_staff_see_that_the_database_is_read_only_and_that_nothing_was_saved(client, read_only):
    ready = client.get("/health/ready")
    home = read_only.get("/admin/")
    saved = read_only.post(
        "/admin/chat/fixedtext/add/", {"kind": "x", "language": "nl", "text": "x"}
    )
    signing_in = client.post(
        "/admin/login/", {"username": "writer", "password": PASSWORD}, headers={"host": HOST}
    )

    assert (ready.status_code, ready.json()["degraded"]) == (200, True)
    assert "read-only or full" in home.text
    assert [reply.status_code for reply in (saved, signing_in)] == [507, 507]
    assert "Nothing was saved" in saved.text


def test_an_upload_to_a_full_disk_says_so(mini, settings, tmp_path, full_disk):
    settings.MEDIA_ROOT = full_disk
    staff = signed_in(mini, Role.OPERATOR, username="uploader")
    values = {
        "file": SimpleUploadedFile("x.pdf", pdf("Bezoekuren zijn van 14 tot 20 uur.")),
        "title": "x", "category": "Brochure", "language": "nl", "authority": "1.0", "url_tier": "1",
    }  # fmt: skip

    reply = staff.post("/admin/retrieval/document/add/", values)

    assert reply.status_code == 507
    assert "full or read-only" in reply.text
    assert not Document.objects.filter(path="uploads/x.pdf").exists()
    databases.spoil()


@pytest.fixture
def full_disk(tmp_path):
    with small_disk(tmp_path / "full", "64k") as folder:
        fill(folder)
        yield folder
