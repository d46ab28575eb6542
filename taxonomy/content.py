"""All that a version holds, as plain values: what is frozen, compared, replayed and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Ref(NamedTuple):
    """What names an entity within a hospital."""

    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class EntityContent:
    ref: Ref
    name: str
    position: int = 0
    #: Its fields by name, and `aliases`: a list of text, language and kind.
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelationContent:
    predicate: str
    subject: Ref
    object: Ref
    position: int = 0


@dataclass(frozen=True, slots=True)
class Content:
    """The draft or a version. The order of everything counts: it is the order of answers."""

    entities: tuple[EntityContent, ...] = ()
    relations: tuple[RelationContent, ...] = ()
    #: Rows of every other set by its name, such as "chat.fixedtext".
    rows: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)

    def fingerprint(self) -> str:
        """Return a digest that two contents share only when they are the same."""
        return _digest_of(self._parts())

    def digests(self) -> dict[str, str]:
        """Return a digest of each set of rows: equal sets are read, and held, once."""
        return {name: _digest_of(["row", name, dict(row)] for row in self.rows[name])
                for name in self.rows}  # fmt: skip

    def dangling(self) -> tuple[RelationContent, ...]:
        """Return the relations that point to something that is not in here."""
        known = {entity.ref for entity in self.entities}
        return tuple(
            relation
            for relation in self.relations
            if relation.subject not in known or relation.object not in known
        )

    def _parts(self) -> Iterator[list[Any]]:
        for entity in self.entities:
            yield ["entity", *entity.ref, entity.name, entity.position, dict(entity.data)]
        for relation in self.relations:
            ends = (*relation.subject, *relation.object)
            yield ["relation", relation.predicate, *ends, relation.position]
        for row_set in sorted(self.rows):
            for row in self.rows[row_set]:
                yield ["row", row_set, dict(row)]


def _digest_of(parts: Iterable[list[Any]]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(json.dumps(part, sort_keys=True, ensure_ascii=False).encode())
        digest.update(b"\n")
    return digest.hexdigest()
