package dev.comporta.tds.sql;

import dev.comporta.tds.sql.TextLexer.State;
import dev.comporta.tds.sql.word.TokenText;

/** The syntax of numbers: which characters may follow within one. */
final class NumberRules {
    private NumberRules() {}

    /**
     * The state of {@link TextLexer} after this character.
     *
     * @param state one of the states within a number
     * @param text the number so far
     * @return {@link State#BETWEEN} if the number ends before the character
     */
    static State next(State state, char c, TokenText text) {
        return switch (state) {
            case MONEY -> isDigit(c) ? State.INTEGER : isLetter(c) ? State.WORD : State.BETWEEN;
            case INTEGER -> afterInteger(c, text);
            case FRACTION -> isDigit(c) ? State.FRACTION : isExponent(c) ? State.EXPONENT : State.BETWEEN;
            case EXPONENT -> isDigit(c) || c == '+' || c == '-' ? State.EXPONENT_DIGITS : State.BETWEEN;
            case EXPONENT_DIGITS -> isDigit(c) ? State.EXPONENT_DIGITS : State.BETWEEN;
            case HEX -> isHexDigit(c) ? State.HEX : State.BETWEEN;
            case BETWEEN, WORD, STRING, STRING_QUOTE, QUOTED, QUOTED_QUOTE, BRACKETED, BRACKETED_END, DASH, SLASH ->
                throw new IllegalStateException(state.name());
            case LINE_COMMENT, LINE_COMMENT_RETURN, BLOCK_COMMENT, BLOCK_COMMENT_STAR, BLOCK_COMMENT_SLASH ->
                throw new IllegalStateException(state.name());
        };
    }

    private static State afterInteger(char c, TokenText text) {
        if (isDigit(c)) {
            return State.INTEGER;
        }
        if (c == '.') {
            return State.FRACTION;
        }
        if (isExponent(c)) {
            return State.EXPONENT;
        }
        return TokenText.upper(c) == 'X' && text.length() == 1 && text.at(0) == '0' ? State.HEX : State.BETWEEN;
    }

    static boolean isLetter(char c) {
        char upper = TokenText.upper(c);
        return upper >= 'A' && upper <= 'Z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isExponent(char c) {
        return c == 'e' || c == 'E';
    }

    private static boolean isHexDigit(char c) {
        char upper = TokenText.upper(c);
        return isDigit(c) || (upper >= 'A' && upper <= 'F');
    }
}
