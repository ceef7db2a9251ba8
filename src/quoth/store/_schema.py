"""The schema's history: append, never edit a step that has shipped."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from quoth.errors import (
    ArchiveNotFoundError,
    ArchiveOutdatedError,
    ArchiveTooNewError,
)

__all__ = [
    "SCHEMA_VERSION",
    "TOKENIZER",
    "check_readable",
    "is_current",
    "migrate",
    "objects_in",
    "objects_made",
]

TOKENIZER = "porter unicode61 remove_diacritics 2"

# Times are milliseconds since the epoch, UTC. `message` holds no text, so that
# filters and counts walk a small table; `body` holds what is quoted and indexed.
_FIRST = f"""
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY
) STRICT, WITHOUT ROWID;

CREATE TABLE source_file (
    id             INTEGER PRIMARY KEY,
    source         TEXT NOT NULL,
    path           BLOB NOT NULL,             -- as the file system spells it
    part           TEXT NOT NULL DEFAULT '',
    stamp          TEXT NOT NULL DEFAULT '',
    settled        INTEGER NOT NULL DEFAULT 0,
    size           INTEGER NOT NULL DEFAULT 0,
    checkpoint     TEXT,                      -- JSON
    parser_version INTEGER NOT NULL DEFAULT 0,
    reading        INTEGER NOT NULL DEFAULT 0, -- how often it was begun anew
    state          TEXT NOT NULL DEFAULT 'open'
                   CHECK (state IN ('open', 'done', 'failed')),
    error          TEXT,
    read_at        INTEGER,
    gone_at        INTEGER,
    UNIQUE (source, path, part)
) STRICT;
CREATE INDEX source_file_gone ON source_file (gone_at) WHERE gone_at IS NOT NULL;

CREATE INDEX source_file_failed ON source_file (id)
    WHERE state = 'failed' AND gone_at IS NULL;

CREATE TABLE skipped_record (
    file   INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    offset INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (file, offset)
) STRICT, WITHOUT ROWID;

