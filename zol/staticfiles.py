"""Storage of static files, with content hashes in names and in imports of scripts."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage with hashed names, so that browsers can cache files for ever."""

    support_js_module_import_aggregation = True
