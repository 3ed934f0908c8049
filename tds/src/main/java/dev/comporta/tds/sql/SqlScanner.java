package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.TokenText;
import io.netty.buffer.ByteBuf;

/**
 * Reads the T-SQL text of a request once, in place, and reports what it means for pooling. It never throws, takes time
 * proportional to the text's length whatever the text, and allocates nothing after its first few texts. Use one scanner
 * for one text at a time: {@link #scan} for a whole text, {@link #start}, {@link #feed}, {@link #end} for one that comes
 * in pieces, cut at any byte.
 *
 * <p>The findings hold if the text ran to its end. After an error or a cancel only part of the text may have run: then all
 * the options that it sets are uncertain, whatever {@link SqlFindings#setIsCertain} says.
 */
public final class SqlScanner {
    private final SqlFindings findings = new SqlFindings();
    private final StatementReader reader;
    private final TextLexer lexer;

    public SqlScanner() {
        this(0);
    }

    /** @param depth the number of texts around the one that it reads */
    SqlScanner(int depth) {
        TokenText text = new TokenText();
        reader = new StatementReader(text, findings, depth);
        lexer = new TextLexer(text, reader);
        start(Scope.BATCH);
    }

    /** Borrows the buffer and does not change its indexes. */
    public SqlFindings scan(ByteBuf text, int index, int length, Scope scope) {
        start(scope);
        feed(text, index, length);
        return end();
    }

    /** Begins a text and discards the last one's findings. */
    public void start(Scope scope) {
        findings.clear();
        reader.start(scope);
        lexer.start();
    }

    /** Reads the next piece of the text, UCS-2LE. Borrows the buffer and does not change its indexes. */
    public void feed(ByteBuf text, int index, int length) {
        lexer.feed(text, index, length);
    }

    /** Ends the text. The findings are this scanner's own and are valid until its next {@link #start}. */
    public SqlFindings end() {
        lexer.end();
        reader.end();
        return findings;
    }

    TextLexer lexer() {
        return lexer;
    }

    /** The number of times that a character or token was looked at. */
    long steps() {
        return lexer.position() + reader.steps();
    }
}
