-- Packed postings: beside the rows of impacts, which are kept chunk by chunk, the same by word, so that
-- a question reads a few long rows in the place of hundreds of short ones. They are made in bulk when a
-- run has ended. What changes after that is noted with the change, in the same transaction, and is read
-- from its own row: nothing is found later, and nothing that is gone is found still.

-- Beyond 200 changed chunks the rows serve alone until the next packing: they are as fast by then.
CREATE OR REPLACE FUNCTION zol_with_changed(changed bigint[], more bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE RETURN CASE WHEN cardinality(changed) + cardinality(more) <= 200
    THEN ARRAY(SELECT DISTINCT u.id FROM unnest(changed || more) u(id)) END;

-- Pack a lane, unless no more than `spared` chunks changed since it was; say whether it was done.
CREATE OR REPLACE FUNCTION zol_pack(which smallint, spared integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET work_mem = '256MB' AS $$
DECLARE h bigint := zol_served(); lane_row retrieval_lane; unpacked bigint[];
BEGIN
    PERFORM zol_index_lock(h);
    SELECT * INTO lane_row FROM retrieval_lane l WHERE l.hospital_id = h AND l.lane = which;
    IF NOT FOUND OR lane_row.documents = 0 OR cardinality(lane_row.changed) <= spared THEN
        RETURN false;
    END IF;
    -- A chunk too long to be counted in two bytes stays in its row.
    EXECUTE format('SELECT coalesce(array_agg(p.chunk_id), ''{}'') FROM retrieval_posting_%s_%s p
        WHERE p.searchable AND p.length > 32767', h, which) INTO unpacked;
    -- Only what differs is written: most words stand where they stood.
    EXECUTE format('WITH made AS MATERIALIZED (
            SELECT x.id, array_agg(x.chunk_id) AS chunks, array_agg(x.n::smallint) AS times,
                array_agg(x.length::smallint) AS lengths
            FROM (
                SELECT split_part(u.pair, '':'', 1)::integer AS id, p.chunk_id, p.length,
                    zol_frequency(split_part(u.pair, '':'', 2)::float8, p.length, $3, $4, $5) AS n
                FROM retrieval_posting_%s_%s p,
                    string_to_table(substr(split_part(p.impacts::text, ''}'', 1), 2), '','') u(pair)
                WHERE p.searchable AND p.length BETWEEN 1 AND 32767
                ORDER BY id, p.chunk_id
            ) x GROUP BY x.id
        ), gone AS (
            DELETE FROM retrieval_packed k WHERE k.hospital_id = $1 AND k.lane = $2
            AND NOT EXISTS (SELECT FROM made m WHERE m.id = k.id)
        )
        INSERT INTO retrieval_packed AS k
        SELECT $1, $2, m.id, m.chunks, m.times, m.lengths FROM made m
        ON CONFLICT (hospital_id, lane, id) DO UPDATE
        SET chunks = excluded.chunks, times = excluded.times, lengths = excluded.lengths
        WHERE (k.chunks, k.times, k.lengths)
            IS DISTINCT FROM (excluded.chunks, excluded.times, excluded.lengths)', h, which)
    USING h, which, lane_row.k1, lane_row.b, lane_row.average;
    UPDATE retrieval_lane l SET changed = unpacked WHERE l.hospital_id = h AND l.lane = which;
    RETURN true;
END $$;
