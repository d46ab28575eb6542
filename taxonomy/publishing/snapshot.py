"""All that a published version says, as plain values: what every answer is given from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Generic, TypeVar

from taxonomy.vocabulary import Terminology, Vocabulary

T = TypeVar("T")
Made = TypeVar("Made")
Rows = tuple[Mapping[str, Any], ...]


def digest_of_rows(name: str, rows: Rows) -> str:
    """Return a digest that two sets of rows share only when they are the same."""
    return digest_of(["row", name, dict(row)] for row in rows)


def digest_of(parts: Iterable[list[Any]]) -> str:
    """Return a digest of parts, in their order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(json.dumps(part, sort_keys=True, ensure_ascii=False).encode())
        digest.update(b"\n")
    return digest.hexdigest()


class SharedValue(Generic[T, Made]):
    """Cache of the last value built, reused for an equal key.

    Most versions differ in a few rows, and hospitals share the rows that they began with.
    """

    def __init__(self, make: Callable[[T], Made], *, most: int = 4) -> None:
        self._make, self._most = make, most
        self._known: tuple[tuple[T, Made], ...] = ()

    def of(self, source: T) -> Made:
        for known, made in self._known:
            if known is source or known == source:
                return made
        made = self._make(source)
        # Replaced as a whole: two threads may make the same, neither sees a half.
        self._known = ((source, made), *self._known)[: self._most]
        return made


class DerivedValues(dict[Any, Any]):
    """Values derived from a snapshot, by the function that derives them.

    Who comes while it is being made waits for it: the first visitors of a process would otherwise
    all make the same (twenty at once took 1.5 GB, one takes 0.5).
    """

    def __init__(self) -> None:
        super().__init__()
        #: Held by one thread, which may make what it needs for what it makes.
        self.making = RLock()


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile of a hospital as published."""

    slug: str = ""
    name: str = ""
    short_name: str = ""
    default_language: str = "nl"
    languages: tuple[str, ...] = ()
    phone: str = ""
    #: When somebody answers it, as the hours of a department.
    phone_hours: str = ""
    emergency_phone: str = ""
    helpdesk_phone: str = ""
    out_of_hours_phone: str = ""
    country: str = ""
    website: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One published version of one hospital. Never changes; a publish makes another."""

    hospital_id: int
    version: int
    profile: Profile = Profile()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    #: Rows of every other set by its name, such as "chat.fixedtext".
    rows: Mapping[str, Rows] = field(default_factory=dict)
    #: A digest of each of these sets, where it is known: equal sets are one in memory.
    digests: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    #: What the reference terminology that is loaded knows of the vocabulary's things.
    terminology: Terminology = field(default_factory=Terminology)
    #: The number of the release that this is of; 0 for none.
    snomed: int = 0
    _derived: DerivedValues = field(default_factory=DerivedValues, compare=False, repr=False)

    def rows_of(self, row_set: str) -> Rows:
        return self.rows.get(row_set, ())

    def derived(self, build: Callable[[Snapshot], T]) -> T:
        """Return what a reader makes of this snapshot, made once and kept with it."""
        if build not in self._derived:
            with self._derived.making:
                if build not in self._derived:
                    self._derived[build] = build(self)
        made: T = self._derived[build]
        return made

    def derive_like(self, other: Snapshot) -> None:
        """Derive now what readers have derived from another version, so that none waits for it."""
        for build in list(other._derived):
            self.derived(build)
