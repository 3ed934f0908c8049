package dev.comporta.app.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyReaderTest {
    /** Where nothing comes for a while. */
    private static final char PAUSE = '\u00b7';

    private static List<Key> keys(String characters) throws IOException {
        StringBuilder left = new StringBuilder(characters);
        KeyReader reader = new KeyReader(millis -> {
            if (left.isEmpty()) {
                return KeyReader.Source.END;
            }
            char c = left.charAt(0);
            left.deleteCharAt(0);
            if (c == PAUSE) {
                return millis == 0 ? KeyReader.Source.END : KeyReader.Source.EXPIRED;
            }
            return c;
        });
        List<Key> keys = new ArrayList<>();
        Key key = reader.next();
        while (key != Key.Named.INTERRUPT) {
            keys.add(key);
            key = reader.next();
        }
        return keys;
    }

    private static Key typed(int c) {
        return new Key.Typed(c);
    }

    @Test
    void lettersAreTyped() throws IOException {
        assertThat(keys("a/é\ud83d\ude00")).containsExactly(typed('a'), typed('/'), typed('é'), typed(0x1f600));
    }

    @Test
    void arrowsComeAsSequencesOfEitherKind() throws IOException {
        assertThat(keys("\u001b[A\u001bOBx")).containsExactly(Key.Named.UP, Key.Named.DOWN, typed('x'));
        assertThat(keys("\u001b[5~\u001b[6~\u001b[H\u001b[4~"))
                .containsExactly(Key.Named.PAGE_UP, Key.Named.PAGE_DOWN, Key.Named.HOME, Key.Named.END);
    }

    @Test
    void escapeAloneIsAKey() throws IOException {
        assertThat(keys("\u001b" + PAUSE + "q")).containsExactly(Key.Named.ESCAPE, typed('q'));
        assertThat(keys("\u001bs")).containsExactly(Key.Named.ESCAPE, typed('s'));
        assertThat(keys("\u001b\u001b[A")).containsExactly(Key.Named.ESCAPE, Key.Named.UP);
        assertThat(keys("\u001b")).containsExactly(Key.Named.ESCAPE);
    }

    @Test
    void sequencesThatMeanNothingAreReadToTheirEnd() throws IOException {
        assertThat(keys("\u001b[1;5Cq")).containsExactly(Key.Named.OTHER, typed('q'));
        assertThat(keys("\u001b[15~\u0001q")).containsExactly(Key.Named.OTHER, Key.Named.OTHER, typed('q'));
    }

    @Test
    void enterAndBackspaceComeInTwoWays() throws IOException {
        assertThat(keys("\r\n\b\u007f"))
                .containsExactly(Key.Named.ENTER, Key.Named.ENTER, Key.Named.BACKSPACE, Key.Named.BACKSPACE);
    }

    @Test
    void ctrlCInterrupts() throws IOException {
        assertThat(keys("a\u0003b")).containsExactly(typed('a'));
        assertThat(keys("a\u001b\u0003b")).containsExactly(typed('a'), Key.Named.ESCAPE);
    }
}
