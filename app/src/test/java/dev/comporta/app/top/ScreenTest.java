package dev.comporta.app.top;

import static dev.comporta.app.top.Sights.bucket;
import static dev.comporta.app.top.Sights.buckets;
import static dev.comporta.app.top.Sights.fleet;
import static dev.comporta.app.top.Sights.instance;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.top.BucketFigures.State;
import dev.comporta.app.top.Screen.Mode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private FleetSight fleet = buckets("a", "b", "c");
    private Screen screen = Screen.FIRST;

    private ScreenTest press(Object... keys) {
        for (Object key : keys) {
            screen = screen.press(key instanceof Character c ? new Key.Typed(c) : (Key) key, fleet);
        }
        return this;
    }

    private String bar() {
        List<BucketSum> shown = screen.shown(fleet);
        return shown.get(screen.bar(shown)).bucket();
    }

    private List<String> names() {
        return screen.shown(fleet).stream().map(BucketSum::bucket).toList();
    }

    @Test
    void theBarMovesByArrowsAndLettersAndStopsAtTheEnds() {
        assertThat(bar()).isEqualTo("a");
        assertThat(press(Key.Named.UP).bar()).isEqualTo("a");
        assertThat(press(Key.Named.DOWN).bar()).isEqualTo("b");
        assertThat(press('j', 'j', 'j').bar()).isEqualTo("c");
        assertThat(press('k').bar()).isEqualTo("b");
        assertThat(press(Key.Named.END).bar()).isEqualTo("c");
        assertThat(press(Key.Named.HOME).bar()).isEqualTo("a");
        assertThat(press(Key.Named.PAGE_DOWN).bar()).isEqualTo("c");
        assertThat(press(Key.Named.PAGE_UP).bar()).isEqualTo("a");
    }

    @Test
    void theBarStaysOnItsBucketWhenTheOrderChanges() {
        press(Key.Named.DOWN);
        fleet = fleet(instance(
                "one", false, bucket("a", State.UP, 0, 0), bucket("b", State.UP, 0, 9), bucket("c", State.UP, 0, 0)));
        assertThat(names()).containsExactly("b", "a", "c");
        assertThat(bar()).isEqualTo("b");
        fleet = buckets("a", "c");
        assertThat(bar()).isEqualTo("a");
    }

    @Test
    void pressureIsDownThenPausedThenWaitingThenHowFull() {
        fleet = fleet(instance(
                "one",
                false,
                bucket("full", State.UP, 10, 0),
                bucket("half", State.UP, 5, 0),
                bucket("waiting", State.UP, 1, 3),
                bucket("crowded", State.FALLBACK, 1, 7),
                bucket("paused", State.PAUSED, 0, 2),
                bucket("down", State.DOWN, 0, 0),
                bucket("empty", State.UP, 0, 0),
                bucket("also empty", State.UP, 0, 0)));
        assertThat(names())
                .containsExactly("down", "paused", "crowded", "waiting", "full", "half", "also empty", "empty");
    }

    @Test
    void sortGoesRoundAllOrders() {
        Set<Sort> seen = EnumSet.noneOf(Sort.class);
        while (seen.add(screen.sort())) {
            press('s');
        }
        assertThat(seen).containsExactlyInAnyOrder(Sort.values());
        assertThat(screen.sort()).isEqualTo(Sort.PRESSURE);
    }

    @Test
    void eachOrderIsByItsFigure() {
        fleet = fleet(instance(
                "one",
                false,
                new BucketFigures("a", State.UP, "", 1, 0, 0, 0, 0, 9, 9, 1.0, null, 5.0, null),
                new BucketFigures("b", State.UP, "", 2, 0, 0, 0, 0, 9, 1, 2.0, 1.0, 9.0, null),
                new BucketFigures("c", State.UP, "", 3, 0, 0, 0, 0, 9, 5, null, 2.0, null, 1.0)));
        assertThat(press('s').names()).containsExactly("a", "c", "b"); // requests
        assertThat(press('s').names()).containsExactly("b", "a", "c"); // wait
        assertThat(press('s').names()).containsExactly("c", "b", "a"); // query
        assertThat(press('s').names()).containsExactly("b", "a", "c"); // pin
        assertThat(press('s').names()).containsExactly("c", "a", "b"); // transaction
        assertThat(press('s').names()).containsExactly("c", "b", "a"); // clients
        assertThat(press('s').names()).containsExactly("a", "b", "c"); // name
    }

    @Test
    void aFilterIsTypedAndKeptOrGivenUp() {
        fleet = buckets("lisboa", "porto", "portimao");
        press('/', 'P', 'o', 'r', 't', 'q');
        assertThat(names()).isEmpty();
        assertThat(press(Key.Named.BACKSPACE).names()).containsExactly("portimao", "porto");
        assertThat(press(Key.Named.DOWN, Key.Named.ENTER).screen.mode()).isEqualTo(Mode.BUCKETS);
        assertThat(bar()).isEqualTo("porto");
        assertThat(press(Key.Named.ESCAPE).names()).hasSize(3);
        press('/', 'x', Key.Named.ESCAPE);
        assertThat(screen.mode()).isEqualTo(Mode.BUCKETS);
        assertThat(screen.filter()).isEmpty();
        press('/', Key.Named.BACKSPACE);
        assertThat(screen.filter()).isEmpty();
    }

    @Test
    void enterOpensTheBucketBelowTheBarAndEscapeLeavesIt() {
        press('j', Key.Named.ENTER);
        assertThat(screen.mode()).isEqualTo(Mode.BUCKET);
        assertThat(screen.selected()).isEqualTo("b");
        press('j', Key.Named.DOWN, Key.Named.PAGE_DOWN);
        assertThat(screen.scroll()).isEqualTo(12);
        press('k', Key.Named.UP, Key.Named.PAGE_UP, Key.Named.PAGE_UP);
        assertThat(screen.scroll()).isZero();
        assertThat(press(Key.Named.ESCAPE).screen.mode()).isEqualTo(Mode.BUCKETS);
        assertThat(bar()).isEqualTo("b");
    }

    @Test
    void nothingOpensWhereThereIsNothing() {
        fleet = buckets();
        assertThat(press(Key.Named.DOWN, Key.Named.ENTER).screen.mode()).isEqualTo(Mode.BUCKETS);
    }

    @Test
    void aPauseEndsAsItBegan() {
        assertThat(press('p').screen.paused()).isTrue();
        assertThat(press(Key.Named.ENTER).screen.paused()).isTrue();
        assertThat(press('p').screen.paused()).isFalse();
    }

    @Test
    void itEndsByItsKeyAndByCtrlCEverywhere() {
        assertThat(press('q').screen.mode()).isEqualTo(Mode.ENDED);
        screen = Screen.FIRST;
        assertThat(press(Key.Named.ENTER, 'q').screen.mode()).isEqualTo(Mode.ENDED);
        screen = Screen.FIRST;
        assertThat(press('/', 'q').screen.mode()).isEqualTo(Mode.FILTER);
        assertThat(press(Key.Named.INTERRUPT).screen.mode()).isEqualTo(Mode.ENDED);
        assertThat(press('p', Key.Named.ENTER).screen.mode()).isEqualTo(Mode.ENDED);
    }

    @Test
    void keysThatMeanNothingChangeNothing() {
        Screen before = screen;
        assertThat(press('x', Key.Named.OTHER, Key.Named.BACKSPACE).screen).isEqualTo(before);
        Screen inBucket = press(Key.Named.ENTER).screen;
        assertThat(press('s', '/', Key.Named.OTHER, Key.Named.ENTER, Key.Named.END).screen)
                .isEqualTo(inBucket);
    }
}
