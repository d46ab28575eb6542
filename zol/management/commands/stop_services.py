"""Stop the demonstration and the embedded services, whoever uses them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from zol.embedded import lease, locks, presence, processes
from zol.embedded.errors import EmbeddedError


class Command(BaseCommand):
    help = "Stop what `make demo` or any other command started in STATE_DIR."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        state_dir = settings.STATE_DIR
        stopped = []
        demonstration = presence.find(state_dir)
        if demonstration is not None:
            stopped.append("demonstration")
            if not processes.end(demonstration, presence.STOPPING):
                raise CommandError(f"The demonstration ({demonstration.pid}) does not stop.")
        if state_dir.exists():
            stopped += self._stop_services()
        names = ", ".join(stopped)
        self.stdout.write(f"Stopped: {names}." if stopped else "Nothing was running.")

    def _stop_services(self) -> list[str]:
        try:
            with locks.locked(settings.STATE_DIR / "start.lock"):
                return lease.stop_all(settings.STATE_DIR)
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
