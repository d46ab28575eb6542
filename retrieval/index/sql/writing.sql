-- Writing the index. Every function serves the hospital of the session; the application may run
-- them, and owns nothing.

CREATE OR REPLACE FUNCTION zol_served() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE h bigint := NULLIF(current_setting('zol.hospital', true), '')::bigint;
BEGIN
    IF h IS NULL OR h = 0 THEN
        RAISE EXCEPTION 'no hospital is being served' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN h;
END $$;

-- Which terms a row of impacts holds: '{1:0.5,7:1.2}/1000000000' is {1,7}.
CREATE OR REPLACE FUNCTION zol_terms_of(impacts sparsevec) RETURNS integer[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    regexp_replace(impacts::text, ':[^,}]*|/.*$', '', 'g')::integer[];

CREATE OR REPLACE FUNCTION zol_impact(tf float8, length float8, k1 float8, b float8, average float8)
RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / greatest(average, 1e-9)));

-- How often a term stands in a chunk, from its impact: whole, so that rounding makes it exact.
CREATE OR REPLACE FUNCTION zol_frequency(impact float8, length float8, k1 float8, b float8, average float8)
RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    round(k1 * (1 - b + b * length / greatest(average, 1e-9)) * impact / (k1 + 1 - impact));

-- One writer of a hospital's index at a time: counters stay true and no two writers deadlock.
CREATE OR REPLACE FUNCTION zol_index_lock(h bigint) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('zol_index', h))
$$;

