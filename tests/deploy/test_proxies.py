"""The proxies as documented, in front of the product's own server."""

import json
import re
import signal
import socket
import ssl

import pytest
from django.conf import settings
from django.test import Client
from websockets.sync.client import connect

from retrieval.models import Document
from tests.answering import HOST
from tests.chat.server import LONGEST, Server, free_port
from tests.deploy.proxies import EMERGENCY, caddy, missing, nginx, proxied
from tests.files import pdf
from tests.taxonomy.releases import author

pytestmark = [
    pytest.mark.slow,
    # The certificate is made here.
    pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning"),
]


@pytest.fixture(params=[nginx, caddy], ids=lambda kind: kind.__name__)
def kind(request):
    if missing(request.param):
        name = request.param.__name__
        pytest.skip(f"{name} is not installed: apt-get install {name}")
    return request.param


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock():
        made = Server(
            tmp_path_factory.mktemp("server"), WEB_PROCESSES="1", RATE_LIMITS="2/minute",
            HTTPS="on", TRUSTED_PROXIES="127.0.0.1", INTERNAL_NETWORKS="127.0.0.1",
        )  # fmt: skip
    yield made
    made.stop()


@pytest.fixture
def proxy(kind, server, mini, tmp_path):
    if server.process is None:
        server.start()
    with proxied(kind, tmp_path / "proxy", server.port) as made:
        yield made


def test_two_visitors_behind_one_address_do_not_shut_each_other_out(proxy):
    one, other = (proxy.page_query() for _ in range(2))

    assert [proxy.ask(one) for _ in range(3)] == [200, 200, 429]
    assert proxy.ask(other) == 200


def test_a_forged_header_changes_nothing(proxy):
    forged = [{"X-Forwarded-For": f"198.51.100.{n}", "Forwarded": "for=10.0.0.1"} for n in range(3)]

    assert [proxy.ask(**each) for each in forged] == [200, 200, 429]
    # Strangers are told no more than this; whether it is ready depends on how far it has warmed up.
    told = json.loads(proxy.request("GET", "/health/ready", {"X-Forwarded-For": "127.0.0.1"}).data)
    assert told.keys() == {"ready", "degraded"}


def test_a_socket_passes_and_a_brochure_of_two_megabytes(proxy, mini):
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with connect(
        f"wss://{HOST}:{proxy.port}/ws/chat/{proxy.page_query()}", origin=proxy.site, ssl=trusting,
        sock=socket.create_connection(("127.0.0.1", proxy.port)), open_timeout=LONGEST,
    ) as line:  # fmt: skip
        line.send(json.dumps({"type": "ask", "question": EMERGENCY}))
        while (frame := json.loads(line.recv(timeout=LONGEST)))["type"] != "answer":
            pass

    assert "112" in frame["text"]
    assert uploaded(proxy, mini) == 302
    assert Document.objects.filter(path="uploads/large.pdf").exists()
    Document.objects.filter(path="uploads/large.pdf").delete()


def test_a_file_that_is_too_large_is_refused_by_the_product_and_a_question_by_the_proxy(
    proxy, mini
):
    assert uploaded(proxy, mini, size=53_000_000) == 200  # The form again, with a sentence.
    assert proxy.request("POST", "/api/v1/chat", {}, body=b"0" * 4_000_000).status == 413


def uploaded(proxy, hospital, size=2_100_000):
    staff = Client()
    staff.force_login(author(hospital))
    session = f"{settings.SESSION_COOKIE_NAME}={staff.cookies[settings.SESSION_COOKIE_NAME].value}"
    address = "/admin/retrieval/document/add/"
    form = proxy.request("GET", address, {"Cookie": session})
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', form.data.decode()).group(1)
    cookie = form.headers["Set-Cookie"].partition(";")[0]
    data = pdf("De bezoekuren.", title="Brochure") + b"%" + b"0" * size + b"\n"
    fields = {
        "csrfmiddlewaretoken": token, "title": "Brochure", "category": "Brochure",
        "language": "nl", "authority": "1.0", "url_tier": "1", "file": ("large.pdf", data),
    }  # fmt: skip
    headers = {"Cookie": f"{session}; {cookie}", "Origin": proxy.site, "Referer": proxy.site}
    return proxy.request("POST", address, headers, fields=fields).status


@pytest.mark.parametrize("status", [502, 504])
def test_who_comes_while_nobody_answers_reads_112_and_the_number_of_the_hospital(
    kind, proxy, server, mini, tmp_path, status
):
    if status == 502:
        with proxied(kind, tmp_path / "alone", free_port()) as nothing_behind:
            reply = nothing_behind.request("GET", "/")
    else:
        server.process.send_signal(signal.SIGSTOP)
        try:
            reply = proxy.request("GET", "/")
        finally:
            server.process.send_signal(signal.SIGCONT)

    words = reply.data.decode()
    assert reply.status == status
    assert 'href="tel:112"' in words
    assert mini.phone in words
    assert all(f'<section lang="{code}">' in words for code in mini.languages)
