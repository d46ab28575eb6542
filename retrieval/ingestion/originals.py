"""The bytes of pages as they came in, kept once by their hash behind Django's storage."""

from __future__ import annotations

import hashlib

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from retrieval.models import Original
from retrieval.models.documents import original_path


def keep_original(
    hospital_id: int, data: bytes, media_type: str, *, write: bool = True
) -> Original:
    """Return the original with these bytes, which are written unless they are there already."""
    sha256 = hashlib.sha256(data).hexdigest()
    original, _ = Original.objects.get_or_create(
        hospital_id=hospital_id,
        sha256=sha256,
        defaults={"media_type": media_type, "size": len(data)},
    )
    path = original_path(original, "")
    if write and not _is_kept(path, len(data)):
        default_storage.delete(path)
        default_storage.save(path, ContentFile(data))
    if original.file.name != path:
        original.file.name = path
        original.save(update_fields=["file"])
    return original


def _is_kept(path: str, size: int) -> bool:
    """Say whether a file stands there whole; one cut short by a crash is written again."""
    return default_storage.exists(path) and default_storage.size(path) == size
