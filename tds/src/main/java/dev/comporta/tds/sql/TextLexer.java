package dev.comporta.tds.sql;

import dev.comporta.tds.sql.word.CharacterClass;
import dev.comporta.tds.sql.word.Keyword;
import dev.comporta.tds.sql.word.Token;
import dev.comporta.tds.sql.word.TokenText;
import dev.comporta.tds.sql.word.WordTable;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Cuts UCS-2LE text into tokens as its bytes arrive, split anywhere; looks at each character once. Where servers could cut
 * differently it raises a doubt and does not guess. Belongs to one scanner.
 */
final class TextLexer {
    enum State {
        BETWEEN,
        WORD,
        /** After $: money, or one of the few names that begin so. */
        MONEY,
        INTEGER,
        FRACTION,
        EXPONENT,
        EXPONENT_DIGITS,
        HEX,
        STRING,
        /** After a quote in a string: the string's end, or the first of a doubled quote. */
        STRING_QUOTE,
        QUOTED,
        QUOTED_QUOTE,
        BRACKETED,
        BRACKETED_END,
        DASH,
        SLASH,
        LINE_COMMENT,
        LINE_COMMENT_RETURN,
        BLOCK_COMMENT,
        BLOCK_COMMENT_STAR,
        BLOCK_COMMENT_SLASH
    }

    private static final WordTable<Boolean> DOLLAR_NAMES = dollarNames();

    private final TokenText text;
    private final StatementReader reader;
    private State state = State.BETWEEN;
    private int commentDepth;
    private long position;
    private int halfUnit = -1;
    /** The current word follows a number without a space. */
    private boolean followsNumber;
    /** Scans the characters of the string if it is a text that the statement runs. */
    private @Nullable TextLexer inner;

    TextLexer(TokenText text, StatementReader reader) {
        this.text = text;
        this.reader = reader;
    }

    void start() {
        state = State.BETWEEN;
        commentDepth = 0;
        position = 0;
        halfUnit = -1;
        followsNumber = false;
        inner = null;
        text.begin(0);
    }

    /** Borrows the buffer and does not change its indexes. */
    void feed(ByteBuf bytes, int index, int length) {
        int at = index;
        int end = index + length;
        if (halfUnit >= 0 && at < end) {
            step((char) (halfUnit | (bytes.getUnsignedByte(at++) << 8)));
            halfUnit = -1;
        }
        for (; at + 7 < end; at += 8) {
            fourCharacters(bytes.getLongLE(at));
        }
        for (; at + 1 < end; at += 2) {
            step((char) bytes.getShortLE(at));
        }
        if (at < end) {
            halfUnit = bytes.getUnsignedByte(at);
        }
    }

    private void fourCharacters(long four) {
        if (mayPassOver(four)) {
            position += 4;
            return;
        }
        int shift = 0;
        while (shift < Long.SIZE) {
            if (state == State.WORD) {
                int next = text.appendWordParts(four, shift);
                position += (next - shift) / Character.SIZE;
                shift = next;
                if (shift == Long.SIZE) {
                    return;
                }
            }
            step((char) (four >>> shift));
            shift += Character.SIZE;
        }
    }

    /** Whether four characters are all inside a literal or comment and none could end it. */
    private boolean mayPassOver(long four) {
        if (state == State.STRING) {
            return text.isTooLong() && !has(four, '\'');
        }
        return state == State.BLOCK_COMMENT && !has(four, '*') && !has(four, '/');
    }

    /** Whether one of the four characters is {@code c}: XOR makes it zero, and the rest is the usual test for a zero unit. */
    private static boolean has(long four, char c) {
        long zeroWhereSame = four ^ (c * 0x0001_0001_0001_0001L);
        return ((zeroWhereSame - 0x0001_0001_0001_0001L) & ~zeroWhereSame & 0x8000_8000_8000_8000L) != 0;
    }

    void end() {
        if (halfUnit >= 0) {
            reader.doubt(Doubt.CUT_SHORT, position);
        }
        switch (state) {
            case BETWEEN, LINE_COMMENT, LINE_COMMENT_RETURN -> {}
            case WORD, MONEY, INTEGER, FRACTION, EXPONENT, EXPONENT_DIGITS, HEX -> step(' ');
            case STRING_QUOTE, QUOTED_QUOTE, BRACKETED_END, DASH, SLASH -> step(' ');
            case STRING, QUOTED, BRACKETED, BLOCK_COMMENT, BLOCK_COMMENT_STAR, BLOCK_COMMENT_SLASH ->
                reader.doubt(Doubt.UNCLOSED_TOKEN, position);
        }
    }

    State state() {
        return state;
    }

    /** Characters read so far. */
    long position() {
        return position;
    }

    private void step(char c) {
        position++;
        // Tested before the switch: its jump through a table at every character is the largest cost here.
        if (state == State.BETWEEN) {
            between(c);
        } else if (state == State.WORD) {
            inWord(c);
        } else {
            stepByState(c);
        }
    }

    private void stepByState(char c) {
        switch (state) {
            case BETWEEN -> between(c);
            case WORD -> inWord(c);
            case MONEY, INTEGER, FRACTION, EXPONENT, EXPONENT_DIGITS, HEX -> inNumber(c);
            case STRING -> {
                if (c == '\'') {
                    state = State.STRING_QUOTE;
                } else {
                    inString(c);
                }
            }
            case STRING_QUOTE -> afterStringQuote(c);
            case QUOTED -> inside(c, '"', State.QUOTED_QUOTE);
            case QUOTED_QUOTE -> afterEnd(c, '"', State.QUOTED, Token.DELIMITED);
            case BRACKETED -> inside(c, ']', State.BRACKETED_END);
            case BRACKETED_END -> afterEnd(c, ']', State.BRACKETED, Token.DELIMITED);
            case DASH -> afterDash(c);
            case SLASH -> afterSlash(c);
            case LINE_COMMENT, LINE_COMMENT_RETURN -> inLineComment(c);
            case BLOCK_COMMENT, BLOCK_COMMENT_STAR, BLOCK_COMMENT_SLASH -> inBlockComment(c);
        }
    }

