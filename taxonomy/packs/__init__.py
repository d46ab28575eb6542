"""Tables of a hospital, read and written: packs in a folder, and spreadsheets of the back office.

A sheet says what the rows of one table mean; each app registers its own. `folder` reads, loads
and writes a pack, `imports` takes over one table with a preview.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

#: What returns the sheets of each app, and its fields of hospital.yaml, in the order of loading.
registered: list[Callable[[], Iterable[Any]]] = []
more_of_profile: list[Callable[[], Iterable[Any]]] = []
