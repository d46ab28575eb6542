"""Releases on their way from draft to patients, and the immutable versions that they make."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from zol.records.audit import account


class Version(models.Model):
    """An immutable copy of everything that a release carries; any version can go live again."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(_("number"))
    note = models.CharField(_("what changed"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("published at"), auto_now_add=True)
    created_by = account(_("published by"))

    #: Digest of the content, and the last edit of the draft in it.
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)
    #: Digest of each row set, by name (`RowSet`).
    digests = models.JSONField(default=dict, editable=False)
    last_edit = models.BigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("published version")
        verbose_name_plural = _("published versions")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "number"], name="version_number_once")
        ]

    def __str__(self) -> str:
        return f"v{self.number}"


class LivePointer(models.Model):
    """The version that patients of a hospital are answered from."""

    hospital = models.OneToOneField("zol.Hospital", models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.PROTECT, related_name="+")
    activated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return str(self.version)


class PublishedEntity(models.Model):
    """An entity as it was published; `data` holds its fields and aliases as plain values."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.CASCADE, related_name="entities")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=200)
    data = models.JSONField()
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("published entity")
        verbose_name_plural = _("published entities")
        ordering = ["kind", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["version", "kind", "key"], name="published_entity_once")
        ]

    def __str__(self) -> str:
        return self.name


class PublishedRelation(models.Model):
    """A relation as it was published; both ends are published entities of the same version."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    version = models.ForeignKey(Version, models.CASCADE, related_name="relations")
    predicate = models.CharField(max_length=20)
    subject = models.ForeignKey(PublishedEntity, models.CASCADE, related_name="+")
    object = models.ForeignKey(PublishedEntity, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("published relation")
        verbose_name_plural = _("published relations")
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id}"


class RowSet(models.Model):
    """One state of a row set, in order, shared by all versions that have the same rows.

    Unchanged sets of default rows have no hospital: all hospitals share the one copy.
    """

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, null=True, related_name="+")
    row_set = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    rows = models.JSONField()

    class Meta:
        verbose_name = _("published row set")
        verbose_name_plural = _("published row sets")
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "row_set", "digest"], name="row_set_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return self.row_set


class ReleaseState(models.TextChoices):
    DRAFT = "draft", _("draft")
    IN_REVIEW = "in_review", _("in review")
    APPROVED = "approved", _("approved")
    SCHEDULED = "scheduled", _("scheduled")
    PUBLISHED = "published", _("live")
    SUPERSEDED = "superseded", _("previously live")
    REJECTED = "rejected", _("rejected")


#: States of a release that is frozen and not live yet.
WAITING = (ReleaseState.IN_REVIEW, ReleaseState.APPROVED, ReleaseState.SCHEDULED)


class ReleaseOrigin(models.TextChoices):
    RELEASE = "release", _("release")
    #: Published by `load_hospital --publish`, when nothing was live yet.
    FIRST = "first", _("first version")
    #: Published before releases existed.
    EARLIER = "earlier", _("from before releases existed")


#: States that follow approval.
AFTER_APPROVAL = (
    ReleaseState.APPROVED,
    ReleaseState.SCHEDULED,
    ReleaseState.PUBLISHED,
    ReleaseState.SUPERSEDED,
)