    private void between(char c) {
        CharacterClass kind = CharacterClass.of(c);
        if (kind == CharacterClass.WORD_START) {
            begin(State.WORD, c);
        } else if (kind != CharacterClass.SPACE) {
            @Nullable Token token = kind.token();
            if (token == null) {
                beginOther(c, kind);
            } else {
                reader.accept(token);
            }
        }
    }

    private void beginOther(char c, CharacterClass kind) {
        switch (kind) {
            case DIGIT -> begin(State.INTEGER, c);
            case DOLLAR, CURRENCY -> begin(State.MONEY, c);
            case QUOTE -> beginString();
            case DOUBLE_QUOTE -> begin(State.QUOTED);
            case LEFT_BRACKET -> begin(State.BRACKETED);
            case DASH -> state = State.DASH;
            case SLASH -> state = State.SLASH;
            default -> reader.doubt(Doubt.ODD_CHARACTER, position);
        }
    }

    private void begin(State token) {
        text.begin(position);
        state = token;
    }

    private void begin(State token, char first) {
        text.begin(position);
        text.append(first);
        state = token;
    }

    /** Ends the current token and looks at the character after it. */
    private void emit(Token token, char next) {
        state = State.BETWEEN;
        reader.accept(token);
        between(next);
    }

    private void inWord(char c) {
        if (CharacterClass.isWordPart(c)) {
            text.append(c);
        } else if (c == '\'' && text.length() == 1 && TokenText.upper(text.at(0)) == 'N') {
            followsNumber = false;
            beginString();
        } else {
            if (isOddWord()) {
                reader.doubt(Doubt.ODD_NUMBER, position);
            }
            followsNumber = false;
            emit(text.startsWith('@') ? Token.VARIABLE : Token.WORD, c);
        }
    }

    /**
     * Whether a server may end the word elsewhere: it is a currency sign with letters and not one of the known names, or a
     * keyword that follows a number without a space. Any other word after a number, as in 10MB, does not matter.
     */
    private boolean isOddWord() {
        return switch (CharacterClass.of(text.at(0))) {
            case DOLLAR, CURRENCY -> DOLLAR_NAMES.find(text) == null;
            default -> followsNumber && Keyword.of(text) != Keyword.NONE;
        };
    }

    private void inNumber(char c) {
        State next = NumberRules.next(state, c, text);
        if (next != State.BETWEEN) {
            text.append(c);
            state = next;
            return;
        }
        if (CharacterClass.isWordPart(c)) {
            // In 1else and 0x1from it is not certain which letters belong to the number.
            boolean isWhole = state != State.EXPONENT && state != State.HEX;
            if (isWhole && NumberRules.isLetter(c)) {
                followsNumber = true;
            } else {
                reader.doubt(Doubt.ODD_NUMBER, position);
            }
        }
        emit(Token.NUMBER, c);
    }

    private void afterStringQuote(char c) {
        if (c == '\'') {
            inString(c);
            state = State.STRING;
        } else {
            inner = null;
            emit(Token.STRING, c);
        }
    }

    private void beginString() {
        begin(State.STRING);
        inner = reader.beginString();
    }

    private void inString(char c) {
        if (inner == null) {
            text.append(c);
        } else {
            inner.step(c);
        }
    }

    private void inside(char c, char closing, State closed) {
        if (c == closing) {
            state = closed;
        } else {
            text.append(c);
        }
    }

    private void afterEnd(char c, char closing, State again, Token token) {
        if (c == closing) {
            text.append(c);
            state = again;
        } else {
            emit(token, c);
        }
    }

    private void afterDash(char c) {
        if (c == '-') {
            state = State.LINE_COMMENT;
        } else {
            emit(Token.MINUS, c);
        }
    }

    private void afterSlash(char c) {
        if (c == '*') {
            state = State.BLOCK_COMMENT;
            commentDepth = 1;
        } else {
            emit(Token.OPERATOR, c);
        }
    }

    private void inLineComment(char c) {
        if (c == '\n') {
            state = State.BETWEEN;
            return;
        }
        if (state == State.LINE_COMMENT_RETURN || CharacterClass.mayEndLine(c)) {
            reader.doubt(Doubt.ODD_LINE_END, position);
        }
        state = c == '\r' ? State.LINE_COMMENT_RETURN : State.LINE_COMMENT;
    }

    private void inBlockComment(char c) {
        if (c == '*' && state == State.BLOCK_COMMENT_SLASH) {
            commentDepth++;
            state = State.BLOCK_COMMENT;
        } else if (c == '/' && state == State.BLOCK_COMMENT_STAR) {
            commentDepth--;
            state = commentDepth == 0 ? State.BETWEEN : State.BLOCK_COMMENT;
        } else {
            state = c == '*' ? State.BLOCK_COMMENT_STAR : c == '/' ? State.BLOCK_COMMENT_SLASH : State.BLOCK_COMMENT;
        }
    }

    private static WordTable<Boolean> dollarNames() {
        String[] names = {
            "$ACTION", "$CUID", "$EDGE_ID", "$FROM_ID", "$IDENTITY", "$NODE_ID", "$PARTITION", "$ROWGUID", "$TO_ID"
        };
        WordTable<Boolean> table = new WordTable<>(names.length);
        for (String name : names) {
            table.put(name, Boolean.TRUE);
        }
        return table;
    }
}
