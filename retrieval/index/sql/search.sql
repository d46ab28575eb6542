-- One round trip: both lanes, their fusion, the true cosine of every candidate, and its text.

-- The best chunks of one keyword lane by BM25, exactly.
--
-- `impacts` were made with a pinned average length. The average as it is now differs by a factor of at
-- most `slack`, so a score made of impacts is within that factor of the true one: it selects, and
-- the selected are scored anew with the true statistics. MaxScore bounds the rest: chunks that hold none
-- of the `essential` terms cannot reach the threshold, so they are never looked at. `is_proven` says
-- whether both bounds hold; they fail only for questions of nothing but very common words, of
-- which at most `most` chunks are scored.
CREATE FUNCTION zol_bm25(
    h bigint, which smallint, terms text[], k1 float8, b float8, best integer, kinds text[],
    most integer,
    OUT ids bigint[], OUT scores float8[], OUT is_proven boolean,
    OUT possible float8   -- the score of a chunk that says every word, those unknown here too
) LANGUAGE plpgsql STABLE AS $$
DECLARE
    lane_row retrieval_lane;
    live float8;          -- the average length as it is now
    slack float8;         -- how far a score of impacts may be from the true one
    term_ids integer[];   -- rarest first, as are the following
    weights float8[];     -- idf, times how often the question says the word
    bounds float8[];      -- the most a term can add to a score
    dfs integer[];
    ones sparsevec[];     -- reads one term's impact
    question sparsevec;
    n integer;
    known float8;         -- how many of the words asked are known here
    part text;
    first integer;        -- how many of the rarest terms the first pass reads
    essential integer;
    mandatory integer[];
    seen bigint := 0;
    threshold float8 := 0;
    rest float8;
    lowest float8;
    wanted integer;       -- how many are scored anew
    statement text;
