"""Snapshot of a published version as plain values: the data behind every answer."""

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
    """Return the digest of a row set."""
    return digest_of(["row", name, dict(row)] for row in rows)


def digest_of(parts: Iterable[list[Any]]) -> str:
    """Return a digest of parts, in their order."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(json.dumps(part, sort_keys=True, ensure_ascii=False).encode())
        digest.update(b"\n")
    return digest.hexdigest()


class SharedValue(Generic[T, Made]):
    """Cache of the last few values built, reused for an equal source.

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

    Threads that ask for a value that is being built wait for it: else the first visitors of a
    process would each build the same (twenty at once took 1.5 GB, one takes 0.5).
    """

    def __init__(self) -> None:
        super().__init__()
        #: Reentrant: building one value may need another.
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
    #: Hours in which the telephone is answered, in the form of a department's hours.
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
    #: Digest of each row set, where known: equal sets share memory.
    digests: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    #: SNOMED CT terms of the vocabulary's entities.
    terminology: Terminology = field(default_factory=Terminology)
    #: SNOMED CT release of these terms; 0 for none.
    snomed: int = 0
    _derived: DerivedValues = field(default_factory=DerivedValues, compare=False, repr=False)

    def rows_of(self, row_set: str) -> Rows:
        return self.rows.get(row_set, ())

    def derived(self, build: Callable[[Snapshot], T]) -> T:
        """Return what `build` derives from this snapshot; it is built once and cached."""
        if build not in self._derived:
            with self._derived.making:
                if build not in self._derived:
                    self._derived[build] = build(self)
        made: T = self._derived[build]
        return made

    def derive_like(self, other: Snapshot) -> None:
        """Derive now every value that was derived from another version, so that no reader waits."""
        for build in list(other._derived):
            self.derived(build)
