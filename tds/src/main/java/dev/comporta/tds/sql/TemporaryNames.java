package dev.comporta.tds.sql;

/** Tells whether a name that begins with # is being made or only used. Belongs to one scanner. */
final class TemporaryNames {
    private final TokenText text;
    private final SqlFindings findings;
    private boolean isInner;
    private boolean isTarget;

    TemporaryNames(TokenText text, SqlFindings findings) {
        this.text = text;
        this.findings = findings;
    }

    void startText(Scope scope) {
        isInner = scope == Scope.INNER;
        isTarget = false;
    }

    /** Sees each token of a statement's body. {@code createsTable} tells a table from other things that CREATE makes. */
    void see(Token token, Keyword keyword, Keyword previous, boolean creates, boolean createsTable) {
        switch (token) {
            case WORD, DELIMITED -> {
                if (text.startsWith('#')) {
                    note(previous, creates, createsTable);
                } else if (keyword == Keyword.INTO) {
                    // INSERT INTO and MERGE INTO fill a table that is there; any other INTO may make it.
                    isTarget = previous != Keyword.INSERT && previous != Keyword.MERGE;
                } else if (keyword != Keyword.NONE) {
                    isTarget = false;
                }
            }
            case DOT -> {} // tempdb..#t
            default -> isTarget = false;
        }
    }

    private void note(Keyword previous, boolean creates, boolean createsTable) {
        // CREATE INDEX i ON #t makes no table.
        boolean makes = isTarget || (creates && previous != Keyword.ON);
        boolean isGlobal = text.length() > 1 && text.at(1) == '#';
        // Only a local table is dropped with the text that made it.
        boolean endsWithText = isInner && !isGlobal && (isTarget || createsTable);
        findings.add(makes && !endsWithText ? Finding.CREATES_TEMPORARY : Finding.USES_TEMPORARY);
        isTarget = false;
    }
}
