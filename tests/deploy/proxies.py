"""nginx and Caddy with the documented files, as a visitor at some address of this machine meets them."""

import json
import os
import re
import shutil
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow

import urllib3
from django.conf import settings

from tests.answering import HOST
from tests.chat.server import LONGEST, free_port
from zol.runtime.processes import wait_until

DEPLOY = Path(settings.BASE_DIR) / "deploy"
PATH = f"{os.environ['PATH']}:/usr/sbin"
QUESTION = "Wat zijn de bezoekuren op B3?"
EMERGENCY = "Mijn vader is bewusteloos en ademt niet meer"
NGINX = """
daemon off; user root; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
    include /etc/nginx/mime.types;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxied;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/zol.conf;
}}
"""
CADDY = """{{
    admin off
    skip_install_trust
    auto_https disable_redirects
    storage file_system {folder}
}}
"""


def nginx(folder, port, upstream):
    """Write the documented configuration for this machine; return the command."""
    certificate = ["-keyout", "privkey.pem", "-out", "fullchain.pem", "-subj", f"/CN={HOST}"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *certificate]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    changed = {
        "listen 443 ": f"listen {port} ", "listen 80;": f"listen {free_port()};",
        "chat.example": HOST, "/etc/ssl/zol": str(folder),
    }  # fmt: skip
    (folder / "zol.conf").write_text(changed_file("nginx.conf", changed, upstream))
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder, port, upstream):
    changed = {"chat.example {": f"https://{HOST}:{port} {{"}
    written = CADDY.format(folder=folder) + changed_file("Caddyfile", changed, upstream)
    (folder / "Caddyfile").write_text(written)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def changed_file(name, changed, upstream):
    """Return a documented file with what a hospital changes, and with less patience."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    everywhere = {
        "127.0.0.1:8000": f"127.0.0.1:{upstream}", "/srv/zol/away": str(settings.AWAY_ROOT),
        "120s": "5s",
    }  # fmt: skip
    for old, new in (changed | everywhere).items():
        assert old in text
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy that runs, and how a visitor at some address of this machine reaches it."""

    def __init__(self, port):
        self.port = port
        # Counts of earlier runs are another visitor's.
        self.address = f"127.{1 + randbelow(254)}.{randbelow(255)}.{1 + randbelow(254)}"
        self.pool = urllib3.HTTPSConnectionPool(
            "127.0.0.1", port, server_hostname=HOST, assert_hostname=False, cert_reqs="CERT_NONE",
            source_address=(self.address, 0), timeout=LONGEST, retries=False,
        )  # fmt: skip
        self.site = f"https://{HOST}:{port}"

    def request(self, method, path, headers=(), **more):
        told = {"Host": f"{HOST}:{self.port}", "Accept-Language": "nl", **dict(headers)}
        return self.pool.request(method, path, headers=told, redirect=False, **more)

    def ask(self, query="", question=QUESTION, **headers):
        """Ask on the API, perhaps with a page's token; return the status."""
        address = f"/api/v1/chat{query}"
        return self.request("POST", address, headers, json={"question": question}).status

    def page_query(self):
        """Return the query of the socket that a page opens: with it comes its token."""
        html = self.request("GET", "/").data.decode()
        page = json.loads(re.search(r'id="page"[^>]*>(.*?)</script>', html).group(1))
        return page["socket"].removeprefix("/ws/chat/")


@contextmanager
def proxied(kind, folder, upstream):
    folder.mkdir()
    port = free_port()
    with (folder / "log").open("wb") as log:
        command = kind(folder, port, upstream)
        environment = os.environ | {"PATH": PATH, "HOME": str(folder)}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        assert wait_until(lambda: is_open(port), LONGEST), (folder / "log").read_text()
        yield Proxy(port)
    finally:
        process.terminate()
        process.wait(LONGEST)


def is_open(port):
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def missing(kind):
    """Whether the program is not installed."""
    return not shutil.which(kind.__name__, path=PATH)
