package dev.comporta.tds.sql.word;

import org.jspecify.annotations.Nullable;

/** The role of a character outside strings, delimited names and comments. */
public enum CharacterClass {
    SPACE,
    WORD_START,
    DIGIT,
    DOLLAR,
    /** Another sign that begins a constant of type money. */
    CURRENCY,
    QUOTE,
    DOUBLE_QUOTE,
    LEFT_BRACKET,
    DASH,
    SLASH,
    OPEN(Token.OPEN),
    CLOSE(Token.CLOSE),
    COMMA(Token.COMMA),
    SEMICOLON(Token.SEMICOLON),
    DOT(Token.DOT),
    COLON(Token.COLON),
    EQUALS(Token.EQUALS),
    PLUS(Token.PLUS),
    LEFT_BRACE(Token.LEFT_BRACE),
    RIGHT_BRACE(Token.RIGHT_BRACE),
    OPERATOR(Token.OPERATOR),
    /**
     * Treated as white space, with a doubt. Servers differ about control characters, no-break and ideographic spaces and
     * full-width signs.
     */
    ODD;

    private static final String CURRENCIES =
            "\u00A2\u00A3\u00A4\u00A5\u09F2\u09F3\u0E3F\u17DB\uFDFC\uFE69\uFF04\uFFE0\uFFE1\uFFE5\uFFE6";

    private static final CharacterClass[] ASCII = ascii();
    private static final boolean[] ASCII_WORD_PART = asciiWordPart();

    private final @Nullable Token token;

    CharacterClass() {
        this(null);
    }

    CharacterClass(@Nullable Token token) {
        this.token = token;
    }

    /** The token that the character alone makes up, or null. */
    public @Nullable Token token() {
        return token;
    }

    public static CharacterClass of(char c) {
        if (c < 128) {
            return ASCII[c];
        }
        return isWordPart(c) ? WORD_START : isCurrency(c) ? CURRENCY : ODD;
    }

    /** The currency signs that SQL Server documents for money constants. */
    private static boolean isCurrency(char c) {
        return CURRENCIES.indexOf(c) >= 0 || (c >= '\u20A0' && c <= '\u20B1');
    }

    public static boolean isWordPart(char c) {
        return c < 128 ? ASCII_WORD_PART[c] : isForeignWordPart(c);
    }

    static boolean isAsciiWordPart(char c) {
        return c < 128 && ASCII_WORD_PART[c];
    }

    /** Whether a server might end a -- comment at this character, as all do at a line feed. */
    public static boolean mayEndLine(char c) {
        return c == 0 || c == 0x0B || c == 0x0C || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    private static boolean isForeignWordPart(char c) {
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER, Character.LOWERCASE_LETTER, Character.TITLECASE_LETTER -> true;
            case Character.MODIFIER_LETTER, Character.OTHER_LETTER, Character.LETTER_NUMBER -> true;
            case Character.DECIMAL_DIGIT_NUMBER, Character.CONNECTOR_PUNCTUATION -> true;
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static CharacterClass[] ascii() {
        CharacterClass[] classes = new CharacterClass[128];
        for (char c = 0; c < 128; c++) {
            classes[c] = ascii(c);
        }
        return classes;
    }

    private static boolean[] asciiWordPart() {
        boolean[] parts = new boolean[128];
        for (char c = 0; c < 128; c++) {
            CharacterClass ascii = ascii(c);
            parts[c] = ascii == WORD_START || ascii == DIGIT || ascii == DOLLAR;
        }
        return parts;
    }

    private static CharacterClass ascii(char c) {
        return switch (c) {
            case ' ', '\t', '\n', '\r', '\f', 0x0B -> SPACE;
            case '_', '#', '@' -> WORD_START;
            case '$' -> DOLLAR;
            case '\'' -> QUOTE;
            case '"' -> DOUBLE_QUOTE;
            case '[' -> LEFT_BRACKET;
            case '-' -> DASH;
            case '/' -> SLASH;
            case '(' -> OPEN;
            case ')' -> CLOSE;
            case ',' -> COMMA;
            case ';' -> SEMICOLON;
            case '.' -> DOT;
            case ':' -> COLON;
            case '=' -> EQUALS;
            case '+' -> PLUS;
            case '{' -> LEFT_BRACE;
            case '}' -> RIGHT_BRACE;
            // ? stands for a parameter in an ODBC escape.
            case '*', '%', '&', '|', '^', '~', '!', '<', '>', '?' -> OPERATOR;
            default -> {
                if (c >= '0' && c <= '9') {
                    yield DIGIT;
                }
                char upper = TokenText.upper(c);
                yield upper >= 'A' && upper <= 'Z' ? WORD_START : ODD;
            }
        };
    }
}