CREATE TABLE ignored_record (
    file  INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    kind  TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (file, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversation (
    id             INTEGER PRIMARY KEY,
    key            TEXT NOT NULL UNIQUE,
    source         TEXT NOT NULL,
    native_id      TEXT NOT NULL,
    kind           TEXT NOT NULL,
    parent_key     TEXT,
    root           INTEGER NOT NULL DEFAULT 0, -- the conversation it is listed under
    title          TEXT,
    title_origin   TEXT,
    title_words    TEXT,                       -- NULL where equal to the title
    cwd            TEXT,
    repo           TEXT,
    branch         TEXT,
    started_at     INTEGER,
    ended_at       INTEGER,
    models         TEXT NOT NULL DEFAULT '[]', -- JSON
    app_version    TEXT,
    file           INTEGER NOT NULL REFERENCES source_file (id), -- of those told
    source_gone_at INTEGER,                    -- set when all of those are gone
    next_seq       INTEGER NOT NULL DEFAULT 1,
    messages       INTEGER NOT NULL DEFAULT 0, -- live, visible, at home here
    texts          INTEGER NOT NULL DEFAULT 0, -- those of them that get vectors
    shares         INTEGER NOT NULL DEFAULT 0  -- 1 when another one holds its messages
) STRICT;
CREATE INDEX conversation_by_parent ON conversation (parent_key)
    WHERE parent_key IS NOT NULL;
CREATE INDEX conversation_by_root ON conversation (root);
CREATE INDEX conversation_by_end ON conversation (ended_at) WHERE shares = 1;

CREATE TABLE told (
    conversation INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    file         INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    reading      INTEGER NOT NULL,
    position     INTEGER NOT NULL DEFAULT 0,   -- the last one given to a member
    facts        TEXT NOT NULL,                -- JSON: what this file tells of it
    PRIMARY KEY (conversation, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_by_file ON told (file);

CREATE TABLE context (
    id     INTEGER PRIMARY KEY,
    model  TEXT NOT NULL DEFAULT '',
    cwd    TEXT NOT NULL DEFAULT '',
    branch TEXT NOT NULL DEFAULT '',
    UNIQUE (model, cwd, branch)
) STRICT;

CREATE TABLE message (
    id               INTEGER PRIMARY KEY,
    home             INTEGER NOT NULL REFERENCES conversation (id),
    live             INTEGER NOT NULL,         -- 1 while any conversation shows it
    role             TEXT NOT NULL,
    noise            TEXT,
    at               INTEGER,
    approximate_time INTEGER NOT NULL DEFAULT 0,
    is_command       INTEGER NOT NULL DEFAULT 0,
    context          INTEGER NOT NULL REFERENCES context (id),
    text_hash        BLOB,                     -- set where the text gets vectors
    native_id        TEXT NOT NULL,
    fingerprint      BLOB NOT NULL,            -- of the source and all it said
    author           TEXT
) STRICT;
CREATE UNIQUE INDEX message_by_native ON message (native_id, fingerprint);
CREATE INDEX message_by_text ON message (text_hash) WHERE text_hash IS NOT NULL;

CREATE TABLE body (
    id          INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    text        TEXT NOT NULL,
    search_text TEXT,                          -- NULL where equal to the text
    tool_words  TEXT,                          -- what the tools it calls were given
    names       TEXT,                          -- parts of the identifiers in it
    reasoning   TEXT
) STRICT;

CREATE TABLE member (
    conversation INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    seq          INTEGER NOT NULL,
    message      INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    live         INTEGER NOT NULL,
    file         INTEGER NOT NULL REFERENCES source_file (id),
    reading      INTEGER NOT NULL,
    position     INTEGER NOT NULL,             -- order in the file, at that reading
    offset       INTEGER NOT NULL,             -- where in the file it stands
    length       INTEGER NOT NULL,
    path         TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX member_by_message ON member (message, conversation);

CREATE TABLE tool_call (
    id             INTEGER PRIMARY KEY,
    message        INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    call_id        TEXT NOT NULL,
    name           TEXT NOT NULL DEFAULT '',
    input          TEXT NOT NULL DEFAULT '',
    command        TEXT,
    exit_code      INTEGER,
    is_error       INTEGER,
    output         TEXT,                       -- NULL where equal to the answer's text
    output_size    INTEGER,
    result_message INTEGER REFERENCES message (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX tool_call_by_message ON tool_call (message);
CREATE INDEX tool_call_by_id ON tool_call (call_id);
CREATE INDEX tool_call_by_result ON tool_call (result_message)
    WHERE result_message IS NOT NULL;

CREATE TABLE file_touch (
    message  INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    path     TEXT NOT NULL,                    -- absolute where the folder is known
    relative TEXT,                             -- to the repository's root
    action   TEXT NOT NULL,
    PRIMARY KEY (message, path, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
    id             INTEGER PRIMARY KEY,
    source         TEXT NOT NULL,
    call_id        TEXT NOT NULL,
    conversation   INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    message        INTEGER REFERENCES message (id) ON DELETE SET NULL,
    model          TEXT,
    tier           TEXT,
    at             INTEGER,
    input          INTEGER NOT NULL,
    output         INTEGER NOT NULL,
    cache_read     INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    reasoning      INTEGER NOT NULL,
    lines          INTEGER NOT NULL,
    counted_by     TEXT NOT NULL,
    UNIQUE (source, call_id)
) STRICT;
CREATE INDEX usage_by_message ON usage (message) WHERE message IS NOT NULL;

CREATE TABLE embedder (
    id         INTEGER PRIMARY KEY,
    identity   TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    up_to      INTEGER NOT NULL DEFAULT 0,     -- every message up to here is embedded
    copied     INTEGER NOT NULL DEFAULT 0,     -- the last vectors in the flat copy
    generation INTEGER NOT NULL DEFAULT 0      -- and the archive's generation then
) STRICT;

CREATE TABLE embedding (
    id        INTEGER PRIMARY KEY,
    embedder  INTEGER NOT NULL REFERENCES embedder (id) ON DELETE CASCADE,
    text_hash BLOB NOT NULL,
    codes     BLOB NOT NULL,                   -- int8, windows x dimensions
    scales    BLOB NOT NULL,                   -- float32, one a window
    UNIQUE (embedder, text_hash)
) STRICT;

CREATE TABLE term (
    term      TEXT PRIMARY KEY,
    documents INTEGER NOT NULL                 -- only terms that many messages hold
) STRICT, WITHOUT ROWID;

CREATE VIEW message_words AS
SELECT message.id,
       CASE role WHEN 'user' THEN coalesce(search_text, text) ELSE '' END AS prompt,
       CASE role WHEN 'assistant' THEN coalesce(search_text, text) ELSE '' END AS reply,
       CASE role WHEN 'tool' THEN coalesce(search_text, text)
                 ELSE coalesce(tool_words, '') END AS tool,
       coalesce(names, '') AS names
  FROM message JOIN body USING (id)
 WHERE noise IS NULL;

CREATE VIRTUAL TABLE words USING fts5 (
    prompt, reply, tool, names,
    content = 'message_words', content_rowid = 'id', tokenize = '{TOKENIZER}'
);

CREATE VIEW conversation_words AS
SELECT id, coalesce(title_words, title) AS title FROM conversation
 WHERE title IS NOT NULL;

CREATE VIRTUAL TABLE titles USING fts5 (
    title,
    content = 'conversation_words', content_rowid = 'id', tokenize = '{TOKENIZER}'
);

CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab (words, row);
"""

# Codex's calls were told apart by their places in a file, and now by the running total:
# they are counted anew from every rollout that is still there.
_SECOND = """
DELETE FROM usage WHERE source = 'codex' AND conversation IN
    (SELECT id FROM conversation WHERE source_gone_at IS NULL);
ALTER TABLE conversation ADD COLUMN copy_of TEXT; -- key of what it was written from
-- Every search asks for all of these; checkpoints are long, and in between.
CREATE INDEX source_file_known ON source_file
    (source, path, part, stamp, settled, parser_version, state, gone_at);
CREATE INDEX conversation_by_original ON conversation (copy_of)
    WHERE copy_of IS NOT NULL;
"""

# What is forgotten leaves nothing that was said: a digest is an HMAC, under the key of
# its entry, since archives that are put together bring keys of their own.
_THIRD = """
CREATE TABLE citation_alias (
    message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    hash12  TEXT NOT NULL,                     -- of what stood there under older rules
    became  TEXT NOT NULL,                     -- that of what stands there since
    PRIMARY KEY (message, hash12)
) STRICT, WITHOUT ROWID;

CREATE TABLE forgotten (
    id            INTEGER PRIMARY KEY,
    uid           BLOB NOT NULL UNIQUE,        -- the same in every copy of the list
    key           BLOB NOT NULL,
    at            INTEGER NOT NULL,
    asked         TEXT NOT NULL,               -- by what it was chosen, not its words
    conversations INTEGER NOT NULL,
    messages      INTEGER NOT NULL,
    lifted_at     INTEGER                      -- from then on it keeps nothing out
) STRICT;

CREATE TABLE tombstone (
    digest BLOB NOT NULL,
    entry  INTEGER NOT NULL REFERENCES forgotten (id) ON DELETE CASCADE,
    kind   TEXT NOT NULL CHECK (kind IN ('conversation', 'message', 'text')),
    PRIMARY KEY (digest, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_by_entry ON tombstone (entry);

CREATE TABLE kept_out_unit (                   -- nothing in it may be recorded
    place BLOB PRIMARY KEY,
    stamp BLOB NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE source_file ADD COLUMN thinned INTEGER NOT NULL DEFAULT 0; -- some may not
ALTER TABLE message ADD COLUMN begins INTEGER NOT NULL DEFAULT 0; -- nothing leads to it
"""

# There may be vectors of several embedders, while one of them serves.
_FOURTH = """
ALTER TABLE embedder ADD COLUMN choice TEXT NOT NULL DEFAULT '{}'; -- to make it again
ALTER TABLE embedder ADD COLUMN serves INTEGER NOT NULL DEFAULT 0; -- searches ask it
ALTER TABLE embedder ADD COLUMN probe BLOB; -- float32: how it embedded a fixed word
UPDATE embedder SET serves = 1 WHERE id = (SELECT max(id) FROM embedder);
ALTER TABLE embedding ADD COLUMN refused TEXT; -- why this text has no vectors
CREATE INDEX embedding_refused ON embedding (embedder) WHERE refused IS NOT NULL;
"""

# A block is right or absent: triggers hold that, whoever changes a message. Frequent
# words need no count of their own any more.
_FIFTH = """
CREATE TABLE doc_values (
    block  INTEGER PRIMARY KEY,                -- of 256 messages, by their ids
    packed BLOB NOT NULL
) STRICT;
CREATE TRIGGER message_came AFTER INSERT ON message BEGIN
    DELETE FROM doc_values WHERE block = new.id >> 8;
END;
CREATE TRIGGER message_changed AFTER UPDATE OF home, live, role, noise, at ON message
BEGIN
    DELETE FROM doc_values WHERE block = new.id >> 8;
END;
CREATE TRIGGER message_went AFTER DELETE ON message BEGIN
    DELETE FROM doc_values WHERE block = old.id >> 8;
END;
CREATE TRIGGER body_changed AFTER UPDATE ON body BEGIN
    DELETE FROM doc_values WHERE block = new.id >> 8;
END;
-- What asked a memory for what was said, and what it answered: echoes of others.
CREATE INDEX tool_call_echo ON tool_call (message, result_message)
 WHERE name GLOB 'mcp__*recall*' OR name GLOB 'mcp__*quoth*'
    OR name GLOB 'mcp__*memory*' OR name GLOB 'mcp__*memories*'
    OR name GLOB 'mcp__*history*' OR name IN ('conversation_search', 'recent_chats')
    OR command GLOB 'quoth *' OR command GLOB 'uvx quoth *';
DROP TABLE term;
DELETE FROM meta WHERE key = 'terms_counted_at';
"""

_MIGRATIONS = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH)
SCHEMA_VERSION = len(_MIGRATIONS)


def is_current(connection: sqlite3.Connection) -> bool:
    """Say whether the schema is the one this quoth writes."""
    return _version(connection) == SCHEMA_VERSION


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the schema up to date, one transaction a step; a new file's all in one.

    Raises:
        ArchiveTooNewError: A later quoth wrote this file; it is left untouched.
    """
    found = _version(connection)
    if found > SCHEMA_VERSION:
        raise ArchiveTooNewError(path, found=found, known=SCHEMA_VERSION)
    steps = _MIGRATIONS[found:] if found else ["".join(_MIGRATIONS)]
    for version, script in enumerate(steps, start=SCHEMA_VERSION + 1 - len(steps)):
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {version};\nCOMMIT;"
        )


def check_readable(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse an archive of another schema: reading never migrates.

    Raises:
        ArchiveNotFoundError: Nothing was written yet.
        ArchiveTooNewError: A later quoth wrote it.
        ArchiveOutdatedError: An earlier quoth wrote it.
    """
    connection.execute("BEGIN")  # both answers from one moment
    found = _version(connection)
    is_empty = connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None
    connection.execute("ROLLBACK")
    if found > SCHEMA_VERSION:
        raise ArchiveTooNewError(path, found=found, known=SCHEMA_VERSION)
    if is_empty:
        raise ArchiveNotFoundError(path)  # the first sync is about to make it
    if found < SCHEMA_VERSION:
        raise ArchiveOutdatedError(path)


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def objects_in(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return the type and name of all that a database is made of."""
    rows = connection.execute("SELECT type, name FROM sqlite_schema")
    return {(kind, name) for kind, name in rows}


def objects_made() -> set[tuple[str, str]]:
    """Return the type and name of all that an archive is made of."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript("".join(_MIGRATIONS))
        return objects_in(connection)
    finally:
        connection.close()
