package dev.comporta.proxy.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.prepared.PreparedText.Kind;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.TextFindings;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ServerHandlesTest {
    private static final TextFindings HARMLESS = new TextFindings(0, false, true, false, false);

    private final ServerHandles handles = new ServerHandles();

    private static PreparedText text(int number) {
        return PreparedText.of(
                Kind.STATEMENT,
                ("SELECT " + number).getBytes(StandardCharsets.UTF_16LE),
                new byte[0],
                new PreparedIn("AppDB", true, true),
                CursorOptions.NONE,
                HARMLESS,
                ProcedureRules.SHARE);
    }

    /** Those can't be prepared again, so they stay: whoever has thousands must not cost each new handle a search among them. */
    @Test
    void boundHandlesDoNotTakeThePlacesOfSharedOnes() {
        for (int number = 1; number <= 1000; number++) {
            handles.put(PreparedText.bound(Kind.STATEMENT, HARMLESS, ProcedureRules.SHARE), number);
        }
        handles.put(text(1), 1001);
        handles.put(text(2), 1002);
        assertThat(handles.find(text(1))).isEqualTo(1001);
        assertThat(handles.find(text(2))).isEqualTo(1002);
        handles.remove(text(1));
        handles.remove(text(2));
        assertThat(handles.isEmpty()).isFalse();
        handles.clear();
        assertThat(handles.isEmpty()).isTrue();
    }

    /** In a transaction nothing is unprepared at the server, however much its client prepares. */
    @Test
    void evictedHandlesBeyondALimitAreLeftToTheNextReset() {
        int prepared = 2 * ServerHandles.MOST_SURPLUS;
        for (int number = 1; number <= prepared; number++) {
            handles.put(text(number), number);
        }
        assertThat(handles.isSurplusDue()).isTrue();
        assertThat(handles.isWorthKeeping()).isFalse();
        assertThat(handles.giveUpSurplus().split(";")).hasSize(ServerHandles.MOST_SURPLUS);
        handles.clear();
        assertThat(handles.isEmpty()).isTrue();
    }
}
