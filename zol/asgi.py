"""ASGI application: HTTP and WebSockets."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")
http = get_asgi_application()

from chat.channels.consumers import ChatConsumer  # noqa: E402
from chat.channels.startup import warm_up, write_away_pages  # noqa: E402  (models exist after set-up)
from retrieval.index import refuse_wrong_indexes  # noqa: E402
from taxonomy.publishing.versions import listen  # noqa: E402
from zol.access.hosts import HospitalSockets  # noqa: E402
from zol.runtime.processor import collect_seldom  # noqa: E402

refuse_wrong_indexes()
# In a thread: on a running event loop Django refuses to query the database.
with ThreadPoolExecutor(max_workers=1) as thread:
    thread.submit(warm_up).result()
    thread.submit(write_away_pages, settings.AWAY_ROOT).result()
listen()
collect_seldom()
sockets = URLRouter([path("ws/chat/", ChatConsumer.as_asgi())])
application = ProtocolTypeRouter({"http": http, "websocket": HospitalSockets(sockets)})
