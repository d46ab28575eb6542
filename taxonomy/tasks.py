"""Tasks: scheduled publications, long steps, and each worker's listener for new versions."""

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
from zol.backoffice.work import Work, said
from zol.backoffice.work import WorkOutcome as Outcome
from zol.models import Hospital
from zol.runtime.progress import tell
from zol.tenancy import serving


@shared_task
def publish_due() -> None:
    """Publish every release whose time has come. Twice does no harm: each is published once."""
    for hospital_id in Hospital.objects.order_by("pk").values_list("pk", flat=True):
        with serving(hospital_id):
            going_live.publish_due()


@shared_task(base=Work)
def take_step(user: Any, pk: int, name: str, given: dict[str, Any], done: str) -> Outcome:
    """Take a step of a release, for a page that follows it."""
    step = STEPS[name]
    step.take(Release.objects.get(pk=pk), StepInput(by=user, **given))
    return said(done, _page_of(pk))


@shared_task(base=Work)
def send_draft(user: Any, title: str) -> Outcome:
    """Open a release of the draft and submit it, all or nothing."""
    with transaction.atomic():
        release = approval.submit(approval.open_release(by=user, title=title), by=user)
    return said(_("Submitted. The colleagues who can approve it have been told."),
                _page_of(release.pk))  # fmt: skip


@shared_task(base=Work)
def go_back(user: Any, pk: int, why: str) -> Outcome:
    """Answer patients from an earlier version again."""
    version = going_live.activate(Version.objects.get(pk=pk), by=user, why=why)
    text = _("Version %d is live: patients now get answers from it.") % version.number
    return said(text, reverse("admin:taxonomy_version_changelist"))


@shared_task(base=Work)
def take_newer_defaults(user: Any) -> Outcome:
    """Take the newer default rows that somebody may take, and open a release for them."""
    tell(_("Comparing the product's rows with yours"))
    release = update_defaults(by=user)
    if release is None:
        text = _("There are no newer default rows: nothing was changed.")
        return said(text, reverse("admin:taxonomy_release_changelist"), messages.INFO)
    text = _("They are in the draft. Look at this release, then submit it.")
    return said(text, _page_of(release.pk))


def _page_of(pk: int) -> str:
    return reverse("admin:taxonomy_release_change", args=[pk])


@worker_process_init.connect
def listen_for_publications(**kwargs: Any) -> None:
    """Every process of a worker has versions in memory of its own."""
    listen()
