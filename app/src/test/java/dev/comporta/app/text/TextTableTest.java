package dev.comporta.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.text.TextTable.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void columnsAreAsWideAsWhatIsInThem() {
        TextTable table = new TextTable(List.of(Column.text("name"), Column.number("n"), Column.text("rest")));
        assertThat(table.lines(List.of(List.of("a", "1000", "x"), List.of("longer", "7", "")), true))
                .containsExactly(
                        "name       n  rest", //
                        "------  ----  ----",
                        "a       1000  x",
                        "longer     7");
    }

    @Test
    void whatIsTooLongIsCutVisibly() {
        TextTable table = new TextTable(List.of(Column.text("name", 5), Column.text("rest")));
        assertThat(table.lines(List.of(List.of("123456", "x"), List.of("12345", "y")), false))
                .containsExactly("name   rest", "1234…  x", "12345  y");
    }

    @Test
    void charactersThatTakeTwoCellsAreCountedAsTwo() {
        TextTable table = new TextTable(List.of(Column.text("name", 4), Column.text("rest")));
        assertThat(table.lines(List.of(List.of("日本", "x"), List.of("日本語", "y"), List.of("ab", "z")), false))
                .containsExactly("name  rest", "日本  x", "日…   y", "ab    z");
    }

    @Test
    void whatWouldMoveTheCursorIsReplaced() {
        assertThat(Cells.clean("a\u001b[31mb\r\n\u009bc\u202ed\u2066e\tf"))
                .isEqualTo("a\ufffd[31mb\ufffd\ufffd\ufffdc\ufffdd\ufffde\ufffdf");
        assertThat(Cells.clean("Grüße, 日本 😀")).isEqualTo("Grüße, 日本 😀");
    }
}
