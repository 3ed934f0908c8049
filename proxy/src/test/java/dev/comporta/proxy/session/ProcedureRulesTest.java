package dev.comporta.proxy.session;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.sql.Scope;
import dev.comporta.tds.sql.SqlFindings;
import dev.comporta.tds.sql.SqlScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcedureRulesTest {
    private static SqlFindings scan(String sql) {
        ByteBuf text = Unpooled.wrappedBuffer(sql.getBytes(UTF_16LE));
        return new SqlScanner().scan(text, 0, text.readableBytes(), Scope.BATCH);
    }

    @ParameterizedTest
    @CsvSource({
        "p, p, true",
        "p, P, true",
        "p, [p], true",
        "p, dbo.p, true",
        "p, db..p, true",
        "p, srv.db.dbo.p, true",
        "p, q, false",
        "p, p.q, false",
        "dbo.p, dbo.p, true",
        "dbo.p, [DBO].[P], true",
        "dbo.p, p, true",
        "dbo.p, db..p, true",
        "dbo.p, x.p, false",
        "db.dbo.p, dbo.p, true",
        "db.dbo.p, other.dbo.p, false",
        "db..p, db.dbo.p, true",
        "billing.*, billing.take, true",
        "billing.*, take, true",
        "billing.*, dbo.take, false",
        "*_lock, dbo.take_lock, true",
        "t*e_*k, take_lock, true",
        "t*e_*k, take_locks, false",
    })
    void whatMayBeMeantPins(String rule, String called, boolean pins) {
        assertThat(ProcedureRules.of(List.of(rule), List.of()).pins(called)).isEqualTo(pins);
    }

    @ParameterizedTest
    @CsvSource({
        "p, p, true",
        "p, dbo.P, true",
        "dbo.p, dbo.p, true",
        "dbo.p, db.dbo.p, true",
        "dbo.p, p, false",
        "dbo.p, db..p, false",
        "dbo.p, x.p, false",
        "get_*, dbo.get_order, true",
        "get_*, dbo.set_order, false",
    })
    void onlyWhatIsSurelyMeantIsShared(String rule, String called, boolean shared) {
        assertThat(ProcedureRules.of(List.of(), List.of(rule)).pins(called)).isNotEqualTo(shared);
    }

    @Test
    void whatBothListsNameIsShared() {
        ProcedureRules rules = ProcedureRules.of(List.of("billing.*"), List.of("billing.get_*"));
        assertThat(rules.pins("billing.take")).isTrue();
        assertThat(rules.pins("billing.get_invoice")).isFalse();
        assertThat(rules.pins("dbo.other")).isFalse();
    }

    @Test
    void everyCallOfATextIsJudged() {
        ProcedureRules rules = ProcedureRules.of(List.of("take_lock"), List.of());
        assertThat(rules.pins(scan("EXEC p EXEC dbo.take_lock 1"))).isTrue();
        assertThat(rules.pins(scan("EXEC p"))).isFalse();
        assertThat(rules.pins(scan("EXEC ('EXEC take_lock')"))).isTrue();
        assertThat(rules.pins(scan("EXEC sp_executesql N'SELECT 1'"))).isFalse();
        assertThat(rules.pins(scan("SELECT 1"))).isFalse();
    }

    @Test
    void whatMayCallAnyProcedurePins() {
        ProcedureRules rules = ProcedureRules.of(List.of("take_lock"), List.of());
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 33; i++) {
            many.append("EXEC p").append(i).append(' ');
        }
        for (String sql : List.of(many.toString(), "EXEC @p", "EXEC (@sql)", "EXEC sp_executesql @sql")) {
            assertThat(rules.pins(scan(sql))).as(sql).isTrue();
            assertThat(ProcedureRules.PIN.pins(scan(sql))).as(sql).isTrue();
            assertThat(ProcedureRules.SHARE.pins(scan(sql))).as(sql).isFalse();
        }
    }

    @Test
    void allOrNone() {
        assertThat(ProcedureRules.PIN.pins(scan("EXEC p"))).isTrue();
        assertThat(ProcedureRules.PIN.pins(scan("SELECT 1"))).isFalse();
        assertThat(ProcedureRules.PIN.pins(scan("EXEC sp_executesql N'SELECT 1'")))
                .isFalse();
        assertThat(ProcedureRules.SHARE.pins(scan("EXEC p"))).isFalse();
        assertThat(ProcedureRules.SHARE.shareAll()).isTrue();
        assertThat(ProcedureRules.PIN.shareAll()).isFalse();
    }
}
