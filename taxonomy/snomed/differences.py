"""What a new release changes: in numbers, and for each entity that is stamped with a concept.

Compares the new tables with the present ones just before they take their place.
"""

from __future__ import annotations

from taxonomy.models import SnomedChange, SnomedRelease
from taxonomy.snomed import tables

_CONCEPT, _DESCRIPTION = "taxonomy_snomedconcept", "taxonomy_snomeddescription"
#: Changes that a command shows; the page of the back office shows them all.
SHOWN = 20
#: Terms that a question is compared with.
USED = "sort <> 'd' AND acceptability <> 'n'"

_COUNTS = {
    "concepts added": f"""
        SELECT count(*) FROM {_CONCEPT}_new n WHERE n.is_active
        AND NOT EXISTS (SELECT 1 FROM {_CONCEPT} o WHERE o.id = n.id AND o.is_active)""",
    "concepts retired": f"""
        SELECT count(*) FROM {_CONCEPT} o WHERE o.is_active
        AND NOT EXISTS (SELECT 1 FROM {_CONCEPT}_new n WHERE n.id = o.id AND n.is_active)""",
    "terms added": f"""
        SELECT count(*) FROM {_DESCRIPTION}_new n WHERE NOT EXISTS
        (SELECT 1 FROM {_DESCRIPTION} o WHERE o.id = n.id AND o.term = n.term)""",
    "terms removed": f"""
        SELECT count(*) FROM {_DESCRIPTION} o WHERE NOT EXISTS
        (SELECT 1 FROM {_DESCRIPTION}_new n WHERE n.id = o.id AND n.term = o.term)""",
}
_STAMPED = """
    stamped AS (
        SELECT e.id, e.hospital_id, s.snomed::bigint AS concept FROM taxonomy_entity e JOIN (
            SELECT entity_ptr_id, snomed FROM taxonomy_condition
            UNION ALL SELECT entity_ptr_id, snomed FROM taxonomy_treatment
            UNION ALL SELECT entity_ptr_id, snomed FROM taxonomy_examination
        ) s ON s.entity_ptr_id = e.id AND s.snomed ~ '^[0-9]{6,18}$'
    )"""
_ENTITIES = f"""
    WITH {_STAMPED},
    before AS (
        SELECT DISTINCT s.id, s.hospital_id, s.concept, d.language, d.term
        FROM stamped s JOIN {_DESCRIPTION} d ON d.concept = s.concept WHERE {USED}
    ),
    after AS (
        SELECT DISTINCT s.id, s.hospital_id, s.concept, d.language, d.term
        FROM stamped s JOIN {_DESCRIPTION}_new d ON d.concept = s.concept WHERE {USED}
    ),
    found AS (
        SELECT 'added' AS sort, * FROM (SELECT * FROM after EXCEPT SELECT * FROM before) a
        UNION ALL
        SELECT CASE WHEN EXISTS (
                SELECT 1 FROM taxonomy_alias x WHERE x.entity_id = r.id
                AND x.language = r.language AND lower(x.text) = lower(r.term)
            ) THEN 'alias' ELSE 'removed' END, *
        FROM (SELECT * FROM before EXCEPT SELECT * FROM after) r
        UNION ALL
        SELECT 'retired', s.id, s.hospital_id, s.concept, '', ''
        FROM stamped s JOIN {_CONCEPT} o ON o.id = s.concept AND o.is_active
        WHERE NOT EXISTS (SELECT 1 FROM {_CONCEPT}_new n WHERE n.id = s.concept AND n.is_active)
    )
    INSERT INTO taxonomy_snomedchange
        (sort, entity_id, hospital_id, concept, language, term, release_id)
    SELECT sort, id, hospital_id, concept, language, term, %s FROM found"""


def record(release: SnomedRelease, *, has_former: bool) -> dict[str, int]:
    """Store what changes for every hospital's entities; return it in numbers."""
    if not has_former:
        return {}
    changes = {name: int(tables.rows_of(sql)[0][0]) for name, sql in _COUNTS.items()}
    with tables.owner().cursor() as cursor:
        cursor.execute(_ENTITIES, [release.pk])
    affected = tables.rows_of(
        "SELECT count(DISTINCT entity_id) FROM taxonomy_snomedchange WHERE release_id = %s",
        [release.pk],
    )
    return changes | {"entities affected": int(affected[0][0])}


def sentences(release: SnomedRelease) -> tuple[tuple[str, ...], int]:
    """Return the first changes for entities in words, and how many more there are."""
    rows = SnomedChange.objects.using("owner").filter(release=release.pk)
    shown = rows.select_related("entity", "hospital").order_by("hospital", "pk")[:SHOWN]
    lines = tuple(f"{row.hospital.slug}: {row}" for row in shown)
    return lines, max(0, rows.count() - SHOWN)
