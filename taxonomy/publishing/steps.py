"""Table of the steps of a release, from which the page makes buttons and the API endpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from taxonomy.models import Release
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing import approval, going_live
from zol.access.roles import APPROVE, PUBLISH


@dataclass(frozen=True, slots=True)
class StepInput:
    """Input of a step."""

    by: Any
    text: str = ""
    at: datetime | None = None
    #: Number of the version that the user reviewed.
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class ReleaseStep:
    name: str
    title: Any
    help: Any
    #: Message after the step.
    done: Any
    permission: str
    states: tuple[ReleaseState, ...]
    take: Callable[[Release, StepInput], Any]
    #: Label of the text field (empty: no field), and whether it is required.
    text: Any = ""
    needs_text: bool = False
    asks_when: bool = False
    #: Whether the impact preview must have finished.
    needs_preview: bool = False
    #: Whether a worker runs it, because it may take longer than a request should.
    is_long: bool = False
    #: Further condition.
    when: Callable[[Release, Any], bool] = lambda release, user: True

    def is_possible(self, release: Release, user: Any) -> bool:
        """Return whether a user may take it now; taking it checks four eyes."""
        if (self.needs_preview and not release.is_previewed) or not self.when(release, user):
            return False
        return release.state in self.states and user.has_perm(self.permission)

    def asks_why(self, release: Release) -> bool:
        """Return whether a reason is required because golden questions break."""
        return bool(self.needs_preview and release.broken and not release.broken_reason)


STEPS: dict[str, ReleaseStep] = {
    step.name: step
    for step in (
        ReleaseStep(
            "submit",
            _("Submit for approval"),
            _("The draft is frozen as it is now, and a colleague gets an e-mail."),
            _("Submitted. The colleagues who can approve it get an e-mail."),
            approval.EDIT,
            (ReleaseState.DRAFT,),
            lambda release, data: approval.submit(release, by=data.by),
            is_long=True,
        ),
        ReleaseStep(
            "approve",
            _("Approve"),
            _("What is shown here, and nothing else, may then go live."),
            _("Approved. It can be published now or later."),
            APPROVE,
            (ReleaseState.IN_REVIEW,),
            lambda release, data: approval.approve(
                release, by=data.by, seen=data.seen, comment=data.text
            ),
            text=_("Remark (may be empty)"),
            needs_preview=True,
        ),
        ReleaseStep(
            "publish",
            _("Publish for patients now"),
            _("Patients get answers from this version within a second. You can always go back."),
            _("Live: patients now get answers from this version."),
            PUBLISH,
            (ReleaseState.APPROVED, ReleaseState.SCHEDULED),
            lambda release, data: going_live.publish_release(release, by=data.by, reason=data.text),
            is_long=True,
            needs_preview=True,
        ),
        ReleaseStep(
            "schedule",
            _("Publish later"),
            _("The release goes live by itself at that moment."),
            _("Scheduled: it goes live by itself."),
            PUBLISH,
            (ReleaseState.APPROVED,),
            lambda release, data: going_live.schedule(
                release, by=data.by, at=data.at, reason=data.text
            ),
            asks_when=True,
            needs_preview=True,
        ),
        ReleaseStep(
            "review",
            _("I have reviewed it"),
            _(
                "This removes the red mark. If the release is wrong, go back to the "
                "previous version."
            ),
            _("Thank you: the red mark is gone."),
            APPROVE,
            (ReleaseState.PUBLISHED, ReleaseState.SUPERSEDED),
            lambda release, data: going_live.review(release, by=data.by, remark=data.text),
            text=_("What did you check and find?"),
            needs_text=True,
            when=lambda release, user: (
                release.is_unreviewed and user.pk not in (*release.authors, release.urgent_by_id)
            ),
        ),
        ReleaseStep(
            "unschedule",
            _("Cancel the schedule"),
            _("The release stays approved."),
            _("The schedule is cancelled; the release stays approved."),
            PUBLISH,
            (ReleaseState.SCHEDULED,),
            lambda release, data: going_live.unschedule(release, by=data.by, why=data.text),
        ),
        ReleaseStep(
            "reject",
            _("Reject"),
            _("The author gets your reason by e-mail and can work on."),
            _("Rejected. The author gets your reason by e-mail."),
            APPROVE,
            (ReleaseState.IN_REVIEW, ReleaseState.APPROVED, ReleaseState.SCHEDULED),
            lambda release, data: approval.reject(release, by=data.by, reason=data.text),
            text=_("Reason"),
            needs_text=True,
        ),
        ReleaseStep(
            "take_back",
            _("Take back to draft"),
            _("To change something: take it back, edit, and submit it again."),
            _("The release is a draft again."),
            approval.EDIT,
            approval.RETURNABLE,
            lambda release, data: approval.take_back(release, by=data.by, why=data.text),
        ),
        # Near the end: buttons follow this order, and the first is clicked by mistake.
        ReleaseStep(
            "urgent",
            _("Publish urgently, without a colleague"),
            _(
                "Only for what cannot wait. The release stays marked red until a "
                "colleague has reviewed it, which must be done by tomorrow. Its preview "
                "is made in the meantime."
            ),
            _("Live. Your colleagues have been asked to review it by tomorrow."),
            PUBLISH,
            (ReleaseState.IN_REVIEW,),
            lambda release, data: going_live.publish_urgently(
                release, by=data.by, reason=data.text
            ),
            is_long=True,
            text=_("Why can it not wait?"),
            needs_text=True,
        ),
        ReleaseStep(
            "comment",
            _("Add the comment"),
            "",
            _("Your comment was added."),
            approval.VIEW,
            tuple(ReleaseState),
            lambda release, data: approval.comment(release, by=data.by, text=data.text),
            text=_("Comment"),
            needs_text=True,
        ),
    )
}

#: Next action in each state.
NEXT: dict[str, Any] = {
    ReleaseState.DRAFT: _("submit it, when the draft is ready"),
    ReleaseState.IN_REVIEW: _("a colleague approves or rejects it"),
    ReleaseState.APPROVED: _("publish it, now or later"),
    ReleaseState.SCHEDULED: _("goes live by itself"),
    ReleaseState.PUBLISHED: _("patients get answers from it"),
    ReleaseState.SUPERSEDED: _("can be activated again"),
    ReleaseState.REJECTED: _("correct the draft (your edits are kept), then take the release back"),
}
