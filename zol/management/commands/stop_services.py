"""`manage.py stop_services`: stop the demonstration and the embedded services."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from zol.devservices import services
from zol.runtime import processes


class Command(BaseCommand):
    help = "Stop the services that `make demo` or another command started in STATE_DIR."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        state_dir = settings.STATE_DIR
        stopped = []
        demonstration = services.find_demonstration(state_dir)
        if demonstration is not None:
            stopped.append("demonstration")
            if not processes.end(demonstration, services.STOPPING):
                raise CommandError(
                    f"The demonstration ({demonstration.pid}) does not stop: end it yourself."
                )
        stopped += services.stop(state_dir)
        names = ", ".join(stopped)
        self.stdout.write(f"Stopped: {names}." if stopped else "Nothing was running.")
