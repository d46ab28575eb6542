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

-- The application reaches none of these but through the functions; by policy no other hospital's.
DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['retrieval_vector', 'retrieval_posting', 'retrieval_term',
            'retrieval_lane', 'retrieval_vectorcount', 'retrieval_vectorstate'] LOOP
        EXECUTE format('REVOKE ALL ON %I FROM zol_app', name);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY served ON %I USING (
            hospital_id = NULLIF(current_setting(''zol.hospital'', true), '''')::bigint)', name);
    END LOOP;
END $$;
