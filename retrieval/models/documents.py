"""Models of documents, their chunks, and the runs that make these; recovery reads the runs.

The search index lies in narrow tables beside them.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, Value
from django.utils.translation import gettext_lazy as _

from zol.languages import Language


def hospital() -> models.ForeignKey:
    return models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )


class DocumentCategory(models.TextChoices):
    """The categories of pages in a hospital pack."""

    DEPARTMENT = "Department", _("Department")
    DOCTOR = "Doctor", _("Doctor")
    CONTACT = "Contact", _("Contact")
    LOCATION = "Location", _("Location")
    APPOINTMENT = "Appointment", _("Appointment")
    BROCHURE = "Brochure", _("Brochure")
    NEWS = "News", _("News")
    PRACTICAL = "Practical", _("Practical")
    LEGAL = "Legal", _("Legal")
    BILLING = "Billing", _("Billing")
    CONDITION = "Condition", _("Condition")
    TREATMENT = "Treatment", _("Treatment")
    EXAMINATION = "Examination", _("Examination")
    MISCELLANEOUS = "Miscellaneous", _("Miscellaneous")


def original_path(original: Original, filename: str) -> str:
    return f"{original.hospital_id}/originals/{original.sha256[:2]}/{original.sha256}"


class Original(models.Model):
    """The bytes of a page or brochure, stored once by hash."""

    hospital = hospital()
    sha256 = models.CharField(max_length=64)
    media_type = models.CharField(_("media type"), max_length=100)
    size = models.PositiveBigIntegerField(_("size"))
    file = models.FileField(upload_to=original_path, max_length=300)

    class Meta:
        verbose_name = _("original")
        verbose_name_plural = _("originals")
        constraints = [
            models.UniqueConstraint(fields=["hospital", "sha256"], name="original_kept_once")
        ]

    def __str__(self) -> str:
        return self.sha256[:12]


class Origin(models.TextChoices):
    """Where a page's date of writing, or the page it translates, was read."""

    TEXT = "text", _("a line of the page")
    FILE = "file", _("the file itself")
    NAME = "name", _("the name of the file")
    LINKS = "links", _("links between the pages")


