package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.TokenText;
import io.netty.buffer.ByteBuf;

/**
 * Reads the T-SQL text of a request once, where it lies, and says what it means for pooling. It never throws, takes time
 * in proportion to the text's length whatever the text, and allocates nothing once it has seen a few texts. Use one
 * scanner for one text at a time: {@link #scan} for a text that is whole, {@link #start}, {@link #feed}, {@link #end} for
 * one that comes in pieces, cut at any byte.
 *
 * <p>What it finds holds if the text ran to its end. A response with an error, or one that was cancelled, may have left
 * the text half way: then the options it sets are uncertain, all of them, as {@link SqlFindings#setIsCertain} would say.
 */
public final class SqlScanner {
    private final SqlFindings findings = new SqlFindings();
    private final StatementReader reader;
    private final TextLexer lexer;

    public SqlScanner() {
        this(0);
    }

    /** @param depth how many texts are around the one that it reads */
    SqlScanner(int depth) {
        TokenText text = new TokenText();
        reader = new StatementReader(text, findings, depth);
        lexer = new TextLexer(text, reader);
        start(Scope.BATCH);
    }

    /** Borrows the buffer and leaves its indexes as they are. */
    public SqlFindings scan(ByteBuf text, int index, int length, Scope scope) {
        start(scope);
        feed(text, index, length);
        return end();
    }

    /** Begins a text and forgets the last one's findings. */
    public void start(Scope scope) {
        findings.clear();
        reader.start(scope);
        lexer.start();
    }

    /** Reads the next piece of the text, UCS-2LE. Borrows the buffer and leaves its indexes as they are. */
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

    /** How many characters and tokens were looked at, each time counted. */
    long steps() {
        return lexer.position() + reader.steps();
    }
}
