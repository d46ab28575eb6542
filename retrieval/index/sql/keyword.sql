-- One keyword lane: the best chunks by BM25, from what is packed or from the rows of impacts.

-- What a word that stands `n` times in a chunk adds to its score, as a share of the most it can add.
-- Every way to a score computes it so, to the last bit: equal chunks are equal, whoever found them.
CREATE OR REPLACE FUNCTION zol_share(n float8, length float8, flat float8, slope float8)
RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN n / (n + (flat + slope * length));

-- Vectors that each read one term's impact.
CREATE OR REPLACE FUNCTION zol_ones(term_ids integer[]) RETURNS sparsevec[] LANGUAGE sql IMMUTABLE RETURN ARRAY(
    SELECT ('{' || u.id || ':1}/1000000000')::sparsevec
    FROM unnest(term_ids) WITH ORDINALITY u(id, place) ORDER BY u.place);

-- The best chunks of one keyword lane by BM25, exactly: from the packed postings where there are any,
-- else from the rows of impacts. `is_proven` fails only for questions of nothing but very common words,
-- of which at most `most` chunks are scored.
CREATE OR REPLACE FUNCTION zol_bm25(
    h bigint, which smallint, terms text[], k1 float8, b float8, best integer, kinds text[],
    most integer,
    OUT ids bigint[], OUT scores float8[], OUT is_proven boolean,
    OUT possible float8   -- the score of a chunk that says every word, those unknown here too
) LANGUAGE plpgsql STABLE AS $$
DECLARE
    lane_row retrieval_lane;
    live float8;          -- the average length as it is now
    asked zol_asked;
    known float8;         -- how many of the words asked are known here
BEGIN
    ids := '{}'; scores := '{}'; is_proven := true; possible := 0;
    IF cardinality(terms) = 0 THEN
        RETURN;
    END IF;
    SELECT * INTO lane_row FROM retrieval_lane l WHERE l.hospital_id = h AND l.lane = which;
    IF NOT FOUND OR lane_row.documents = 0 OR lane_row.total_length = 0 OR best < 1 THEN
        RETURN;
    END IF;
    live := lane_row.total_length::float8 / lane_row.documents;
    asked.flat := k1 * (1 - b);
    asked.slope := k1 * b / live;
    asked.slack := CASE WHEN lane_row.k1 = k1 AND lane_row.b = b
        THEN greatest(live / lane_row.average, lane_row.average / live) * 1.00001::float8
        ELSE 'Infinity'::float8 END;

    SELECT array_agg(x.id), array_agg(x.weight * (k1 + 1)),
        array_agg(x.weight * CASE WHEN asked.slack < 2 THEN x.max_impact * asked.slack ELSE k1 + 1 END),
        array_agg(x.df), array_agg(x.weight), coalesce(sum(x.times), 0), coalesce(sum(x.weight), 0)
    INTO asked.term_ids, asked.gains, asked.bounds, asked.dfs, asked.weights, known, possible
    FROM (
        SELECT t.id, t.df, t.max_impact, said.times, said.times
            * ln(1 + (lane_row.documents - t.df + 0.5::float8) / (t.df + 0.5::float8)) AS weight
        FROM (SELECT u.term, count(*)::float8 AS times FROM unnest(terms) u(term) GROUP BY u.term) said
        -- One look-up a word, whatever the planner knows of the table: without statistics it would
        -- rather read the hospital's whole vocabulary. `LIMIT` keeps the look-up in one piece.
        CROSS JOIN LATERAL (
            SELECT e.id, e.df, e.max_impact FROM retrieval_term e
            WHERE e.hospital_id = h AND e.lane = which AND e.text = said.term COLLATE "C"
            LIMIT 1
        ) t
        WHERE t.df > 0
        ORDER BY t.df, t.id
    ) x;
    possible := (k1 + 1) * (possible + (cardinality(terms) - known)
        * ln(1 + (lane_row.documents + 0.5::float8) / 0.5::float8));
    IF asked.term_ids IS NULL THEN
        RETURN;
    END IF;

    IF kinds IS NULL AND lane_row.changed IS NOT NULL THEN
        SELECT f.ids, f.scores INTO ids, scores
        FROM zol_bm25_packed(h, which, asked, best, most, lane_row) f;
        IF ids IS NOT NULL THEN
            RETURN;
        END IF;
    END IF;
    SELECT f.ids, f.scores, f.is_proven INTO ids, scores, is_proven
    FROM zol_bm25_rows(h, which, asked, best, kinds, most, lane_row) f;
END $$;

