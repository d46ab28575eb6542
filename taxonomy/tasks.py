"""Celery tasks: scheduled publications, long steps, and the listener of each worker process."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_process_init
from django.contrib import messages
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from taxonomy.models import Release, Version
from taxonomy.publishing import approval, going_live
from taxonomy.publishing.defaults import update_defaults
from taxonomy.publishing.steps import STEPS, StepInput
from taxonomy.publishing.versions import listen
from zol.backoffice.work import Work, outcome
from zol.backoffice.work import WorkOutcome as Outcome
from zol.models import Hospital
from zol.runtime.progress import report
from zol.tenancy import serving


@shared_task
def publish_due() -> None:
    """Publish every release that is due. Safe to run twice: each is published once."""
    for hospital_id in Hospital.objects.order_by("pk").values_list("pk", flat=True):
        with serving(hospital_id):
            going_live.publish_due()


@shared_task(base=Work)
def take_step(user: Any, pk: int, name: str, given: dict[str, Any], done: str) -> Outcome:
    """Take a step of a release, for a page that shows its progress."""
    step = STEPS[name]
    step.take(Release.objects.get(pk=pk), StepInput(by=user, **given))
    return outcome(done, _page_of(pk))


@shared_task(base=Work)
def send_draft(user: Any, title: str) -> Outcome:
    """Open a release of the draft and submit it, in one transaction."""
    with transaction.atomic():
        release = approval.submit(approval.open_release(by=user, title=title), by=user)
    return outcome(_("Submitted. The colleagues who can approve it have been told."),
                _page_of(release.pk))  # fmt: skip


@shared_task(base=Work)
def go_back(user: Any, pk: int, why: str) -> Outcome:
    """Make an earlier version live again."""
    version = going_live.activate(Version.objects.get(pk=pk), by=user, why=why)
    text = _("Version %d is live: patients now get answers from it.") % version.number
    return outcome(text, reverse("admin:taxonomy_version_changelist"))


@shared_task(base=Work)
def take_newer_defaults(user: Any) -> Outcome:
    """Apply the newer default rows that the user may apply, and open a release for them."""
    report(_("Comparing the product's rows with yours"))
    release = update_defaults(by=user)
    if release is None:
        text = _("There are no newer default rows: nothing was changed.")
        return outcome(text, reverse("admin:taxonomy_release_changelist"), messages.INFO)
    text = _("They are in the draft. Look at this release, then submit it.")
    return outcome(text, _page_of(release.pk))


def _page_of(pk: int) -> str:
    return reverse("admin:taxonomy_release_change", args=[pk])


@worker_process_init.connect
def listen_for_publications(**kwargs: Any) -> None:
    """Listen in every worker process, as each has its own snapshots."""
    listen()