CREATE OR REPLACE FUNCTION zol_prepare_index(dimensions integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    IF EXISTS (SELECT FROM retrieval_vectorstate s
               WHERE s.hospital_id = h AND s.dimensions = zol_prepare_index.dimensions) THEN
        RETURN;
    END IF;
    PERFORM zol_index_lock(h);
    IF EXISTS (SELECT FROM retrieval_vectorstate s WHERE s.hospital_id = h) THEN
        IF EXISTS (SELECT FROM retrieval_vectorstate s
                   WHERE s.hospital_id = h AND s.dimensions <> zol_prepare_index.dimensions) THEN
            RAISE EXCEPTION 'the vectors of this hospital have another size';
        END IF;
        RETURN;
    END IF;
    -- Made apart and then attached: that waits for nobody who reads or writes another partition.
    EXECUTE format('CREATE TABLE retrieval_vector_%1$s
        (LIKE retrieval_vector INCLUDING STORAGE, PRIMARY KEY (hospital_id, chunk_id));
        CREATE INDEX ON retrieval_vector_%1$s (category);
        ALTER TABLE retrieval_vector_%1$s ENABLE ROW LEVEL SECURITY;
        REVOKE ALL ON retrieval_vector_%1$s FROM zol_app;
        ALTER TABLE retrieval_vector ATTACH PARTITION retrieval_vector_%1$s FOR VALUES IN (%1$s);
        CREATE TABLE retrieval_posting_%1$s
        (LIKE retrieval_posting INCLUDING STORAGE, PRIMARY KEY (hospital_id, lane, chunk_id))
        PARTITION BY LIST (lane);
        ALTER TABLE retrieval_posting_%1$s ENABLE ROW LEVEL SECURITY;
        REVOKE ALL ON retrieval_posting_%1$s FROM zol_app', h);
    FOR lane IN 0..1 LOOP
        EXECUTE format('CREATE TABLE retrieval_posting_%1$s_%2$s
            PARTITION OF retrieval_posting_%1$s FOR VALUES IN (%2$s)
            WITH (toast_tuple_target = 8160);
            CREATE INDEX retrieval_posting_%1$s_%2$s_terms ON retrieval_posting_%1$s_%2$s
            USING gin (zol_terms_of(impacts)) WITH (fastupdate = on);
            ALTER TABLE retrieval_posting_%1$s_%2$s ENABLE ROW LEVEL SECURITY;
            REVOKE ALL ON retrieval_posting_%1$s_%2$s FROM zol_app', h, lane);
        INSERT INTO retrieval_lane (hospital_id, lane) VALUES (h, lane);
    END LOOP;
    EXECUTE format('ALTER TABLE retrieval_posting ATTACH PARTITION retrieval_posting_%1$s
        FOR VALUES IN (%1$s)', h);
    INSERT INTO retrieval_vectorstate (hospital_id, dimensions) VALUES (h, dimensions);
END $$;

CREATE OR REPLACE FUNCTION zol_drop_index() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    PERFORM zol_index_lock(h);
    EXECUTE format('DROP TABLE IF EXISTS retrieval_vector_%s, retrieval_vector_%s_next,
        retrieval_posting_%s', h, h, h);
    DELETE FROM retrieval_term WHERE hospital_id = h;
    DELETE FROM retrieval_packed WHERE hospital_id = h;
    DELETE FROM retrieval_lane WHERE hospital_id = h;
    DELETE FROM retrieval_vectorcount WHERE hospital_id = h;
    DELETE FROM retrieval_vectorstate WHERE hospital_id = h;
END $$;

-- Take the terms of some chunks out of the counts, and their rows out of the index.
CREATE OR REPLACE FUNCTION zol_forget_terms(h bigint, which smallint, chunks bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE forgotten bigint; tokens bigint; gone_terms integer[];
BEGIN
    EXECUTE format('WITH gone AS MATERIALIZED (
            DELETE FROM retrieval_posting_%s_%s p WHERE p.chunk_id = ANY ($1) AND p.lane = $2
            AND p.hospital_id = $3 RETURNING p.length, zol_terms_of(p.impacts) AS term_ids
        ) SELECT (SELECT count(*) FROM gone), (SELECT coalesce(sum(length), 0) FROM gone),
            ARRAY(SELECT unnest(term_ids) FROM gone)', h, which)
    INTO forgotten, tokens, gone_terms USING chunks, which, h;
    IF forgotten = 0 THEN
        RETURN;
    END IF;
    UPDATE retrieval_term t SET df = t.df - fewer.n
    FROM (SELECT u.id, count(*)::integer AS n FROM unnest(gone_terms) u(id) GROUP BY u.id) fewer
    WHERE t.hospital_id = h AND t.lane = which AND t.id = fewer.id;
    UPDATE retrieval_lane l
    SET documents = l.documents - forgotten, total_length = l.total_length - tokens,
        changed = zol_with_changed(l.changed, chunks)
    WHERE l.hospital_id = h AND l.lane = which;
END $$;

CREATE OR REPLACE FUNCTION zol_count_vectors(h bigint, kind text, change bigint) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO retrieval_vectorcount AS v (hospital_id, category, rows) VALUES (h, kind, change)
    ON CONFLICT (hospital_id, category) DO UPDATE SET rows = v.rows + excluded.rows
$$;

CREATE OR REPLACE FUNCTION zol_forget_chunks(h bigint, chunks bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM retrieval_vectorstate s WHERE s.hospital_id = h) THEN
        RETURN;
    END IF;
    PERFORM zol_index_lock(h);
    PERFORM zol_forget_terms(h, 0::smallint, chunks);
    PERFORM zol_forget_terms(h, 1::smallint, chunks);
    EXECUTE format('WITH gone AS (
            DELETE FROM retrieval_vector_%s v WHERE v.hospital_id = $1 AND v.chunk_id = ANY ($2)
            RETURNING v.category, v.searchable
        ) SELECT zol_count_vectors($1, g.category, -g.n)
        FROM (SELECT category, count(*) AS n FROM gone WHERE searchable GROUP BY category) g', h)
    USING h, chunks;
END $$;

CREATE OR REPLACE FUNCTION zol_remove_chunks(chunks bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM zol_forget_chunks(zol_served(), chunks);
END $$;

-- A chunk of the served hospital, its kind of page, and whether it may be found.
CREATE OR REPLACE FUNCTION zol_index_vector(chunk bigint, vector halfvec) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served(); kind text; found_now boolean;
BEGIN
    SELECT d.category, c.is_enabled AND d.status = 'ready' INTO kind, found_now
    FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document_id
    WHERE c.id = chunk AND c.hospital_id = h;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'chunk % is not of this hospital', chunk
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT EXISTS (SELECT FROM retrieval_vectorstate s
                   WHERE s.hospital_id = h AND s.dimensions = vector_dims(vector)) THEN
        RAISE EXCEPTION 'the index has vectors of another size than %', vector_dims(vector);
    END IF;
    EXECUTE format('INSERT INTO retrieval_vector_%s VALUES ($1, $2, $3, $4, $5)', h)
    USING h, chunk, kind, found_now, vector;
    IF found_now THEN
        PERFORM zol_count_vectors(h, kind, 1);
    END IF;
END $$;

-- Write the terms of some chunks in one lane: the different terms and in how many of the chunks each
-- stands; and for every term of every chunk which chunk (from 1), which term (from 1), and how often.
CREATE OR REPLACE FUNCTION zol_index_terms(
    which smallint, chunks bigint[], terms text[], spread integer[],
    places integer[], refs integer[], counts integer[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
-- A plan that was made for an empty dictionary must not read a full one from end to end.
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    h bigint := zol_served();
    lane_row retrieval_lane;
    fresh integer;
    ids integer[];
    lengths integer[];
    tokens bigint := (SELECT coalesce(sum(n), 0) FROM unnest(counts) n);
BEGIN
    PERFORM zol_index_lock(h);
    IF EXISTS (SELECT FROM unnest(chunks) g(id) WHERE NOT EXISTS (
            SELECT FROM retrieval_chunk c WHERE c.id = g.id AND c.hospital_id = h)) THEN
        RAISE EXCEPTION 'a chunk is not of this hospital' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM zol_forget_terms(h, which, chunks);

    SELECT * INTO lane_row FROM retrieval_lane l WHERE l.hospital_id = h AND l.lane = which;
    INSERT INTO retrieval_term (hospital_id, lane, text, id)
    SELECT h, which, u.term, lane_row.next_term - 1 + row_number() OVER (ORDER BY u.place)
    FROM unnest(terms) WITH ORDINALITY u(term, place)
    WHERE (SELECT t.id FROM retrieval_term t
        WHERE t.hospital_id = h AND t.lane = which AND t.text = u.term COLLATE "C") IS NULL;
    GET DIAGNOSTICS fresh = ROW_COUNT;
    UPDATE retrieval_lane l
    SET documents = l.documents + cardinality(chunks), total_length = l.total_length + tokens,
        next_term = l.next_term + fresh, changed = zol_with_changed(l.changed, chunks),
        average = CASE WHEN l.average > 0 THEN l.average
            ELSE tokens::float8 / cardinality(chunks) END
    WHERE l.hospital_id = h AND l.lane = which
    RETURNING l.* INTO lane_row;

    ids := ARRAY(
        SELECT (SELECT t.id FROM retrieval_term t
            WHERE t.hospital_id = h AND t.lane = which AND t.text = u.term COLLATE "C")
        FROM unnest(terms) WITH ORDINALITY u(term, place) ORDER BY u.place);
    lengths := ARRAY(
        SELECT coalesce(sum(u.n), 0)::integer FROM generate_subscripts(chunks, 1) g(place)
        LEFT JOIN unnest(places, counts) u(place, n) USING (place)
        GROUP BY g.place ORDER BY g.place);

    EXECUTE format('INSERT INTO retrieval_posting_%s_%s
        SELECT $1, $2, c.id, d.category, c.is_enabled AND d.status = ''ready'', $3[g.place],
            coalesce(r.impacts, ''{}/1000000000'')
        FROM unnest($4) WITH ORDINALITY g(id, place)
        JOIN retrieval_chunk c ON c.id = g.id
        JOIN retrieval_document d ON d.id = c.document_id
        LEFT JOIN (
            SELECT x.place, (''{'' || string_agg(x.id || '':'' ||
                    zol_impact(x.n, $3[x.place], $8, $9, $10)::float4, '','')
                || ''}/1000000000'')::sparsevec AS impacts
            FROM (SELECT u.place, $5[u.ref] AS id, u.n FROM unnest($6, $7, $11) u(place, ref, n)
                  ORDER BY u.place, 2) x
            GROUP BY x.place
        ) r ON r.place = g.place', h, which)
    USING h, which, lengths, chunks, ids, places, refs, lane_row.k1, lane_row.b, lane_row.average,
        counts;

    UPDATE retrieval_term t
    SET df = t.df + more.n, max_impact = greatest(t.max_impact, more.impact)
    FROM (
        SELECT ids[u.ref] AS id, spread[u.ref] AS n,
            max(zol_impact(u.n, lengths[u.place], lane_row.k1, lane_row.b, lane_row.average)) AS impact
        FROM unnest(places, refs, counts) u(place, ref, n) GROUP BY u.ref
    ) more
    WHERE t.hospital_id = h AND t.lane = which AND t.id = more.id;
END $$;

-- Make the impacts of a lane again with the average length as it is now; needed only after a drift.
CREATE OR REPLACE FUNCTION zol_pin_impacts(which smallint, new_k1 float8, new_b float8, drift float8)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served(); lane_row retrieval_lane; now_average float8;
BEGIN
    PERFORM zol_index_lock(h);
    SELECT * INTO lane_row FROM retrieval_lane l WHERE l.hospital_id = h AND l.lane = which;
    IF NOT FOUND OR lane_row.documents = 0 THEN
        RETURN false;
    END IF;
    EXECUTE format('SELECT gin_clean_pending_list(%L)',
        format('retrieval_posting_%s_%s_terms', h, which));
    now_average := lane_row.total_length::float8 / lane_row.documents;
    -- From here down an impact no longer tells how often a term stands there; searches are exact for
    -- any k1, if slower than for the pinned one.
    new_k1 := greatest(new_k1, 0.1);
    IF lane_row.k1 = new_k1 AND lane_row.b = new_b
            AND abs(lane_row.average - now_average) <= drift * now_average THEN
        RETURN false;
    END IF;
    UPDATE retrieval_lane l SET k1 = new_k1, b = new_b, average = now_average
    WHERE l.hospital_id = h AND l.lane = which;
    EXECUTE format('UPDATE retrieval_posting_%s_%s p SET impacts = (
            SELECT (''{'' || string_agg(split_part(u.pair, '':'', 1) || '':'' || zol_impact(
                zol_frequency(split_part(u.pair, '':'', 2)::float8, p.length, $4, $5, $6),
                p.length, $1, $2, $3)::float4, '','' ORDER BY u.place) || ''}/1000000000'')::sparsevec
            FROM string_to_table(substr(split_part(p.impacts::text, ''}'', 1), 2), '','')
                WITH ORDINALITY u(pair, place))
        WHERE p.length > 0', h, which)
    USING new_k1, new_b, now_average, lane_row.k1, lane_row.b, lane_row.average;
    EXECUTE format('UPDATE retrieval_term t SET max_impact = highest.impact FROM (
            SELECT split_part(u.pair, '':'', 1)::integer AS id,
                max(split_part(u.pair, '':'', 2)::float8) * 1.000001 AS impact
            FROM retrieval_posting_%s_%s p,
                string_to_table(substr(split_part(p.impacts::text, ''}'', 1), 2), '','') u(pair)
            WHERE p.length > 0 GROUP BY 1) highest
        WHERE t.hospital_id = %s AND t.lane = %s AND t.id = highest.id', h, which, h, which);
    EXECUTE format('SELECT gin_clean_pending_list(%L)',
        format('retrieval_posting_%s_%s_terms', h, which));
    DELETE FROM retrieval_term t WHERE t.hospital_id = h AND t.lane = which AND t.df <= 0;
    RETURN true;
END $$;

-- Build or drop the graph over a hospital's vectors: wanted above `least` rows, in bulk.
CREATE OR REPLACE FUNCTION zol_build_graph(beyond bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET maintenance_work_mem = '1GB' AS $$
DECLARE h bigint := zol_served(); state retrieval_vectorstate; n bigint;
BEGIN
    PERFORM zol_index_lock(h);
    SELECT * INTO state FROM retrieval_vectorstate s WHERE s.hospital_id = h;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    SELECT coalesce(sum(rows), 0) INTO n FROM retrieval_vectorcount v WHERE v.hospital_id = h;
    IF state.has_graph OR n <= beyond THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE INDEX retrieval_vector_%s_graph ON retrieval_vector_%s
        USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops) WITH (m = 16, ef_construction = 64)',
        h, h, state.dimensions);
    UPDATE retrieval_vectorstate s SET has_graph = true WHERE s.hospital_id = h;
    RETURN true;
END $$;

-- Before a large ingestion: without the graph inserting is fast, and searches scan until it is built.
CREATE OR REPLACE FUNCTION zol_drop_graph() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    PERFORM zol_index_lock(h);
    EXECUTE format('DROP INDEX IF EXISTS retrieval_vector_%s_graph', h);
    UPDATE retrieval_vectorstate s SET has_graph = false WHERE s.hospital_id = h;
END $$;

CREATE OR REPLACE FUNCTION zol_analyze_index() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    IF NOT EXISTS (SELECT FROM retrieval_vectorstate s WHERE s.hospital_id = h) THEN
        RETURN;
    END IF;
    EXECUTE format('ANALYZE retrieval_vector_%s', h);
    EXECUTE format('ANALYZE retrieval_posting_%s_0', h);
    EXECUTE format('ANALYZE retrieval_posting_%s_1', h);
END $$;

-- Chunks that go take their rows along, and what staff switch off is no longer found.
CREATE OR REPLACE FUNCTION zol_chunks_deleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM zol_forget_chunks(g.hospital_id, g.ids)
    FROM (SELECT hospital_id, array_agg(id) AS ids FROM gone GROUP BY hospital_id
          ORDER BY hospital_id) g;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER zol_chunks_deleted AFTER DELETE ON retrieval_chunk
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION zol_chunks_deleted();

CREATE OR REPLACE FUNCTION zol_chunks_truncated() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint;
BEGIN
    FOR h IN SELECT s.hospital_id FROM retrieval_vectorstate s LOOP
        EXECUTE format('DROP TABLE IF EXISTS retrieval_vector_%s, retrieval_vector_%s_next,
            retrieval_posting_%s', h, h, h);
    END LOOP;
    TRUNCATE retrieval_term, retrieval_packed, retrieval_lane, retrieval_vectorcount, retrieval_vectorstate;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER zol_chunks_truncated AFTER TRUNCATE ON retrieval_chunk
    FOR EACH STATEMENT EXECUTE FUNCTION zol_chunks_truncated();

CREATE OR REPLACE FUNCTION zol_set_findable(h bigint, chunk bigint, kind text, found_now boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE was_kind text; was_found boolean;
BEGIN
    IF NOT EXISTS (SELECT FROM retrieval_vectorstate s WHERE s.hospital_id = h) THEN
        RETURN;
    END IF;
    EXECUTE format('SELECT v.category, v.searchable FROM retrieval_vector_%s v
        WHERE v.hospital_id = $1 AND v.chunk_id = $2', h) INTO was_kind, was_found USING h, chunk;
    IF was_kind IS NULL OR (was_kind = kind AND was_found = found_now) THEN
        RETURN;
    END IF;
    IF was_found THEN
        PERFORM zol_count_vectors(h, was_kind, -1);
    END IF;
    IF found_now THEN
        PERFORM zol_count_vectors(h, kind, 1);
    END IF;
    EXECUTE format('UPDATE retrieval_vector_%1$s v SET category = $3, searchable = $4
        WHERE v.hospital_id = $1 AND v.chunk_id = $2', h) USING h, chunk, kind, found_now;
    EXECUTE format('UPDATE retrieval_posting_%1$s p SET category = $3, searchable = $4
        WHERE p.hospital_id = $1 AND p.chunk_id = $2', h) USING h, chunk, kind, found_now;
    UPDATE retrieval_lane l SET changed = zol_with_changed(l.changed, ARRAY[chunk])
    WHERE l.hospital_id = h AND l.changed IS NOT NULL;
END $$;

CREATE OR REPLACE FUNCTION zol_chunk_switched() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM zol_index_lock(NEW.hospital_id);
    PERFORM zol_set_findable(NEW.hospital_id, NEW.id, d.category, NEW.is_enabled AND d.status = 'ready')
    FROM retrieval_document d WHERE d.id = NEW.document_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER zol_chunk_switched AFTER UPDATE OF is_enabled ON retrieval_chunk
    FOR EACH ROW WHEN (OLD.is_enabled IS DISTINCT FROM NEW.is_enabled)
    EXECUTE FUNCTION zol_chunk_switched();

CREATE OR REPLACE FUNCTION zol_document_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM zol_index_lock(NEW.hospital_id);
    PERFORM zol_set_findable(c.hospital_id, c.id, NEW.category, c.is_enabled AND NEW.status = 'ready')
    FROM retrieval_chunk c WHERE c.document_id = NEW.id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER zol_document_changed AFTER UPDATE OF category, status ON retrieval_document
    FOR EACH ROW WHEN ((OLD.category, OLD.status) IS DISTINCT FROM (NEW.category, NEW.status))
    EXECUTE FUNCTION zol_document_changed();
