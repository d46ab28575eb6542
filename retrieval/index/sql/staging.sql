-- Re-indexing: new vectors are gathered beside the old ones, which serve until the swap.

CREATE OR REPLACE FUNCTION zol_stage_begin() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    PERFORM zol_index_lock(h);
    EXECUTE format('DROP TABLE IF EXISTS retrieval_vector_%s_next', h);
    EXECUTE format('CREATE TABLE retrieval_vector_%s_next (LIKE retrieval_vector INCLUDING STORAGE,
        PRIMARY KEY (hospital_id, chunk_id), CHECK (hospital_id = %s))', h, h);
    EXECUTE format('ALTER TABLE retrieval_vector_%s_next ENABLE ROW LEVEL SECURITY', h);
    EXECUTE format('REVOKE ALL ON retrieval_vector_%s_next FROM zol_app', h);
END $$;

CREATE OR REPLACE FUNCTION zol_stage_vector(chunk bigint, vector halfvec) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    EXECUTE format('INSERT INTO retrieval_vector_%s_next
        SELECT c.hospital_id, c.id, d.category, c.is_enabled AND d.status = ''ready'', $2
        FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document_id
        WHERE c.id = $1 AND c.hospital_id = $3
        ON CONFLICT (hospital_id, chunk_id) DO UPDATE SET embedding = excluded.embedding', h)
    USING chunk, vector, h;
END $$;

-- The chunks that came since the gathering began, and still lack a vector.
CREATE OR REPLACE FUNCTION zol_stage_lacking() RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE h bigint := zol_served();
BEGIN
    RETURN QUERY EXECUTE format('SELECT c.id FROM retrieval_chunk c WHERE c.hospital_id = $1
        AND NOT EXISTS (SELECT FROM retrieval_vector_%s_next n WHERE n.chunk_id = c.id)', h) USING h;
END $$;

-- Put the new vectors in the place of the old ones. A search waits for a moment at most.
CREATE OR REPLACE FUNCTION zol_stage_swap(new_dimensions integer, beyond bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET maintenance_work_mem = '1GB' AS $$
DECLARE h bigint := zol_served(); n bigint; is_graph boolean;
BEGIN
    PERFORM zol_index_lock(h);
    EXECUTE format('DELETE FROM retrieval_vector_%s_next n
        WHERE NOT EXISTS (SELECT FROM retrieval_chunk c WHERE c.id = n.chunk_id)', h);
    EXECUTE format('UPDATE retrieval_vector_%s_next n
        SET category = d.category, searchable = c.is_enabled AND d.status = ''ready''
        FROM retrieval_chunk c JOIN retrieval_document d ON d.id = c.document_id
        WHERE c.id = n.chunk_id AND (n.category, n.searchable)
            IS DISTINCT FROM (d.category::text, c.is_enabled AND d.status = ''ready'')', h);
    EXECUTE format('SELECT count(*) FROM retrieval_vector_%s_next', h) INTO n;
    is_graph := n > beyond;
    IF is_graph THEN
        EXECUTE format('CREATE INDEX retrieval_vector_%s_next_graph ON retrieval_vector_%s_next USING hnsw
            ((embedding::halfvec(%s)) halfvec_cosine_ops) WITH (m = 16, ef_construction = 64)',
            h, h, new_dimensions);
    END IF;
    EXECUTE format('CREATE INDEX ON retrieval_vector_%s_next (category)', h);
    EXECUTE format('DROP TABLE IF EXISTS retrieval_vector_%s', h);
    EXECUTE format('ALTER TABLE retrieval_vector_%s_next RENAME TO retrieval_vector_%s', h, h);
    IF is_graph THEN
        EXECUTE format('ALTER INDEX retrieval_vector_%s_next_graph RENAME TO retrieval_vector_%s_graph',
            h, h);
    END IF;
    EXECUTE format('ALTER TABLE retrieval_vector ATTACH PARTITION retrieval_vector_%s
        FOR VALUES IN (%s)', h, h);
    EXECUTE format('ANALYZE retrieval_vector_%s', h);
    UPDATE retrieval_vectorstate s SET dimensions = new_dimensions, has_graph = is_graph
    WHERE s.hospital_id = h;
    DELETE FROM retrieval_vectorcount v WHERE v.hospital_id = h;
    EXECUTE format('INSERT INTO retrieval_vectorcount
        SELECT %s, category, count(*) FROM retrieval_vector_%s WHERE searchable GROUP BY category', h, h);
END $$;

CREATE OR REPLACE FUNCTION zol_index_dimensions() RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.dimensions FROM retrieval_vectorstate s WHERE s.hospital_id = zol_served()
$$;

CREATE OR REPLACE FUNCTION zol_lock_index() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM zol_index_lock(zol_served());
END $$;
