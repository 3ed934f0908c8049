package dev.comporta.tds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.sql.TextLexer.State;
import dev.comporta.tds.sql.word.TokenText;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state with every kind of input. */
class TextLexerStateTest {
    /** A text that leads into each state. */
    private static final Map<State, String> WAYS = Map.ofEntries(
            Map.entry(State.BETWEEN, ""),
            Map.entry(State.WORD, "a"),
            Map.entry(State.MONEY, "$"),
            Map.entry(State.INTEGER, "0"),
            Map.entry(State.FRACTION, "1."),
            Map.entry(State.EXPONENT, "1e"),
            Map.entry(State.EXPONENT_DIGITS, "1e+"),
            Map.entry(State.HEX, "0x"),
            Map.entry(State.STRING, "'"),
            Map.entry(State.STRING_QUOTE, "''"),
            Map.entry(State.QUOTED, "\""),
            Map.entry(State.QUOTED_QUOTE, "\"\""),
            Map.entry(State.BRACKETED, "["),
            Map.entry(State.BRACKETED_END, "[]"),
            Map.entry(State.DASH, "-"),
            Map.entry(State.SLASH, "/"),
            Map.entry(State.LINE_COMMENT, "--"),
            Map.entry(State.LINE_COMMENT_RETURN, "--\r"),
            Map.entry(State.BLOCK_COMMENT, "/*"),
            Map.entry(State.BLOCK_COMMENT_STAR, "/**"),
            Map.entry(State.BLOCK_COMMENT_SLASH, "/*/"));

    /** The inputs, one a column: R and L are the two line ends, _ is a space, u is an ideographic space. */
    private static final String INPUTS = "a e x 1 $ . ' \" [ ] - / * ( R L _ u";

    private static final Map<String, State> SHORT = Map.ofEntries(
            Map.entry(".", State.BETWEEN),
            Map.entry("W", State.WORD),
            Map.entry("$", State.MONEY),
            Map.entry("I", State.INTEGER),
            Map.entry("F", State.FRACTION),
            Map.entry("E", State.EXPONENT),
            Map.entry("D", State.EXPONENT_DIGITS),
            Map.entry("H", State.HEX),
            Map.entry("S", State.STRING),
            Map.entry("SQ", State.STRING_QUOTE),
            Map.entry("Q", State.QUOTED),
            Map.entry("QQ", State.QUOTED_QUOTE),
            Map.entry("B", State.BRACKETED),
            Map.entry("BE", State.BRACKETED_END),
            Map.entry("-", State.DASH),
            Map.entry("/", State.SLASH),
            Map.entry("L", State.LINE_COMMENT),
            Map.entry("LR", State.LINE_COMMENT_RETURN),
            Map.entry("C", State.BLOCK_COMMENT),
            Map.entry("C*", State.BLOCK_COMMENT_STAR),
            Map.entry("C/", State.BLOCK_COMMENT_SLASH));

    private static final String TABLE = """
            BETWEEN             W  W  W  I  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            WORD                W  W  W  W  W  .  S  Q  B  .  -  /  .  .  .  .  .  .
            MONEY               W  W  W  I  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            INTEGER             W  E  H  I  $  F  S  Q  B  .  -  /  .  .  .  .  .  .
            FRACTION            W  E  W  F  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            EXPONENT            W  W  W  D  $  .  S  Q  B  .  D  /  .  .  .  .  .  .
            EXPONENT_DIGITS     W  W  W  D  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            HEX                 H  H  W  H  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            STRING              S  S  S  S  S  S  SQ S  S  S  S  S  S  S  S  S  S  S
            STRING_QUOTE        W  W  W  I  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            QUOTED              Q  Q  Q  Q  Q  Q  Q  QQ Q  Q  Q  Q  Q  Q  Q  Q  Q  Q
            QUOTED_QUOTE        W  W  W  I  $  .  S  Q  B  .  -  /  .  .  .  .  .  .
            BRACKETED           B  B  B  B  B  B  B  B  B  BE B  B  B  B  B  B  B  B
            BRACKETED_END       W  W  W  I  $  .  S  Q  B  B  -  /  .  .  .  .  .  .
            DASH                W  W  W  I  $  .  S  Q  B  .  L  /  .  .  .  .  .  .
            SLASH               W  W  W  I  $  .  S  Q  B  .  -  /  C  .  .  .  .  .
            LINE_COMMENT        L  L  L  L  L  L  L  L  L  L  L  L  L  L  LR .  L  L
            LINE_COMMENT_RETURN L  L  L  L  L  L  L  L  L  L  L  L  L  L  LR .  L  L
            BLOCK_COMMENT       C  C  C  C  C  C  C  C  C  C  C  C/ C* C  C  C  C  C
            BLOCK_COMMENT_STAR  C  C  C  C  C  C  C  C  C  C  C  .  C* C  C  C  C  C
            BLOCK_COMMENT_SLASH C  C  C  C  C  C  C  C  C  C  C  C/ C  C  C  C  C  C
            """;

    static Stream<String> rows() {
        return TABLE.lines();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void stateFollowsFromStateAndInput(String row) {
        String[] cells = row.split(" +");
        State from = State.valueOf(cells[0]);
        String[] inputs = INPUTS.split(" ");
        for (int i = 0; i < inputs.length; i++) {
            State expected = SHORT.get(cells[i + 1]);
            assertThat(after(WAYS.get(from) + character(inputs[i])))
                    .as("%s then %s", from, inputs[i])
                    .isEqualTo(expected);
        }
        assertThat(cells).hasSize(inputs.length + 1);
    }

    @Test
    void everyStateHasARow() {
        assertThat(TABLE.lines().map(row -> State.valueOf(row.split(" ")[0]))).containsExactly(State.values());
        Arrays.stream(State.values())
                .forEach(state -> assertThat(after(WAYS.get(state))).isEqualTo(state));
    }

    private static char character(String input) {
        return switch (input) {
            case "R" -> '\r';
            case "L" -> '\n';
            case "_" -> ' ';
            case "u" -> '\u3000';
            default -> input.charAt(0);
        };
    }

    private static State after(String text) {
        TokenText token = new TokenText();
        SqlFindings findings = new SqlFindings();
        StatementReader reader = new StatementReader(token, findings, 0);
        reader.start(Scope.BATCH);
        TextLexer lexer = new TextLexer(token, reader);
        lexer.start();
        ByteBuf bytes = SqlTexts.utf16(text);
        lexer.feed(bytes, 0, bytes.readableBytes());
        return lexer.state();
    }
}