BEGIN
    ids := '{}'; scores := '{}'; is_proven := true; possible := 0;
    SELECT * INTO lane_row FROM retrieval_lane l WHERE l.hospital_id = h AND l.lane = which;
    IF NOT FOUND OR lane_row.documents = 0 OR lane_row.total_length = 0 OR best < 1 THEN
        RETURN;
    END IF;
    live := lane_row.total_length::float8 / lane_row.documents;
    slack := CASE WHEN lane_row.k1 = k1 AND lane_row.b = b
        THEN greatest(live / lane_row.average, lane_row.average / live) * 1.00001::float8
        ELSE 'Infinity'::float8 END;

    SELECT array_agg(x.id ORDER BY x.df, x.id), array_agg(x.weight ORDER BY x.df, x.id),
        array_agg(x.weight * CASE WHEN slack < 2 THEN x.max_impact * slack ELSE k1 + 1 END
                  ORDER BY x.df, x.id),
        array_agg(x.df ORDER BY x.df, x.id),
        array_agg(('{' || x.id || ':1}/1000000000')::sparsevec ORDER BY x.df, x.id),
        ('{' || string_agg(x.id || ':' || x.weight, ',' ORDER BY x.id) || '}/1000000000')::sparsevec,
        count(*), coalesce(sum(x.times), 0), coalesce(sum(x.weight), 0)
    INTO term_ids, weights, bounds, dfs, ones, question, n, known, possible
    FROM (
        SELECT t.id, t.df, t.max_impact, asked.times, asked.times
            * ln(1 + (lane_row.documents - t.df + 0.5::float8) / (t.df + 0.5::float8)) AS weight
        FROM (SELECT u.term, count(*)::float8 AS times FROM unnest(terms) u(term) GROUP BY u.term) asked
        -- One look-up a word, whatever the planner knows of the table: without statistics it would
        -- rather read the hospital's whole vocabulary. `LIMIT` keeps the look-up in one piece.
        CROSS JOIN LATERAL (
            SELECT e.id, e.df, e.max_impact FROM retrieval_term e
            WHERE e.hospital_id = h AND e.lane = which AND e.text = asked.term COLLATE "C"
            LIMIT 1
        ) t
        WHERE t.df > 0
    ) x;
    possible := (k1 + 1) * (possible + (cardinality(terms) - known)
        * ln(1 + (lane_row.documents + 0.5::float8) / 0.5::float8));
    IF n = 0 THEN
        RETURN;
    END IF;

    -- Without drift the order is already right, but for rounding; each point of drift asks for more.
    wanted := CASE WHEN slack < 2 THEN best + 8 + ceil(best * (slack - 1) * 40)::integer ELSE most END;
    part := format('retrieval_posting_%s_%s', h, which);
    -- The selected are scored anew: the frequency is read back from the pinned impact, and is whole.
    statement := 'SELECT array_agg(s.chunk_id ORDER BY s.score DESC, s.chunk_id),
            array_agg(s.score ORDER BY s.score DESC, s.chunk_id), count(*), min(s.pinned)
        FROM (
            SELECT top.chunk_id, top.pinned, (
                SELECT sum(u.weight * zol_impact(
                    zol_frequency(f.impact, top.length, $8, $9, $10), top.length, $4, $5, $6))
                FROM unnest($2, $3) u(one, weight),
                    LATERAL (SELECT -(top.impacts <#> u.one) AS impact) f
                WHERE f.impact > 0
            ) AS score
            FROM (
                SELECT m.* FROM (
                    SELECT p.chunk_id, p.length::float8 AS length, p.impacts,
                        -(p.impacts <#> $1) AS pinned
                    FROM ' || part || ' p
                    WHERE %s AND p.searchable'
                    || CASE WHEN kinds IS NULL THEN '' ELSE ' AND p.category = ANY ($11)' END || '
                    LIMIT $12
                ) m ORDER BY m.pinned DESC, m.chunk_id LIMIT $7
            ) top OFFSET 0
        ) s';

    -- First pass: the rarest words, until enough chunks hold them; all words at once if none is rare.
    first := 0;
    WHILE first < n AND seen < best * 4 LOOP
        first := first + 1;
        seen := seen + dfs[first];
    END LOOP;
    IF dfs[1] > 2000 AND n > 1 THEN
        first := 0;
        EXECUTE format(statement, 'zol_terms_of(p.impacts) @> $13') INTO ids, scores, seen, lowest
        USING question, ones, weights, k1, b, live, wanted,
            lane_row.k1, lane_row.b, lane_row.average, kinds, most, term_ids;
    ELSE
        EXECUTE format(statement, 'zol_terms_of(p.impacts) && $13') INTO ids, scores, seen, lowest
        USING question, ones, weights, k1, b, live, wanted,
            lane_row.k1, lane_row.b, lane_row.average, kinds, most, term_ids[1:first];
    END IF;
    ids := coalesce(ids, '{}'); scores := coalesce(scores, '{}');
    IF cardinality(scores) >= best THEN
        threshold := scores[best];
    END IF;

    -- Second pass: as many words more as it takes until no chunk without them can be among the best.
    rest := (SELECT sum(x) FROM unnest(bounds) x);
    mandatory := ARRAY(SELECT u.id FROM unnest(term_ids, bounds) u(id, bound)
                       WHERE rest - u.bound < threshold);
    essential := 0;
    WHILE essential < n AND rest >= threshold LOOP
        essential := essential + 1;
        rest := CASE WHEN essential = n THEN 0 ELSE rest - bounds[essential] END;
    END LOOP;
    IF essential > first THEN
        EXECUTE format(statement, 'zol_terms_of(p.impacts) && $13'
            || CASE WHEN cardinality(mandatory) > 0 THEN ' AND zol_terms_of(p.impacts) @> $14' ELSE '' END)
        INTO ids, scores, seen, lowest
        USING question, ones, weights, k1, b, live, wanted,
            lane_row.k1, lane_row.b, lane_row.average, kinds, most, term_ids[1:essential], mandatory;
        ids := coalesce(ids, '{}'); scores := coalesce(scores, '{}');
        is_proven := least(
            (SELECT sum(x) FROM unnest(dfs[1:essential]) x),
            (SELECT min(u.df) FROM unnest(term_ids, dfs) u(id, df) WHERE u.id = ANY (mandatory))
        ) <= most;
    END IF;
    -- Chunks that the impacts left out could still be among the best after a drift.
    IF slack < 2 AND seen >= wanted AND lowest * slack > scores[best] THEN
        is_proven := false;
    END IF;
    ids := ids[1:best]; scores := scores[1:best];
END $$;

-- One keyword lane of the served hospital on its own, for looking up words exactly.
CREATE FUNCTION zol_keyword(
    which smallint, terms text[], k1 float8, b float8, best integer, kinds text[], most integer,
    OUT ids bigint[], OUT scores float8[], OUT is_proven boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off AS $$
BEGIN
    SELECT f.ids, f.scores, f.is_proven INTO ids, scores, is_proven
    FROM zol_bm25(zol_served(), which, terms, k1, b, best, kinds, most) f;
END $$;

CREATE FUNCTION zol_search(
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

    IF question IS NOT NULL THEN
        lacking := ARRAY(SELECT unnest(exact.ids || stemmed.ids) EXCEPT SELECT unnest(dense_ids));
        EXECUTE format('SELECT array_agg(p.chunk_id), array_agg(1 - (p.embedding <=> $1))
            FROM retrieval_vector_%s p WHERE p.chunk_id = ANY ($2)', h)
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
            0::float8 AS exact_score, 0::float8 AS stemmed_score
        FROM unnest(dense_ids) WITH ORDINALITY u(id, place)
        UNION ALL
        SELECT u.id, 0, u.place, 0, u.score, 0
        FROM unnest(exact.ids, exact.scores) WITH ORDINALITY u(id, score, place)
        UNION ALL
        SELECT u.id, 0, 0, u.place, 0, u.score
        FROM unnest(stemmed.ids, stemmed.scores) WITH ORDINALITY u(id, score, place)
    ), cosine AS (
        SELECT u.id, u.similarity FROM unnest(dense_ids, dense_similarities[1:hits]) u(id, similarity)
        WHERE u.id IS NOT NULL
        UNION ALL
        SELECT u.id, u.similarity FROM unnest(other_ids, other_similarities) u(id, similarity)
    ), candidate AS MATERIALIZED (
        SELECT x.*, coalesce((SELECT c.similarity FROM cosine c WHERE c.id = x.id), 0::float8)
            AS similarity
        FROM (SELECT hit.id, max(hit.place) AS place, max(hit.exact_place) AS exact_place,
                max(hit.stemmed_place) AS stemmed_place, max(hit.exact_score) AS exact_score,
                max(hit.stemmed_score) AS stemmed_score
              FROM hit GROUP BY hit.id) x
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
