"""A new page from the admin: its bytes are kept, its row is made, and ingestion is started."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from retrieval import services
from retrieval.ingestion.originals import keep_original
from retrieval.ingestion.read import DOCX
from retrieval.models import Document
from zol.admin_pages.base import HospitalForm
from zol.models import Hospital

#: What may be uploaded, by the ending of its name, and how its first bytes look.
MEDIA_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".docx": DOCX,
}
MAGIC = {"application/pdf": b"%PDF-", DOCX: b"PK\x03\x04"}
LARGEST = 50 * 1024**2


def media_type_of(file: UploadedFile) -> str:
    """Return the media type that a file's name says, if its bytes agree; else nothing."""
    _stem, dot, ending = (file.name or "").lower().rpartition(".")
    media_type = MEDIA_TYPES.get(dot + ending, "")
    start = file.read(8)
    file.seek(0)
    return media_type if start.startswith(MAGIC.get(media_type, b"")) else ""


class UploadForm(HospitalForm):
    """A document and the file that it is made from."""

    file = forms.FileField(
        label=_("file"),
        help_text=_("A page (HTML), a brochure (PDF, Word) or a plain text, of at most 50 MB."),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            raise forms.ValidationError(_("This file is larger than 50 MB."))
        if not media_type_of(file):
            raise forms.ValidationError(_("This is not a page, brochure or text that can be read."))
        return file

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if file := values.get("file"):
            self.instance.path = f"uploads/{_safe_name(file.name)}"
        return values


def _safe_name(name: str) -> str:
    stem, _dot, ending = name.rpartition(".")
    return f"{slugify(stem) or 'document'}.{ending.lower()}"


@transaction.atomic
def store_upload(document: Document, file: UploadedFile) -> None:
    """Keep the file and make the document's row; ingestion is the caller's to start."""
    document.original = keep_original(document.hospital_id, file.read(), media_type_of(file))
    document.save()


def process_again(
    hospital: Hospital, documents: list[Document], *, by: AbstractBaseUser, reason: str
) -> Any:
    """Ingest documents although their bytes are the same as last time."""
    with transaction.atomic():
        Document.objects.filter(pk__in=[row.pk for row in documents]).update(content_hash="")
        return services.start_run(hospital, documents, by=by, reason=reason)
