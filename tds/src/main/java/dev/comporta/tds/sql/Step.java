package dev.comporta.tds.sql;

/** What the reader of a part of a statement made of a token. */
enum Step {
    /** It was the part's, and there is more to come. */
    MORE,
    /** It was the part's last. */
    LAST,
    /** The part ended before it. */
    OVER,
    /** The statement ended before it. */
    ENDED,
    /** It fits no known form. */
    UNKNOWN
}
