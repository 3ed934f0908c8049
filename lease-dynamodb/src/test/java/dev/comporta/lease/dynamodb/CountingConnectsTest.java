package dev.comporta.lease.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountingConnectsTest {
    private final CountingConnects a = new CountingConnects("a");
    private final CountingConnects b = new CountingConnects("b");

    @Test
    void ownPermitsCountFromTheGrantOn() {
        a.add(3, 1050, 100);
        String text = a.text();
        a.read(text, 1149);
        assertThat(a.inAll()).isEqualTo(3);
        a.read(text, 1150);
        assertThat(a.inAll()).isZero();
        assertThat(a.text()).isEmpty();
    }

    @Test
    void thoseOfOthersCountFromWhenTheyAreFirstSeen() {
        a.add(3, 1050, 100);
        String text = a.text();
        b.read(text, 7_000_000);
        b.read(text, 7_001_049);
        assertThat(b.inAll()).isEqualTo(3);
        b.read(text, 7_001_050);
        assertThat(b.inAll()).isZero();
        b.read(text, 7_001_060);
        assertThat(b.inAll()).as("though it is still written").isZero();
    }

    /** What another writes says nothing about how much time has passed. */
    @Test
    void writesOfOthersInBetweenDoNotChangeThat() {
        a.read("", 0);
        a.add(3, 1050, 0);
        b.read(a.text(), 400);
        b.add(2, 1050, 400);
        a.read(b.text(), 500);
        assertThat(a.inAll()).isEqualTo(5);
        assertThat(a.whenAtMost(4, 500)).isEqualTo(1050);
        assertThat(a.whenAtMost(1, 500)).isEqualTo(1550);
        a.read(b.text(), 1050);
        assertThat(a.inAll()).as("its own no more").isEqualTo(2);
        b.read(a.text(), 1051);
        assertThat(b.inAll()).as("who got them knows best").isEqualTo(2);
    }

    @Test
    void sayWhenFewerCount() {
        a.add(2, 1000, 0);
        a.add(1, 1000, 10);
        a.add(4, 1000, 20);
        assertThat(a.whenAtMost(7, 30)).isEqualTo(30);
        assertThat(a.whenAtMost(6, 30)).isEqualTo(1000);
        assertThat(a.whenAtMost(5, 30)).isEqualTo(1000);
        assertThat(a.whenAtMost(4, 30)).isEqualTo(1010);
        assertThat(a.whenAtMost(0, 30)).isEqualTo(1020);
    }

    @Test
    void whatWasNeverWrittenCountsNothing() {
        a.read("", 5);
        assertThat(a.inAll()).isZero();
        assertThat(a.text()).isEmpty();
    }

    @Test
    void eachGrantEndsInItsOwnTime() {
        a.add(2, 1000, 0);
        a.add(3, 1000, 400);
        String text = a.text();
        a.read(text, 999);
        assertThat(a.inAll()).isEqualTo(5);
        a.read(text, 1000);
        assertThat(a.inAll()).isEqualTo(3);
        assertThat(a.whenAtMost(0, 1000)).isEqualTo(1400);
        a.read(text, 1400);
        assertThat(a.inAll()).isZero();
    }

    /** Others may have written them in another order than they end. */
    @Test
    void sayWhenFewerCountWhateverTheOrder() {
        a.add(4, 1000, 20);
        a.add(2, 500, 30);
        assertThat(a.whenAtMost(4, 40)).isEqualTo(530);
        assertThat(a.whenAtMost(3, 40)).isEqualTo(1020);
    }

    @Test
    void readingTheSameAgainCountsItOnce() {
        a.add(2, 1000, 0);
        String text = a.text();
        a.read(text, 10);
        a.read(text, 20);
        assertThat(a.inAll()).isEqualTo(2);
        assertThat(a.text()).isEqualTo(text);
    }
}
