package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.engine.type.Types;
import org.junit.jupiter.api.Test;

/** Cases that came up with third-party drivers. */
final class DriverEdgesTest extends EngineFixture {
    @Test
    void moneyReachesDownToItsLeastValue() {
        assertThat(rows("SELECT CAST(-214748.3648 AS smallmoney), CAST(-922337203685477.5808 AS money)"))
                .containsExactly("-214748.3648|-922337203685477.5808");
        assertThat(errors("SELECT CAST(-214748.3649 AS smallmoney)").getFirst()).contains("error 8115");
        assertThat(errors("SELECT CAST(922337203685477.5808 AS money)").getFirst())
                .contains("error 8115");
    }

    @Test
    void constantThatIsFoldedAwayIsNoParameter() {
        run("CREATE TABLE t (id int, name varchar(10))");
        assertThat(rows("SELECT name FROM sys.columns WHERE object_id = OBJECT_ID('t') ORDER BY column_id"))
                .containsExactly("id", "name");
    }

    @Test
    void cursorOfTheApiEndsItsRowsWithTheirStatus() {
        run("CREATE TABLE t (id int NOT NULL); INSERT t VALUES (1), (2)");
        Recording opened = call(
                "sp_cursoropen",
                output(Types.INT),
                text("SELECT id FROM t ORDER BY id"),
                number(8),
                number(1),
                output(Types.INT));
        assertThat(opened.events().getFirst()).isEqualTo("columns id int not null, ROWSTAT int not null");
        int handle = opened.events().stream()
                .filter(event -> event.startsWith("value "))
                .map(event -> event.substring(event.lastIndexOf(' ') + 1))
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElseThrow();
        assertThat(call("sp_cursorfetch", number(handle), number(2), number(0), number(10))
                        .rowLines())
                .containsExactly("1|1", "2|1");
    }
}
