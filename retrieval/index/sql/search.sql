-- One round trip: both lanes, their fusion, the true cosine of every candidate, and its text.

CREATE OR REPLACE FUNCTION zol_search(
    question halfvec,
    exact_terms text[],
    stemmed_terms text[],
    dense_weight float8,      -- null: the lane is off; 0: only its best similarity is wanted
    exact_weight float8,
    stemmed_weight float8,
    rrf_k float8,
    least_similarity float8,
    dense_limit integer,
    keyword_limit integer,
    k1 float8,
    b float8,
    kinds text[],             -- categories of pages; null means all
    scan_up_to integer,       -- so many vectors are compared one by one, without the graph
    most integer,             -- no keyword lane scores more chunks than this
    by_rank boolean,          -- fuse by ranks alone
    spread_from float8,       -- how far apart the dense lane's best ten must be to count at all
    spread_gain float8,
    doubt_below float8        -- how much of the question a keyword hit must cover not to be doubted
) RETURNS TABLE (
    chunk_id bigint, dense_rank integer, keyword_rank integer, bm25 float8, similarity float8,
    fused float8, content text, section text, page integer, ordinal integer, category text,
    entity_kinds text[], questions text[],
    document_id bigint, title text, url text, path text, document_category text, language text,
    updated_on date, authority float8, url_tier integer, campuses text[], summary text,
    best_similarity float8, dense_hits integer, is_proven boolean
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off
SET enable_mergejoin = off
-- A plan that was made for empty tables must not read full ones; comparing one by one wants the scan.
SET enable_seqscan = off
SET hnsw.iterative_scan = relaxed_order
SET hnsw.ef_search = 64
AS $$
DECLARE
    h bigint := zol_served();
    state retrieval_vectorstate;
    reachable bigint;
    dense_ids bigint[] := '{}';
    dense_similarities float8[] := '{}';
    exact record;
    stemmed record;
    lacking bigint[];
    other_ids bigint[];
    other_similarities float8[];
    best float8 := 0;
    hits integer := 0;
    vectors text := 'p.embedding';
    tenth float8;
    covered float8;
    voice float8;          -- what the dense lane counts in this question
BEGIN
    SELECT * INTO state FROM retrieval_vectorstate s WHERE s.hospital_id = h;
    IF NOT FOUND THEN
        RETURN QUERY SELECT NULL::bigint, 0, 0, 0::float8, 0::float8, 0::float8, '', '', 0, 0, '',
            '{}'::text[], '{}'::text[], NULL::bigint, '', '', '', '', '', NULL::date, 0::float8, 0,
            '{}'::text[], '', 0::float8, 0, true;
        RETURN;
    END IF;

    IF question IS NOT NULL AND dense_weight IS NOT NULL THEN
        SELECT coalesce(sum(v.rows), 0) INTO reachable FROM retrieval_vectorcount v
        WHERE v.hospital_id = h AND (kinds IS NULL OR v.category = ANY (kinds));
        IF state.has_graph AND reachable > scan_up_to THEN
            vectors := format('p.embedding::halfvec(%s)', state.dimensions);
            PERFORM set_config('hnsw.ef_search', least(1000, greatest(
                CASE WHEN kinds IS NULL THEN 64 ELSE 200 END, dense_limit * 2))::text, true);
        END IF;
        PERFORM set_config('enable_seqscan', 'on', true);
        EXECUTE format('SELECT coalesce(array_agg(n.chunk_id ORDER BY n.distance, n.chunk_id), ''{}''),
                coalesce(array_agg(1 - n.distance ORDER BY n.distance, n.chunk_id), ''{}'')
            FROM (SELECT p.chunk_id, %s <=> $1 AS distance FROM retrieval_vector_%s p
                  WHERE p.searchable %s ORDER BY %s <=> $1 LIMIT $3) n',
            vectors, h, CASE WHEN kinds IS NULL THEN '' ELSE 'AND p.category = ANY ($2)' END, vectors)
        INTO dense_ids, dense_similarities USING question, kinds, dense_limit;
        PERFORM set_config('enable_seqscan', 'off', true);
        best := coalesce(dense_similarities[1], 0);
        hits := (SELECT count(*) FROM unnest(dense_similarities) s WHERE s >= least_similarity);
        dense_ids := CASE WHEN dense_weight > 0 THEN dense_ids[1:hits] ELSE '{}' END;
    END IF;

    SELECT * INTO exact FROM zol_bm25(h, 0::smallint,
        CASE WHEN exact_weight > 0 THEN exact_terms ELSE '{}' END, k1, b, keyword_limit, kinds, most);
    SELECT * INTO stemmed FROM zol_bm25(h, 1::smallint,
        CASE WHEN stemmed_weight > 0 THEN stemmed_terms ELSE '{}' END, k1, b, keyword_limit, kinds, most);

    lacking := exact.ids || stemmed.ids;
    IF question IS NOT NULL AND cardinality(lacking) > 0 THEN
        EXECUTE format('SELECT array_agg(p.chunk_id), array_agg(1 - (p.embedding <=> $1))
            FROM retrieval_vector_%1$s p WHERE p.hospital_id = %1$s AND p.chunk_id = ANY ($2)', h)
        INTO other_ids, other_similarities USING question, lacking;
    END IF;

    -- A lane whose best hits hardly differ says little; one that knows little of the question is
    -- doubted, and then the other is believed.
    tenth := dense_similarities[least(10, cardinality(dense_similarities))];
    covered := greatest(exact.scores[1] / nullif(exact.possible, 0),
        stemmed.scores[1] / nullif(stemmed.possible, 0), 0);
    voice := coalesce(dense_weight, 0) * (least(1, greatest(0,
            spread_gain * (coalesce((best - tenth) / nullif(best, 0), 0) - spread_from)))
        + CASE WHEN doubt_below > 0 THEN greatest(0, 1 - covered / doubt_below) ELSE 0 END);

    RETURN QUERY SELECT NULL::bigint, 0, 0, 0::float8, 0::float8, 0::float8, '', '', 0, 0, '',
        '{}'::text[], '{}'::text[], NULL::bigint, '', '', '', '', '', NULL::date, 0::float8, 0,
        '{}'::text[], '', best, hits, exact.is_proven AND stemmed.is_proven;
    RETURN QUERY
    WITH hit AS (
        SELECT u.id, u.place, 0::bigint AS exact_place, 0::bigint AS stemmed_place,
            0::float8 AS exact_score, 0::float8 AS stemmed_score, u.similarity
        FROM unnest(dense_ids, dense_similarities[1:cardinality(dense_ids)])
            WITH ORDINALITY u(id, similarity, place)
        UNION ALL
        SELECT u.id, 0, u.place, 0, u.score, 0, NULL
        FROM unnest(exact.ids, exact.scores) WITH ORDINALITY u(id, score, place)
        UNION ALL
        SELECT u.id, 0, 0, u.place, 0, u.score, NULL
        FROM unnest(stemmed.ids, stemmed.scores) WITH ORDINALITY u(id, score, place)
        UNION ALL
        SELECT u.id, 0, 0, 0, 0, 0, u.similarity
        FROM unnest(other_ids, other_similarities) u(id, similarity)
    ), candidate AS MATERIALIZED (
        SELECT hit.id, max(hit.place) AS place, max(hit.exact_place) AS exact_place,
            max(hit.stemmed_place) AS stemmed_place, max(hit.exact_score) AS exact_score,
            max(hit.stemmed_score) AS stemmed_score, coalesce(max(hit.similarity), 0) AS similarity
        FROM hit GROUP BY hit.id
    ), reach AS (
        SELECT min(c.similarity) AS low, max(c.similarity) AS high FROM candidate c
    ), ranked AS MATERIALIZED (
        SELECT c.id, c.place, greatest(c.exact_score, c.stemmed_score) AS bm25, c.similarity,
            coalesce(least(nullif(c.exact_place, 0), nullif(c.stemmed_place, 0)), 0) AS word_place,
            CASE WHEN by_rank THEN
                CASE WHEN c.place > 0 THEN dense_weight / (rrf_k + c.place) ELSE 0 END
                + CASE WHEN c.exact_place > 0 THEN exact_weight / (rrf_k + c.exact_place) ELSE 0 END
                + CASE WHEN c.stemmed_place > 0
                    THEN stemmed_weight / (rrf_k + c.stemmed_place) ELSE 0 END
            ELSE coalesce(exact_weight * c.exact_score / nullif(exact.scores[1], 0), 0)
                + coalesce(stemmed_weight * c.stemmed_score / nullif(stemmed.scores[1], 0), 0)
                + coalesce(voice * (c.similarity - r.low) / nullif(r.high - r.low, 0), voice)
            END AS fused
        FROM candidate c, reach r
    )
    SELECT c.id, x.place::integer, x.word_place::integer, x.bm25, x.similarity, x.fused,
        c.content, c.section::text, c.page, c.ordinal, c.category::text,
        c.entity_kinds::text[], c.questions::text[],
        d.id, d.title::text, d.url::text, d.path::text, d.category::text, d.language::text,
        d.updated_on, d.authority, d.url_tier::integer, d.campuses::text[], d.summary,
        best, hits, true
    FROM ranked x
    JOIN retrieval_chunk c ON c.id = x.id AND c.hospital_id = h
    JOIN retrieval_document d ON d.id = c.document_id
    ORDER BY x.fused DESC, x.similarity DESC, c.id;
END $$;