class Release(models.Model):
    """Changes that go live together, and who took which step."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+", editable=False)
    title = models.CharField(
        _("title"), max_length=120, help_text=_("A few words: “New doctors of November”.")
    )
    note = models.TextField(
        _("what changes, and why"),
        blank=True,
        help_text=_(
            "For the colleague who approves this release, and for anyone who looks back later."
        ),
    )
    state = models.CharField(
        _("state"), max_length=12, choices=ReleaseState.choices, default=ReleaseState.DRAFT
    )
    origin = models.CharField(
        max_length=10, choices=ReleaseOrigin.choices, default=ReleaseOrigin.RELEASE, editable=False
    )
    created_at = models.DateTimeField(_("opened at"), auto_now_add=True)
    created_by = account(_("opened by"), models.PROTECT, blank=True)
    submitted_at = models.DateTimeField(_("submitted at"), null=True, blank=True)
    submitted_by = account(_("submitted by"), models.PROTECT, blank=True)
    #: The frozen content, and what was live when it was frozen.
    version = models.OneToOneField(
        Version, models.PROTECT, null=True, blank=True, related_name="release"
    )
    base = models.ForeignKey(Version, models.PROTECT, null=True, blank=True, related_name="+")
    #: Users who opened, submitted or edited it or any of its content: none of them may approve it.
    authors = ArrayField(models.BigIntegerField(), default=list, blank=True, editable=False)
    approved_at = models.DateTimeField(_("approved at"), null=True, blank=True)
    approved_by = account(_("approved by"), models.PROTECT, blank=True)
    reason = models.TextField(_("reason of the rejection"), blank=True)
    goes_live_at = models.DateTimeField(_("goes live at"), null=True, blank=True)
    scheduled_by = account(_("scheduled by"), models.PROTECT, blank=True)
    published_at = models.DateTimeField(_("went live at"), null=True, blank=True)
    published_by = account(_("published by"), models.PROTECT, blank=True)
    #: Result of the impact preview; null until this content has been previewed.
    preview = models.JSONField(null=True, blank=True, editable=False)
    previewed_at = models.DateTimeField(_("preview made at"), null=True, blank=True)
    broken = models.PositiveIntegerField(
        _("golden questions that would fail"), null=True, blank=True
    )
    broken_reason = models.TextField(_("why it is published nevertheless"), blank=True)
    broken_by = account(_("name of the person who gave this reason"), models.PROTECT, blank=True)
    #: Who published it without approval and preview, and who reviewed it afterwards.
    urgent_by = account(_("published urgently by"), models.PROTECT, blank=True)
    urgent_reason = models.TextField(_("why it could not wait"), blank=True)
    reviewed_by = account(_("reviewed afterwards by"), models.PROTECT, blank=True)
    reviewed_at = models.DateTimeField(_("reviewed afterwards"), null=True, blank=True)

    class Meta:
        verbose_name = _("release")
        verbose_name_plural = _("releases")
        ordering = ["-pk"]
        permissions = [
            ("approve", _("Can approve or reject a release")),
            ("publish", _("Can publish an approved release or activate an earlier version")),
        ]
        constraints = [
            models.CheckConstraint(
                name="release_approved_by_another",
                condition=Q(approved_by=None) | ~Q(authors__contains=[F("approved_by_id")]),
            ),
            models.CheckConstraint(
                name="release_submitter_is_author",
                condition=Q(submitted_by=None) | Q(authors__contains=[F("submitted_by_id")]),
            ),
            models.CheckConstraint(
                name="release_live_only_approved",
                condition=~Q(origin="release", state__in=AFTER_APPROVAL)
                | Q(approved_by__isnull=False, submitted_by__isnull=False)
                | Q(urgent_by__isnull=False, submitted_by__isnull=False),
            ),
            models.CheckConstraint(
                name="release_urgent_with_a_reason",
                condition=Q(urgent_by=None)
                | (
                    ~Q(urgent_reason="")
                    & Q(state__in=(ReleaseState.PUBLISHED, ReleaseState.SUPERSEDED))
                ),
            ),
            models.CheckConstraint(
                name="release_reviewed_by_another",
                condition=Q(reviewed_by=None)
                | Q(urgent_by__isnull=False)
                & ~Q(authors__contains=[F("reviewed_by_id")])
                & ~Q(urgent_by=F("reviewed_by")),
            ),
            models.CheckConstraint(
                name="release_frozen_after_draft",
                condition=Q(state="draft") | Q(version__isnull=False),
            ),
            models.CheckConstraint(
                name="release_breaks_with_a_reason",
                condition=~Q(state="published", broken__gt=0)
                | (~Q(broken_reason="") & Q(broken_by__isnull=False))
                | Q(urgent_by__isnull=False),
            ),
            models.CheckConstraint(
                name="release_reason_by_another",
                condition=Q(broken_by=None) | ~Q(authors__contains=[F("broken_by_id")]),
            ),
            models.CheckConstraint(
                name="release_scheduled_for_a_time",
                condition=~Q(state="scheduled")
                | Q(goes_live_at__isnull=False, scheduled_by__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["hospital"], condition=Q(state="published"), name="release_one_is_live"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} · {self.title}"

    @property
    def is_frozen(self) -> bool:
        return self.state != ReleaseState.DRAFT

    @property
    def is_previewed(self) -> bool:
        """Whether the impact preview of its frozen content has finished."""
        return self.previewed_at is not None and self.broken is not None

    @property
    def is_unreviewed(self) -> bool:
        """Whether it was published urgently and not reviewed yet."""
        return self.urgent_by_id is not None and self.reviewed_by_id is None


class ReleaseComment(models.Model):
    """A comment on a release. Never changed."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    release = models.ForeignKey(Release, models.CASCADE, related_name="comments")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    text = models.TextField(_("comment"))

    class Meta:
        verbose_name = _("comment")
        verbose_name_plural = _("comments")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text[:60]