class Document(models.Model):
    """A page or brochure. Its path identifies it; equal titles are no duplicates."""

    class Status(models.TextChoices):
        REGISTERED = "registered", _("waiting to be processed")
        READY = "ready", _("searchable")
        EMPTY = "empty", _("no text found")
        FAILED = "failed", _("failed")
        WITHDRAWN = "withdrawn", _("withdrawn")

    hospital = hospital()
    path = models.CharField(_("path"), max_length=300)
    url = models.URLField(_("page"), max_length=500, blank=True)
    title = models.CharField(_("title"), max_length=300)
    category = models.CharField(
        _("category"),
        max_length=20,
        choices=DocumentCategory.choices,
        default=DocumentCategory.MISCELLANEOUS,
    )
    language = models.CharField(
        _("language"), max_length=8, choices=Language.choices, default=Language.NL
    )
    updated_on = models.DateField(
        _("updated on"),
        null=True,
        blank=True,
        help_text=_("If empty, the date is read from the page."),
    )
    updated_from = models.CharField(
        _("source of the date"), max_length=8, choices=Origin.choices, blank=True, db_default="",
        editable=False,
    )  # fmt: skip
    #: The path of the page that it translates.
    translation_of = models.CharField(
        _("translation of"), max_length=300, blank=True, db_default="",
        help_text=_(
            "Path of the page that this page translates: an answer uses only one of the "
            "two. If empty, the links between the pages decide. If this page translates "
            "none, enter its own path."
        ),
    )  # fmt: skip
    translation_from = models.CharField(
        max_length=8, choices=Origin.choices, blank=True, db_default="", editable=False
    )
    #: The addresses of its translations, by language, as the page links to them.
    alternates = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), editable=False
    )
    #: Path of the likely successor until staff decide, and the reason.
    replaced_by = models.CharField(
        _("replaced by"), max_length=300, blank=True, db_default="", editable=False
    )
    replaced_because = models.CharField(
        _("reason"), max_length=500, blank=True, db_default="", editable=False
    )
    #: Paths of pages that staff decided to keep beside it.
    kept_beside = ArrayField(
        models.CharField(max_length=300), default=list, blank=True, editable=False,
        db_default=Value([], ArrayField(models.CharField(max_length=300))),
    )  # fmt: skip
    authority = models.FloatField(
        _("authority"),
        default=1.0,
        help_text=_("From 0.3 to 1.0. A lower number ranks the page lower."),
    )
    url_tier = models.PositiveSmallIntegerField(
        _("tier"),
        default=3,
        help_text=_("1 for the most important kind of page, 3 for the least important."),
    )
    campuses = ArrayField(
        models.CharField(max_length=120), verbose_name=_("campuses"), default=list, blank=True
    )
    original = models.ForeignKey(
        Original, models.PROTECT, null=True, editable=False, verbose_name=_("original")
    )
    #: Hash of the last ingestion: bytes and indexed metadata.
    content_hash = models.CharField(max_length=64, blank=True, editable=False)
    status = models.CharField(
        _("status"), max_length=12, choices=Status.choices, default=Status.REGISTERED
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True, editable=False)
    summary = models.TextField(_("summary"), blank=True)
    summary_edited = models.BooleanField(default=False, editable=False)
    has_instructions = models.BooleanField(
        _("contains instructions to an assistant"), default=False, editable=False
    )
    category_override = models.CharField(
        _("content category"),
        max_length=40,
        blank=True,
        help_text=_(
            "This category replaces the one chosen by keywords, for all chunks of the document."
        ),
    )
    position = models.PositiveIntegerField(default=0, editable=False)
    processed_at = models.DateTimeField(_("processed at"), null=True, editable=False)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ["position", "path"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "path"], name="document_path_once"),
            models.CheckConstraint(
                condition=Q(authority__gte=0.3) & Q(authority__lte=1.0),
                name="authority_within_bounds",
            ),
            models.CheckConstraint(
                condition=Q(url_tier__gte=1) & Q(url_tier__lte=3), name="tier_within_bounds"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Chunk(models.Model):
    """A piece of a document, of a size that can be quoted and embedded."""

    hospital = hospital()
    document = models.ForeignKey(
        Document, models.CASCADE, verbose_name=_("document"), related_name="chunks"
    )
    ordinal = models.PositiveIntegerField(_("place in the document"))
    content = models.TextField(_("text"))
    context = models.TextField(
        _("context"), blank=True, help_text=_("Headings above this text in the document.")
    )
    questions = ArrayField(
        models.CharField(max_length=300),
        verbose_name=_("canonical questions"),
        default=list,
        blank=True,
    )
    section = models.CharField(_("section"), max_length=300, blank=True)
    page = models.PositiveIntegerField(
        _("page number"), default=0, help_text=_("Page of a PDF; 0 for a web page.")
    )
    tokens = models.PositiveIntegerField(_("tokens"), default=0, editable=False)
    category = models.CharField(_("content category"), max_length=40, default="general")
    category_evidence = models.JSONField(default=dict, editable=False)
    #: Its category by the keywords of versions, by their keys (retrieval/subjects.py).
    categories = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), editable=False
    )
    category_fixed = models.BooleanField(
        _("category set by hand"),
        default=False,
        help_text=_("If ticked, keywords no longer change the category."),
    )
    entity_kinds = ArrayField(
        models.CharField(max_length=20),
        verbose_name=_("kinds of entities mentioned"),
        default=list,
        blank=True,
    )
    is_enabled = models.BooleanField(_("searchable"), default=True)
    is_edited = models.BooleanField(_("edited by hand"), default=False, editable=False)
    source_changed = models.BooleanField(
        _("source changed under your edit"), default=False, editable=False
    )
    #: Places of the text's lines (retrieval/fields.py); empty for chunks of 1.1.0.
    fields = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), editable=False
    )
    #: Hash of the text as cut from the source, before edits.
    source_hash = models.CharField(max_length=64, editable=False, blank=True)

    class Meta:
        verbose_name = _("chunk")
        verbose_name_plural = _("chunks")
        ordering = ["document", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "ordinal"],
                name="chunk_place_once",
                deferrable=models.Deferrable.DEFERRED,
            )
        ]

    def __str__(self) -> str:
        return f"{self.document} · {self.ordinal + 1}"


class CorpusState(models.Model):
    """The embedding of a hospital's index, and the revision of its corpus."""

    hospital = models.OneToOneField("zol.Hospital", models.CASCADE, related_name="+")
    revision = models.PositiveBigIntegerField(default=0)
    provider = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=100, blank=True)
    dimensions = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("index")
        verbose_name_plural = _("indexes")

    def __str__(self) -> str:
        return f"{self.provider} {self.model} {self.dimensions} · {self.revision}"


class IngestionRun(models.Model):
    """A run over a set of documents; can be stopped, resumed and repeated."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        STOPPED = "stopped", _("stopped")
        FINISHED = "finished", _("finished")

    hospital = hospital()
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.RUNNING
    )
    reason = models.CharField(_("trigger"), max_length=200, blank=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("started"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("ingestion run")
        verbose_name_plural = _("ingestion runs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"#{self.pk}"


class IngestionItem(models.Model):
    """One document of a run."""

    class State(models.TextChoices):
        DISCOVERED = "discovered", _("waiting")
        PROCESSING = "processing", _("being processed")
        PROCESSED = "processed", _("processed")
        UNCHANGED = "unchanged", _("unchanged")
        EMPTY = "empty", _("no text found")
        FAILED = "failed", _("failed, will be tried again")
        DEAD = "dead", _("failed for good")

    hospital = hospital()
    run = models.ForeignKey(IngestionRun, models.CASCADE, related_name="items")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.DISCOVERED
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("document of a run")
        verbose_name_plural = _("documents of a run")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "document"], name="document_once_in_a_run")
        ]

    def __str__(self) -> str:
        return f"{self.document} · {self.state}"
