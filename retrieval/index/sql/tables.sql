-- The index: narrow tables beside the chunks, one partition for each hospital. Only the functions
-- of writing.sql and search.sql touch them; they learn the hospital from the session and nowhere else.

-- One row per chunk of the dense lane. PLAIN: an exact scan reads rows in place, four times faster
-- than TOASTed ones. No size is declared: every hospital's partition has the size of its embedding.
CREATE TABLE retrieval_vector (
    hospital_id bigint NOT NULL,
    chunk_id bigint NOT NULL,
    category text NOT NULL,
    searchable boolean NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (hospital_id, chunk_id)
) PARTITION BY LIST (hospital_id);
ALTER TABLE retrieval_vector ALTER embedding SET STORAGE PLAIN;

-- One row per chunk and keyword lane (0 exact, 1 stemmed). `impacts` holds, per term, BM25's
-- tf(k1+1) / (tf + k1(1-b+b·length/average)) for the pinned k1, b and average of retrieval_lane.
CREATE TABLE retrieval_posting (
    hospital_id bigint NOT NULL,
    lane smallint NOT NULL,
    chunk_id bigint NOT NULL,
    category text NOT NULL,
    searchable boolean NOT NULL,
    length integer NOT NULL,
    impacts sparsevec NOT NULL,
    PRIMARY KEY (hospital_id, lane, chunk_id)
) PARTITION BY LIST (hospital_id);
-- A score reads `impacts` in place; the partitions ask that rows are not TOASTed while a page holds
-- them. Nothing else of the terms is kept: which they are and how often they stand there follows.
ALTER TABLE retrieval_posting ALTER impacts SET STORAGE MAIN;

-- The dictionary: how many chunks hold a term, and the highest impact that any of them gives it.
CREATE TABLE retrieval_term (
    hospital_id bigint NOT NULL,
    lane smallint NOT NULL,
    text text COLLATE "C" NOT NULL,
    id integer NOT NULL,
    df integer NOT NULL DEFAULT 0,
    max_impact double precision NOT NULL DEFAULT 0,
    PRIMARY KEY (hospital_id, lane, text)
) WITH (fillfactor = 70);
-- The number comes first: a planner without statistics must not mistake this for a way to a text.
CREATE UNIQUE INDEX retrieval_term_id ON retrieval_term (id, lane, hospital_id);

-- What BM25 knows of a hospital's lane. Every indexed chunk counts, also one that is switched off.
CREATE TABLE retrieval_lane (
    hospital_id bigint NOT NULL,
    lane smallint NOT NULL,
    documents bigint NOT NULL DEFAULT 0,
    total_length bigint NOT NULL DEFAULT 0,
    next_term integer NOT NULL DEFAULT 1,
    -- What the impacts were made with.
    k1 double precision NOT NULL DEFAULT 1.2,
    b double precision NOT NULL DEFAULT 0.75,
    average double precision NOT NULL DEFAULT 0,
    -- The chunks whose packed entries count no more, or that have none yet; null: nothing is packed.
    changed bigint[],
    PRIMARY KEY (hospital_id, lane)
) WITH (fillfactor = 50);

-- How many searchable vectors a hospital has of each category of page: chooses the route of a search.
CREATE TABLE retrieval_vectorcount (
    hospital_id bigint NOT NULL,
    category text NOT NULL,
    rows bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (hospital_id, category)
) WITH (fillfactor = 50);

-- The size of the vectors, and whether there is a graph over them (HNSW) or they are scanned.
CREATE TABLE retrieval_vectorstate (
    hospital_id bigint PRIMARY KEY,
    dimensions integer NOT NULL,
    has_graph boolean NOT NULL DEFAULT false
);

-- Beside the rows of impacts the same by word (packing.sql).
CREATE TABLE retrieval_packed (
    hospital_id bigint NOT NULL,
    lane smallint NOT NULL,
    id integer NOT NULL,           -- of retrieval_term
    chunks bigint[] NOT NULL,      -- the searchable chunks that hold the term
    times smallint[] NOT NULL,     -- how often each of them does
    lengths smallint[] NOT NULL,   -- and how many terms it has
    PRIMARY KEY (hospital_id, lane, id)
);
-- Unpacking what is compressed would take longer than reading all of it.
ALTER TABLE retrieval_packed ALTER chunks SET STORAGE EXTERNAL, ALTER times SET STORAGE EXTERNAL,
    ALTER lengths SET STORAGE EXTERNAL;

-- What a question asks one keyword lane: its known words, rarest first, and what BM25 knows of them.
CREATE TYPE zol_asked AS (
    term_ids integer[],
    gains float8[],       -- the most a word adds in any hospital: idf (k1 + 1), times how often it is said
    bounds float8[],      -- the most it adds in this one
    dfs integer[],
    weights float8[],     -- idf, times how often it is said
    flat float8,          -- a score's k1 (1 - b)
    slope float8,         -- and its k1 b / average length, of the average as it is now
    slack float8          -- how far a score of impacts may be from the true one
);

-- The application reaches none of these but through the functions; by policy no other hospital's.
DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['retrieval_vector', 'retrieval_posting', 'retrieval_term',
            'retrieval_lane', 'retrieval_vectorcount', 'retrieval_vectorstate',
            'retrieval_packed'] LOOP
        EXECUTE format('REVOKE ALL ON %I FROM zol_app', name);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY served ON %I USING (
            hospital_id = NULLIF(current_setting(''zol.hospital'', true), '''')::bigint)', name);
    END LOOP;
END $$;

-- Texts of found chunks are read in place, as rows of impacts are, while a page holds them.
ALTER TABLE retrieval_chunk SET (toast_tuple_target = 8160);