-- The same from packed postings: every entry of every word is summed, which takes a third of what a row
-- takes, so that no bound is worth its work. Chunks that changed since the packing are read from their
-- rows. Nothing is returned for words so common that this would take longer than `most` rows.
CREATE OR REPLACE FUNCTION zol_bm25_packed(
    h bigint, which smallint, asked zol_asked, best integer, most integer, lane_row retrieval_lane,
    OUT ids bigint[], OUT scores float8[]
) LANGUAGE plpgsql STABLE AS $$
DECLARE
    entries bigint := 0;
    df integer;
    wanted integer := best + cardinality(lane_row.changed);
    changed_ids bigint[];
    lengths integer[];
    impacts sparsevec[];
    ones sparsevec[] := CASE WHEN cardinality(lane_row.changed) > 0 THEN zol_ones(asked.term_ids) END;
BEGIN
    FOREACH df IN ARRAY asked.dfs LOOP
        entries := entries + df;
    END LOOP;
    IF entries > most * 3::bigint THEN
        RETURN;
    END IF;
    SELECT coalesce(array_agg(t.chunk ORDER BY t.score DESC, t.chunk), '{}'),
        coalesce(array_agg(t.score ORDER BY t.score DESC, t.chunk), '{}')
    INTO ids, scores
    FROM (
        SELECT x.chunk, sum(x.gain * zol_share(x.n, x.length, asked.flat, asked.slope)) AS score
        FROM (
            -- Lists that are unrolled in the SELECT stream; in the FROM they would be stored first.
            SELECT u.gain, unnest(k.chunks) AS chunk, unnest(k.times) AS n, unnest(k.lengths) AS length
            FROM unnest(asked.term_ids, asked.gains) u(id, gain)
            CROSS JOIN LATERAL (
                SELECT k.chunks, k.times, k.lengths FROM retrieval_packed k
                WHERE k.hospital_id = h AND k.lane = which AND k.id = u.id LIMIT 1
            ) k
        ) x
        GROUP BY x.chunk ORDER BY 2 DESC, 1 LIMIT wanted
    ) t
    WHERE t.chunk NOT IN (SELECT c FROM unnest(lane_row.changed) c);

    IF cardinality(lane_row.changed) > 0 THEN
        -- As little as can be asked is asked of the partition: that part is planned every time.
        EXECUTE format('SELECT array_agg(p.chunk_id), array_agg(p.length), array_agg(p.impacts)
            FROM retrieval_posting_%1$s_%2$s p
            WHERE p.hospital_id = %1$s AND p.lane = %2$s AND p.chunk_id = ANY ($1) AND p.searchable
            AND (p.impacts <#> $2) < 0', h, which)
        INTO changed_ids, lengths, impacts USING lane_row.changed, ('{' || array_to_string(ARRAY(
            SELECT u.id || ':1' FROM unnest(asked.term_ids) u(id) ORDER BY u.id), ',')
            || '}/1000000000')::sparsevec;
        SELECT ids || array_agg(s.chunk), scores || array_agg(s.score) INTO ids, scores
        FROM (
            SELECT c.chunk, (
                SELECT sum(u.gain * zol_share(
                    zol_frequency(f.impact, c.length, lane_row.k1, lane_row.b, lane_row.average),
                    c.length, asked.flat, asked.slope))
                FROM unnest(ones, asked.gains) u(one, gain),
                    LATERAL (SELECT -(c.impacts <#> u.one) AS impact) f
                WHERE f.impact > 0
            ) AS score
            FROM unnest(changed_ids, lengths, impacts) c(chunk, length, impacts)
        ) s;
        SELECT array_agg(u.chunk ORDER BY u.score DESC, u.chunk),
            array_agg(u.score ORDER BY u.score DESC, u.chunk)
        INTO ids, scores FROM unnest(ids, scores) u(chunk, score);
    END IF;
    ids := coalesce(ids[1:best], '{}'); scores := coalesce(scores[1:best], '{}');
END $$;

-- The same from the rows of impacts: what a filter by kind of page asks, and what serves while many
-- chunks have changed since the last packing.
--
-- `impacts` were made with a pinned average length. The average as it is now differs by a factor of at
-- most `slack`, so a score made of impacts is within that factor of the true one: it selects, and
-- the selected are scored anew with the true statistics. MaxScore bounds the rest: chunks that hold none
-- of the `essential` terms cannot reach the threshold, so they are never looked at. `is_proven` says
-- whether both bounds hold.
CREATE OR REPLACE FUNCTION zol_bm25_rows(
    h bigint, which smallint, asked zol_asked, best integer, kinds text[], most integer,
    lane_row retrieval_lane,
    OUT ids bigint[], OUT scores float8[], OUT is_proven boolean
) LANGUAGE plpgsql STABLE AS $$
DECLARE
    n integer := cardinality(asked.term_ids);
    ones sparsevec[] := zol_ones(asked.term_ids);
    question sparsevec := (
        SELECT ('{' || string_agg(u.id || ':' || u.weight, ',' ORDER BY u.id) || '}/1000000000')::sparsevec
        FROM unnest(asked.term_ids, asked.weights) u(id, weight));
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
    is_proven := true;
    -- Without drift the order is already right, but for rounding; each point of drift asks for more.
    wanted := CASE WHEN asked.slack < 2 THEN best + 8 + ceil(best * (asked.slack - 1) * 40)::integer ELSE most END;
    part := format('retrieval_posting_%s_%s', h, which);
    -- The selected are scored anew: the frequency is read back from the pinned impact, and is whole.
    statement := 'SELECT array_agg(s.chunk_id ORDER BY s.score DESC, s.chunk_id),
            array_agg(s.score ORDER BY s.score DESC, s.chunk_id), count(*), min(s.pinned)
        FROM (
            SELECT top.chunk_id, top.pinned, (
                SELECT sum(u.gain * zol_share(
                    zol_frequency(f.impact, top.length, $6, $8, $9), top.length, $4, $5))
                FROM unnest($2, $3) u(one, gain),
                    LATERAL (SELECT -(top.impacts <#> u.one) AS impact) f
                WHERE f.impact > 0
            ) AS score
            FROM (
                SELECT m.* FROM (
                    SELECT p.chunk_id, p.length::float8 AS length, p.impacts,
                        -(p.impacts <#> $1) AS pinned
                    FROM ' || part || ' p
                    WHERE %s AND p.searchable'
                    || CASE WHEN kinds IS NULL THEN '' ELSE ' AND p.category = ANY ($10)' END || '
                    LIMIT $11
                ) m ORDER BY m.pinned DESC, m.chunk_id LIMIT $7
            ) top OFFSET 0
        ) s';

    -- First pass: the rarest words, until enough chunks hold them; all words at once if none is rare.
    first := 0;
    WHILE first < n AND seen < best * 4 LOOP
        first := first + 1;
        seen := seen + asked.dfs[first];
    END LOOP;
    IF asked.dfs[1] > 2000 AND n > 1 THEN
        first := 0;
        EXECUTE format(statement, 'zol_terms_of(p.impacts) @> $12') INTO ids, scores, seen, lowest
        USING question, ones, asked.gains, asked.flat, asked.slope, lane_row.k1, wanted,
            lane_row.b, lane_row.average, kinds, most, asked.term_ids;
    ELSE
        EXECUTE format(statement, 'zol_terms_of(p.impacts) && $12') INTO ids, scores, seen, lowest
        USING question, ones, asked.gains, asked.flat, asked.slope, lane_row.k1, wanted,
            lane_row.b, lane_row.average, kinds, most, asked.term_ids[1:first];
    END IF;
    ids := coalesce(ids, '{}'); scores := coalesce(scores, '{}');
    IF cardinality(scores) >= best THEN
        threshold := scores[best];
    END IF;

    -- Second pass: as many words more as it takes until no chunk without them can be among the best.
    rest := (SELECT sum(x) FROM unnest(asked.bounds) x);
    mandatory := ARRAY(SELECT u.id FROM unnest(asked.term_ids, asked.bounds) u(id, bound)
                       WHERE rest - u.bound < threshold);
    essential := 0;
    WHILE essential < n AND rest >= threshold LOOP
        essential := essential + 1;
        rest := CASE WHEN essential = n THEN 0 ELSE rest - asked.bounds[essential] END;
    END LOOP;
    IF essential > first THEN
        EXECUTE format(statement, 'zol_terms_of(p.impacts) && $12'
            || CASE WHEN cardinality(mandatory) > 0 THEN ' AND zol_terms_of(p.impacts) @> $13' ELSE '' END)
        INTO ids, scores, seen, lowest
        USING question, ones, asked.gains, asked.flat, asked.slope, lane_row.k1, wanted,
            lane_row.b, lane_row.average, kinds, most, asked.term_ids[1:essential], mandatory;
        ids := coalesce(ids, '{}'); scores := coalesce(scores, '{}');
        is_proven := least(
            (SELECT sum(x) FROM unnest(asked.dfs[1:essential]) x),
            (SELECT min(u.df) FROM unnest(asked.term_ids, asked.dfs) u(id, df) WHERE u.id = ANY (mandatory))
        ) <= most;
    END IF;
    -- Chunks that the impacts left out could still be among the best after a drift.
    IF asked.slack < 2 AND seen >= wanted AND lowest * asked.slack > scores[best] THEN
        is_proven := false;
    END IF;
    ids := ids[1:best]; scores := scores[1:best];
END $$;

-- One keyword lane of the served hospital on its own, for looking up words exactly.
CREATE OR REPLACE FUNCTION zol_keyword(
    which smallint, terms text[], k1 float8, b float8, best integer, kinds text[], most integer,
    OUT ids bigint[], OUT scores float8[], OUT is_proven boolean
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    SELECT f.ids, f.scores, f.is_proven INTO ids, scores, is_proven
    FROM zol_bm25(zol_served(), which, terms, k1, b, best, kinds, most) f;
END $$;
