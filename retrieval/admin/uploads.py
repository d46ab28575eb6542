"""Upload of files in the admin: store the bytes, create document rows, start ingestion."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from retrieval import services
from retrieval.ingestion.process import keep_original
from retrieval.models import Document
from retrieval.reading import DOCX, MEDIA_TYPES
from zol.backoffice.base import HospitalForm
from zol.models import Hospital
from zol.text import fold

#: First bytes of accepted files.
MAGIC = {"application/pdf": b"%PDF-", DOCX: b"PK\x03\x04"}
LARGEST = 50 * 1024**2
#: Longest stored file name.
LONGEST = 200


def media_type_of(file: UploadedFile) -> str:
    """Return the media type of a file's extension if its first bytes match; else an empty
    string."""
    media_type = MEDIA_TYPES.get(_ending(file), "")
    file.seek(0)
    start = file.read(8)
    file.seek(0)
    return media_type if start.startswith(MAGIC.get(media_type, b"")) else ""


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """A form field for one or more readable files."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        files = data if isinstance(data, list | tuple) else [data]
        cleaned = [super(FilesField, self).clean(file, initial) for file in files or [None]]
        found = [file for file in cleaned if file]
        for file in found:
            _must_be_readable(file)
        return found


def _must_be_readable(file: UploadedFile) -> None:
    params = {"name": file.name}
    if (file.size or 0) > LARGEST:
        raise forms.ValidationError(
            _("“%(name)s” is larger than 50 MB: split it or make it smaller."), params=params
        )
    if not media_type_of(file):
        raise forms.ValidationError(
            _("“%(name)s” cannot be read: upload HTML, PDF, Word (.docx), Markdown or plain text."),
            params=params,
        )


class UploadForm(HospitalForm):
    """New documents and the files that they are made from."""

    file = FilesField(
        label=_("files"),
        help_text=_(
            "Pages (HTML), brochures (PDF, Word) or texts (Markdown, plain), of at most "
            "50 MB each. Each file becomes a document."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["title"].required = False
        self.fields["title"].help_text = _("If empty, the name of the file is used.")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        files = values.get("file") or []
        if len(files) > 1 and (values.get("title") or values.get("url")):
            raise forms.ValidationError(
                _("With several files, leave title and page empty: change them afterwards.")
            )
        paths = [path_of(file) for file in files]
        for file, path in zip(files, paths, strict=True):
            other = Document.objects.filter(path=path).first()
            if other or paths.count(path) > 1:
                self.add_error("file", _taken(file, path, other))
        return values


class ReplaceForm(HospitalForm):
    """A form for a document whose file may be replaced."""

    file = FilesField(
        label=_("new version of this file"),
        required=False,
        widget=forms.ClearableFileInput,
        help_text=_("Replaces the current file, which stays in use until this one is processed."),
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        for file in values.get("file") or []:
            path = path_of(file, instead_of=self.instance)
            if other := Document.objects.filter(path=path).exclude(pk=self.instance.pk).first():
                self.add_error("file", _taken(file, path, other))
        return values


def _taken(file: UploadedFile, path: str, other: Document | None) -> forms.ValidationError:
    """Return the error for a file whose path another document or file already has."""
    params = {"name": file.name, "path": path, "other": other}
    if other is None:
        text = _("“%(name)s” and another of these files have the same path “%(path)s”: rename one.")
    else:
        text = _(
            "“%(name)s” has the same path “%(path)s” as “%(other)s”: rename this file, or"
            " give that document another one."
        )
    return forms.ValidationError(text, params=params)


def path_of(file: UploadedFile, *, instead_of: Document | None = None) -> str:
    """Return the path of a file; a replacement changes only the extension."""
    if instead_of is None:
        stem = _stem(file)
        # Letters of any script, or else the names of its characters.
        slug = slugify(fold(stem), allow_unicode=True)
        slug = slug or slugify(" ".join(unicodedata.name(sign, "") for sign in stem))
        return f"uploads/{slug[:LONGEST] or 'document'}{_ending(file)}"
    stem, _dot, ending = instead_of.path.rpartition(".")
    is_same = MEDIA_TYPES.get(f".{ending.lower()}") == media_type_of(file)
    return instead_of.path if is_same else f"{stem or instead_of.path}{_ending(file)}"


def _stem(file: UploadedFile) -> str:
    """Return a file name without extension, in composed Unicode (a Mac decomposes)."""
    return unicodedata.normalize("NFC", (file.name or "").rpartition(".")[0])


def _ending(file: UploadedFile) -> str:
    _stem, dot, ending = (file.name or "").lower().rpartition(".")
    return dot + ending


@transaction.atomic
def store_uploads(document: Document, files: Sequence[UploadedFile]) -> list[Document]:
    """Create a document for each file with the fields of `document`, itself the first.

    The caller starts ingestion.
    """
    fields = [field.attname for field in Document._meta.concrete_fields if not field.primary_key]
    values = {name: getattr(document, name) for name in fields}
    rows = [document, *(Document(**values) for _file in files[1:])]
    for row, file in zip(rows, files, strict=True):
        stem = _stem(file).replace("_", " ").strip()
        row.path, row.title = path_of(file), row.title or f"{stem[:1].upper()}{stem[1:]}"[:300]
        _keep(row, file)
        row.save()
    return rows


def replace_file(document: Document, file: UploadedFile) -> None:
    """Replace the file of a document; the caller saves its row and starts ingestion."""
    document.path = path_of(file, instead_of=document)
    _keep(document, file)


def _keep(document: Document, file: UploadedFile) -> None:
    media_type = media_type_of(file)
    document.original = keep_original(document.hospital_id, file.read(), media_type)


def process_again(
    hospital: Hospital, documents: list[Document], *, by: AbstractBaseUser, reason: str
) -> Any:
    """Ingest documents again, even if their bytes have not changed."""
    with transaction.atomic():
        Document.objects.filter(pk__in=[row.pk for row in documents]).update(content_hash="")
        return services.start_run(hospital, documents, by=by, reason=reason)
