"""Static files whose names change with their content, also where one script imports another."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A file may be kept for ever by browsers, and a new release is never mixed with an old one."""

    support_js_module_import_aggregation = True
