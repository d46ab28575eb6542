"""Rules of releases that database triggers enforce, whatever the code path or race."""

from __future__ import annotations

#: Fills in the authors at submission, and refuses transitions that are not allowed.
RELEASE_MOVES = """
CREATE OR REPLACE FUNCTION release_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    since bigint;
    until bigint;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.origin = 'earlier' OR (NEW.origin = 'release' AND NEW.state <> 'draft')
           OR (NEW.origin = 'first' AND EXISTS (
               SELECT 1 FROM taxonomy_livepointer WHERE hospital_id = NEW.hospital_id)) THEN
            RAISE EXCEPTION 'a release begins as a draft' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.hospital_id, NEW.origin, NEW.created_by_id)
       IS DISTINCT FROM (OLD.hospital_id, OLD.origin, OLD.created_by_id) THEN
        RAISE EXCEPTION 'who opened a release stays' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> OLD.state AND NOT (OLD.state, NEW.state) IN (
        ('draft', 'in_review'),
        ('in_review', 'approved'), ('in_review', 'rejected'), ('in_review', 'draft'),
        ('in_review', 'published'),
        ('approved', 'scheduled'), ('approved', 'published'),
        ('approved', 'rejected'), ('approved', 'draft'),
        ('scheduled', 'approved'), ('scheduled', 'published'),
        ('scheduled', 'rejected'), ('scheduled', 'draft'),
        ('rejected', 'draft'), ('published', 'superseded'), ('superseded', 'published')
    ) THEN
        RAISE EXCEPTION 'a release cannot go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state = 'draft' THEN
        IF NEW.version_id IS NOT NULL OR NEW.approved_by_id IS NOT NULL THEN
            RAISE EXCEPTION 'a draft is neither frozen nor approved'
                USING ERRCODE = 'check_violation';
        END IF;
    ELSIF OLD.state = 'draft' THEN
        -- A preview is of this very content, or of none.
        NEW.preview := NULL; NEW.previewed_at := NULL; NEW.broken := NULL;
        NEW.broken_reason := ''; NEW.broken_by_id := NULL;
        SELECT last_edit INTO since FROM taxonomy_version WHERE id = NEW.base_id;
        SELECT last_edit INTO until FROM taxonomy_version WHERE id = NEW.version_id;
        NEW.authors := ARRAY(
            SELECT NEW.created_by_id WHERE NEW.created_by_id IS NOT NULL
            UNION SELECT NEW.submitted_by_id WHERE NEW.submitted_by_id IS NOT NULL
            UNION SELECT by_id FROM zol_edit
                WHERE hospital_id = NEW.hospital_id AND by_id IS NOT NULL
                AND id > COALESCE(since, 0) AND id <= COALESCE(until, 0)
        );
    ELSIF (NEW.version_id, NEW.base_id, NEW.submitted_by_id, NEW.authors)
          IS DISTINCT FROM (OLD.version_id, OLD.base_id, OLD.submitted_by_id, OLD.authors) THEN
        RAISE EXCEPTION 'what was submitted stays as it was' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> 'draft' AND NEW.approved_by_id IS DISTINCT FROM OLD.approved_by_id
       AND NOT (OLD.state = 'in_review' AND NEW.state = 'approved') THEN
        RAISE EXCEPTION 'only what is in review is approved' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.urgent_by_id IS DISTINCT FROM OLD.urgent_by_id
       AND (OLD.state, NEW.state) <> ('in_review', 'published') THEN
        RAISE EXCEPTION 'who published urgently stays' USING ERRCODE = 'check_violation';
    END IF;
    IF (OLD.state, NEW.state) = ('in_review', 'published')
       AND (NEW.urgent_by_id IS NULL OR NEW.urgent_reason = '') THEN
        RAISE EXCEPTION 'nobody said why it could not wait' USING ERRCODE = 'check_violation';
    END IF;
    IF (OLD.state, NEW.state) IN (('in_review', 'approved'), ('approved', 'scheduled'),
                                  ('approved', 'published'), ('scheduled', 'published')) THEN
        IF NEW.previewed_at IS NULL OR NEW.broken IS NULL THEN
            RAISE EXCEPTION 'its impact preview has not finished' USING ERRCODE = 'check_violation';
        END IF;
        IF NEW.broken > 0 AND (NEW.broken_reason = '' OR NEW.broken_by_id IS NULL) THEN
            RAISE EXCEPTION 'nobody said why it goes live although it breaks golden questions'
                USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER release_moves BEFORE INSERT OR UPDATE ON taxonomy_release
    FOR EACH ROW EXECUTE FUNCTION release_moves();
"""

#: Refuses to make a version live whose release is not published.
POINTER_MOVES = """
CREATE OR REPLACE FUNCTION pointer_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM taxonomy_release
        WHERE version_id = NEW.version_id AND hospital_id = NEW.hospital_id
        AND state = 'published'
    ) THEN
        RAISE EXCEPTION 'only a published release can be live' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER pointer_moves BEFORE INSERT OR UPDATE ON taxonomy_livepointer
    FOR EACH ROW EXECUTE FUNCTION pointer_moves();
REVOKE DELETE, TRUNCATE ON taxonomy_livepointer FROM zol_app;
"""

#: Both ends of a published relation are published in the same version.
SAME_VERSION = """
ALTER TABLE taxonomy_publishedentity
    ADD CONSTRAINT published_entity_of_version UNIQUE (version_id, id);
ALTER TABLE taxonomy_publishedrelation
    ADD CONSTRAINT published_subject_same_version FOREIGN KEY (version_id, subject_id)
        REFERENCES taxonomy_publishedentity (version_id, id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT published_object_same_version FOREIGN KEY (version_id, object_id)
        REFERENCES taxonomy_publishedentity (version_id, id) DEFERRABLE INITIALLY DEFERRED;
"""
