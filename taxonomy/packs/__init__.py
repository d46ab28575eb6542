"""Import and export of a hospital's tables: packs (folders) and spreadsheets of the back office.

A sheet defines the rows of one table; each app registers its own. `folder` reads, loads and writes
packs; `imports` applies a single table, with a preview.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

#: Functions that return the sheets of an app, and its fields of hospital.yaml, in loading order.
registered: list[Callable[[], Iterable[Any]]] = []
more_of_profile: list[Callable[[], Iterable[Any]]] = []
