"""What intents are learned from: a version without all that has no say in it.

Learning takes seconds and sees nothing but this, so that equal lessons always teach the same: who
edits a telephone number, a page or a doctor has nothing learned anew.
"""

from __future__ import annotations

from dataclasses import replace

from chat.understanding.cues import ROWS as CUE_ROWS
from chat.understanding.examples import ROWS as EXAMPLE_ROWS
from taxonomy.kinds import Kind
from taxonomy.lexicon import ROWS as LEXICON_ROWS
from taxonomy.resolvers.complaints import ROWS as COMPLAINT_ROWS
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Fact, Thing, Vocabulary

#: Rows that examples are read with, beside themselves.
TEACHING = (CUE_ROWS, EXAMPLE_ROWS, LEXICON_ROWS, COMPLAINT_ROWS)
#: Fields by which things are found in an example. Doctors are not: examples name nobody.
FINDING = ("latin", "sort", "snomed")


def lessons_of(snapshot: Snapshot) -> Snapshot:
    """Return a version with only what its examples are read by."""
    known = snapshot.vocabulary
    things = {thing: _bare(thing) for thing in known.things if thing.kind is not Kind.DOCTOR}
    facts = (
        Fact(things[fact.subject], fact.predicate, things[fact.object])
        for fact in known.facts
        if fact.subject in things and fact.object in things
    )
    return Snapshot(
        hospital_id=snapshot.hospital_id,
        version=snapshot.version,
        profile=Profile(default_language=snapshot.profile.default_language),
        vocabulary=Vocabulary(things.values(), facts),
        rows={name: snapshot.rows_of(name) for name in TEACHING},
        digests={name: known for name, known in snapshot.digests.items() if name in TEACHING},
        terminology=snapshot.terminology,
        snomed=snapshot.snomed,
    )


def _bare(thing: Thing) -> Thing:
    said = {name: thing.data[name] for name in FINDING if name in thing.data}
    return replace(thing, url="", data=said, former_keys=())
