package dev.comporta.tds.sql;

/** Why a text is not entirely understood. Only the first doubt of a text is kept: later ones often follow from it. */
public enum Doubt {
    NONE,
    /** A statement begins with a word that is not known to begin one. */
    UNKNOWN_STATEMENT,
    /** SET of an unknown option, or in an unknown form. */
    UNKNOWN_SET,
    /** A DBCC command that is not known to leave the session unchanged. */
    UNKNOWN_DBCC,
    /** A character that servers may take for white space, for a letter, or for a currency sign. */
    ODD_CHARACTER,
    /** A carriage return alone, or another line end, in a -- comment: servers may or may not end the comment there. */
    ODD_LINE_END,
    /** A number directly followed by a word: no server documents where one ends and the other begins. */
    ODD_NUMBER,
    /** The text ends inside a string, a delimited identifier or a comment. */
    UNCLOSED_TOKEN,
    /** Parentheses, BEGIN…END or CASE…END don't match. */
    UNBALANCED,
    /** The text ends inside a statement that needs more words, or within a character. */
    CUT_SHORT,
    /** A name or value is longer than any valid one. */
    TOO_LONG,
    /** More SET options, procedures, cursors or nested blocks than the scanner keeps. */
    TOO_MANY,
    /** A module is defined after another statement, which no server accepts. */
    MODULE_NOT_FIRST,
    /** An option that works while the text is parsed is set in a module's body. */
    SET_IN_MODULE
}
