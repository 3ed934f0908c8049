package dev.comporta.tds.sql;

/** What a part's reader says about a token. */
enum Step {
    /** It belongs to the part, and more follows. */
    MORE,
    /** It is the part's last token. */
    LAST,
    /** The part ended before it. */
    OVER,
    /** The statement ended before it. */
    ENDED,
    /** It fits no known form. */
    UNKNOWN
}
