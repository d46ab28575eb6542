"""What a version, or any content, says: as the snapshot that answers are given from."""

from __future__ import annotations

from operator import attrgetter

from taxonomy.content import FORMER_KEYS, PROFILE_FIELDS, Content, EntityContent, content_of
from taxonomy.kinds import AliasKind, Kind, Predicate
from taxonomy.models import Version
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.snomed.linking import current_release_id, terminology_of
from taxonomy.vocabulary import Fact, Spelling, Thing, Vocabulary
from zol.models import Hospital


def load_snapshot(version: Version) -> Snapshot:
    """Return a version, live or not, as plain values."""
    return snapshot_of(content_of(version), version.hospital, version.number)


def snapshot_of(
    content: Content, hospital: Hospital, number: int, *, snomed: int | None = None
) -> Snapshot:
    """Return what answers would be given from, if this content were live.

    It is read with a SNOMED CT release (0 for none), the one in use when none is named.
    """
    things = {entity.ref: _thing(entity) for entity in content.entities}
    ordered = sorted(content.entities, key=attrgetter("position"))
    facts = sorted(content.relations, key=attrgetter("position"))
    known = (Fact(things[f.subject], Predicate(f.predicate), things[f.object]) for f in facts)
    vocabulary = Vocabulary((things[entity.ref] for entity in ordered), known)
    profile = _published_profile(content, hospital)
    release = current_release_id() if snomed is None else snomed
    return Snapshot(
        hospital_id=hospital.pk,
        version=number,
        profile=profile,
        vocabulary=vocabulary,
        rows=content.rows,
        terminology=terminology_of(vocabulary, profile.default_language, release),
        snomed=release,
    )


def profile_of(hospital: Hospital) -> Profile:
    """Return what the hospital says of itself at this moment, published or not."""
    values = {name: getattr(hospital, name) for name in Profile.__dataclass_fields__}
    return Profile(**values | {"languages": tuple(hospital.languages)})


def _published_profile(content: Content, hospital: Hospital) -> Profile:
    """Return the profile that was published; versions from before it was have the present one."""
    for entity in content.entities:
        if entity.ref.kind == Kind.HOSPITAL:
            said = {name: entity.data[name] for name in PROFILE_FIELDS if name in entity.data}
            said["languages"] = tuple(said.get("languages", ()))
            website = entity.data.get("url", "")
            return Profile(slug=hospital.slug, name=entity.name, website=website, **said)
    return profile_of(hospital)


def _thing(entity: EntityContent) -> Thing:
    data = dict(entity.data)
    aliases = tuple(
        Spelling(alias["text"], alias["language"], AliasKind(alias["kind"]))
        for alias in data.pop("aliases", ())
    )
    url, former = data.pop("url", ""), tuple(data.pop(FORMER_KEYS, ()))
    return Thing(Kind(entity.ref.kind), entity.ref.key, entity.name, url, aliases, data, former)
