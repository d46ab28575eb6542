"""A pass over the pages in search of proposals, for staff to see how far it is."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

#: A pass that has not moved for so long has died with its worker.
SILENCE = timedelta(minutes=5)


class PageReading(models.Model):
    """How far a pass over the pages is, and what it came to."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    total = models.PositiveIntegerField(_("pages"), default=0)
    done = models.PositiveIntegerField(_("read"), default=0)
    made = models.PositiveIntegerField(_("new proposals"), default=0)
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    moved_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("reading of pages")
        verbose_name_plural = _("readings of pages")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"

    @property
    def is_running(self) -> bool:
        return self.finished_at is None and timezone.now() - self.moved_at < SILENCE

    def move(self, done: int) -> None:
        self.done = done
        self.save(update_fields=["done", "moved_at"])

    def finish(self, made: int) -> None:
        self.made, self.finished_at, self.done = made, timezone.now(), self.total
        self.save(update_fields=["made", "done", "finished_at", "moved_at"])
