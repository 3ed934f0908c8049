package dev.comporta.console.sql;

/**
 * A text whose JDBC question marks were replaced by parameters: {@code @p1}, {@code @p2} and so on.
 *
 * @param count the number of question marks
 */
public record Placeholders(String text, int count) {
    private static final String PREFIX = "@p";

    /**
     * Leaves question marks in quotes, brackets and comments as they are.
     *
     * @throws SqlError at the place of a syntax error
     */
    public static Placeholders of(String text) {
        StringBuilder named = new StringBuilder();
        int count = 0;
        int copied = 0;
        for (Token token : Lexer.tokens(text)) {
            if (token.isSymbol("?")) {
                named.append(text, copied, token.start()).append(name(++count));
                copied = token.end();
            }
        }
        return new Placeholders(named.append(text, copied, text.length()).toString(), count);
    }

    /** @param place counted from 1 */
    public static String name(int place) {
        return PREFIX + place;
    }
}
