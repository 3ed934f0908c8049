package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.NameList;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/** Finds out whether a name that begins with # is made, dropped or only used. Belongs to one scanner. */
final class TemporaryNames {
    private final TokenText text;
    private final SqlFindings findings;
    private final CurrentStatement statement;
    private final NameList made = new NameList();
    /** The local tables that an inner text has made. */
    private final NameList madeInside = new NameList();

    private boolean droppedInside;
    private boolean isInner;
    private boolean isTarget;
    private boolean dropsOwn;
    /** A call came before the drop of a table: it may have begun a transaction that the text does not show. */
    private boolean droppedAfterCall;
    /** A statement after such a drop may have rolled it back. */
    private boolean mayBeBack;

    TemporaryNames(TokenText text, SqlFindings findings, CurrentStatement statement) {
        this.text = text;
        this.findings = findings;
        this.statement = statement;
    }

    void startText(Scope scope) {
        isInner = scope == Scope.INNER;
        isTarget = false;
        dropsOwn = false;
        droppedAfterCall = false;
        mayBeBack = false;
        made.clear();
        madeInside.clear();
        droppedInside = false;
    }

    void beginStatement(Keyword first) {
        mayBeBack |= droppedAfterCall && first != Keyword.DROP && !Harmless.isHead(first);
    }

    void endText() {
        boolean drops = dropsOwn && !mayBeBack && !findings.hasAny(Finding.Effect.TRANSACTION);
        if (!made.isEmpty() || drops != dropsOwn) {
            findings.add(Finding.CREATES_TEMPORARY);
        } else if (drops) {
            findings.add(Finding.DROPS_OWN_TEMPORARY);
        }
        if (!madeInside.isEmpty() || (droppedInside && findings.hasAny(Finding.Effect.TRANSACTION))) {
            findings.add(Finding.CREATES_TEMPORARY_INSIDE);
        }
    }

    void see(Keyword keyword, Keyword previous) {
        if (keyword == Keyword.INTO) {
            // INSERT INTO and MERGE INTO fill an existing table; any other INTO may make one.
            isTarget = previous != Keyword.INSERT && previous != Keyword.MERGE;
        }
    }

    /** Looks at a name in a statement's body. {@code createsTable} is false if CREATE makes something else. */
    void seeName(Keyword previousKeyword, Token previous, boolean createsTable) {
        isTarget &= previousKeyword == Keyword.INTO || previous == Token.DOT; // INTO tempdb..#t
        if (text.startsWith('#')) {
            note(previousKeyword, createsTable);
        }
    }

    private void note(Keyword previous, boolean createsTable) {
        findings.add(Finding.USES_TEMPORARY);
        // CREATE INDEX i ON #t makes no table.
        boolean makes = isTarget || (statement.creates() && previous != Keyword.ON);
        boolean isGlobal = text.length() > 1 && text.at(1) == '#';
        // Only a local table is dropped when the text that made it ends.
        boolean endsWithText = isInner && !isGlobal && (isTarget || createsTable);
        if (makes) {
            (endsWithText ? madeInside : made).add(text.hash());
        } else if (statement.dropsTable() && statement.isSure()) {
            drop(text.hash());
        }
        isTarget = false;
    }

    /** Removes the name as often as it was added: a name that two branches of an IF make is one table. */
    private void drop(int name) {
        while (madeInside.remove(name)) {
            droppedInside = true;
        }
        while (made.remove(name)) {
            dropsOwn = true;
            droppedAfterCall |= findings.hasAny(Finding.Effect.OPAQUE);
        }
    }
}
