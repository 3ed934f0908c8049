package dev.comporta.tds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlScannerAllocationTest {
    private static final int ROUNDS = 1_000;

    private static final List<String> TEXTS = List.of(
            "SELECT a, COUNT(*) FROM t WITH (NOLOCK) WHERE b = £1 AND c = 10MB GROUP BY a",
            "SET NOCOUNT ON; SET LANGUAGE N'Português'; SET DATEFIRST 1; USE d",
            "CREATE TABLE #t (a int) INSERT #t EXEC p 'x' DROP TABLE #t",
            "EXEC dbo.p EXEC ('EXEC q EXEC (''BEGIN TRAN'')') EXEC sp_executesql N'SELECT @a', N'@a int', @a = 1",
            "DECLARE @p sysname = 'sp_getapplock' EXEC @p 'r', 'Exclusive', 'Session'");

    @Test
    void aWarmScannerAllocatesNothing() {
        SqlScanner scanner = new SqlScanner();
        ByteBuf[] texts = TEXTS.stream().map(SqlTexts::utf16).toArray(ByteBuf[]::new);
        scanAll(scanner, texts); // classes are loaded, arrays have grown, inner scanners are made
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long bits = scanAll(scanner, texts);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(bits).isNotZero();
        // Less than a byte per text: the measurement itself allocates a little.
        assertThat(allocated).isLessThan((long) ROUNDS * texts.length);
    }

    private static long scanAll(SqlScanner scanner, ByteBuf[] texts) {
        long bits = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (ByteBuf text : texts) {
                SqlFindings found = scanner.scan(text, 0, text.readableBytes(), Scope.BATCH);
                bits |= found.bits();
                bits |= found.leavesNothing() ? 1 : 0;
            }
        }
        return bits;
    }
}
