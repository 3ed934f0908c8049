package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.NameList;
import dev.comporta.tds.sql.word.TextArena;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;

/** Reads the statements whose effect depends on a word or two after the first. Belongs to one scanner. */
final class FormReader {
    private final TokenText text;
    private final SqlFindings findings;
    private final NameList cursors = new NameList();
    /** While a local cursor has the same name as a global one, the plain name means the local one. */
    private final NameList localCursors = new NameList();

    private boolean isInner;
    private Keyword head = Keyword.NONE;
    private boolean isSure;
    /** Within DECLARE name CURSOR: the name, and whether LOCAL was given. */
    private boolean hasCursorName;

    private int cursorName;
    private boolean isLocalCursor;
    private boolean saysGlobal;
    private Doubt doubt = Doubt.NONE;

    FormReader(TokenText text, SqlFindings findings) {
        this.text = text;
        this.findings = findings;
    }

    void startText(Scope scope) {
        isInner = scope == Scope.INNER;
        cursors.clear();
        localCursors.clear();
    }

    void start(Keyword statement, boolean sure) {
        head = statement;
        isSure = sure;
        hasCursorName = false;
        saysGlobal = false;
        isLocalCursor = false;
        doubt = Doubt.UNKNOWN_STATEMENT;
    }

    /** Why the last token fitted no form. */
    Doubt doubt() {
        return doubt;
    }

    void endText() {
        if (!cursors.isEmpty()) {
            findings.add(Finding.LEAVES_CURSOR);
        }
    }

    Step accept(Token token, Keyword keyword) {
        return switch (head) {
            case SAVE -> save(keyword);
            case USE -> use(token);
            case DECLARE -> hasCursorName ? declareCursor(token, keyword) : declare(token);
            case OPEN -> open(token, keyword);
            case DEALLOCATE -> deallocate(token, keyword);
            case DBCC -> dbcc(token);
            case INSERT, WRITETEXT, UPDATETEXT -> bulk(keyword);
            default -> Step.OVER;
        };
    }

    private Step save(Keyword keyword) {
        if (keyword != Keyword.TRAN && keyword != Keyword.TRANSACTION) {
            return Step.UNKNOWN;
        }
        findings.add(Finding.SAVES_TRANSACTION);
        return Step.LAST;
    }

    private Step use(Token token) {
        if (token != Token.WORD && token != Token.DELIMITED) {
            return Step.UNKNOWN;
        }
        if (isInner) {
            findings.mayLeave();
            return Step.LAST;
        }
        TextArena arena = findings.arena();
        int start = arena.end();
        if (text.isTooLong() || !arena.append(text)) {
            doubt = Doubt.TOO_LONG;
            return Step.UNKNOWN;
        }
        findings.database(arena.sliceFrom(start));
        findings.add(Finding.CHANGES_DATABASE);
        return Step.LAST;
    }

    private Step declare(Token token) {
        return switch (token) {
            case VARIABLE -> Step.OVER;
            case WORD, DELIMITED -> {
                findings.mayLeave();
                hasCursorName = true;
                cursorName = text.hash();
                yield Step.MORE;
            }
            default -> Step.UNKNOWN;
        };
    }

    /** DECLARE c SCROLL CURSOR LOCAL FOR SELECT…: unless it says LOCAL, a database's default decides, mostly GLOBAL. */
    private Step declareCursor(Token token, Keyword keyword) {
        if (token != Token.WORD) {
            return Step.UNKNOWN;
        }
        if (keyword == Keyword.LOCAL) {
            isLocalCursor = true;
        }
        if (keyword != Keyword.FOR) {
            return Step.MORE;
        }
        findings.add(Finding.USES_CURSOR);
        (isLocalCursor ? localCursors : cursors).add(cursorName);
        return Step.LAST;
    }

    private Step open(Token token, Keyword keyword) {
        if (keyword == Keyword.SYMMETRIC || keyword == Keyword.MASTER) {
            findings.add(Finding.OPENS_KEY);
        } else if (token != Token.VARIABLE) {
            findings.add(Finding.USES_CURSOR);
        }
        return Step.LAST;
    }

    private Step deallocate(Token token, Keyword keyword) {
        if (keyword == Keyword.GLOBAL) {
            saysGlobal = true;
            return Step.MORE;
        }
        if (token == Token.WORD || token == Token.DELIMITED) {
            findings.add(Finding.USES_CURSOR);
            if (isSure && (saysGlobal || !localCursors.mayContain(text.hash()))) {
                cursors.remove(text.hash());
            }
        }
        return Step.LAST;
    }

    private Step bulk(Keyword keyword) {
        if (keyword != Keyword.BULK) {
            return Step.OVER;
        }
        findings.add(Finding.INSERT_BULK);
        return Step.LAST;
    }

    private Step dbcc(Token token) {
        if (token == Token.WORD && SystemName.isHarmlessDbcc(text)) {
            return Step.LAST;
        }
        if (token == Token.WORD && SystemName.isTraceOn(text)) {
            findings.add(Finding.SETS_TRACE_FLAG);
            return Step.LAST;
        }
        doubt = Doubt.UNKNOWN_DBCC;
        return Step.UNKNOWN;
    }
}
