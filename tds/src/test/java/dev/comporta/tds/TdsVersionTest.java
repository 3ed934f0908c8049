package dev.comporta.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TdsVersionTest {
    @Test
    void publishedVersionsAreNegotiatedAsThemselves() {
        for (TdsVersion version : TdsVersion.values()) {
            assertThat(TdsVersion.negotiate(version.wireValue())).isEqualTo(version);
        }
    }

    @Test
    void versionsAreWrittenAsPeopleWriteThem() {
        assertThat(TdsVersion.V7_0.number()).isEqualTo("7.0");
        assertThat(TdsVersion.V7_3A.number()).isEqualTo("7.3A");
    }

    @Test
    void unpublishedRevisionsFallBackToTheNewestNotNewer() {
        assertThat(TdsVersion.negotiate(0x71000000)).isEqualTo(TdsVersion.V7_1);
        assertThat(TdsVersion.negotiate(0x730A0004)).isEqualTo(TdsVersion.V7_3A);
        assertThat(TdsVersion.negotiate(0x75000000)).isEqualTo(TdsVersion.V7_4);
        assertThat(TdsVersion.negotiate(0x08000001)).isEqualTo(TdsVersion.V8_0);
    }

    @Test
    void versionsWithAnotherLoginMessageAreRefused() {
        assertThatThrownBy(() -> TdsVersion.negotiate(0x04020000)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> TdsVersion.negotiate(0)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void eightIsNewerThanSevenThoughItsNumberIsSmaller() {
        assertThat(TdsVersion.V8_0.wireValue()).isLessThan(TdsVersion.V7_0.wireValue());
        assertThat(TdsVersion.V8_0.isAtLeast(TdsVersion.V7_4)).isTrue();
        assertThat(TdsVersion.V7_4.isAtLeast(TdsVersion.V8_0)).isFalse();
        assertThat(TdsVersion.V8_0.hasFeatureExtensions()).isTrue();
    }

    /** The version that introduced each part of the wire format, after MS-TDS. */
    @Test
    void eachVersionHasWhatItAndItsPredecessorsIntroduced() {
        assertSince(TdsVersion.V7_1, TdsVersion::hasCollations);
        assertSince(TdsVersion.V7_2, TdsVersion::hasAllHeaders);
        assertSince(TdsVersion.V7_2, TdsVersion::hasLongRowCounts);
        assertSince(TdsVersion.V7_2, TdsVersion::hasPartialLengthValues);
        assertSince(TdsVersion.V7_2, TdsVersion::hasLongUserTypes);
        assertSince(TdsVersion.V7_2, TdsVersion::hasLongLineNumbers);
        assertSince(TdsVersion.V7_2, TdsVersion::hasReturnOrdinals);
        assertSince(TdsVersion.V7_2, TdsVersion::tellsOfTransactions);
        assertSince(TdsVersion.V7_2, TdsVersion::acknowledgesReset);
        assertSince(TdsVersion.V7_2, version -> version.rpcSeparator() == 0xFF);
        assertSince(TdsVersion.V7_3A, TdsVersion::hasDateTypes);
        assertSince(TdsVersion.V7_3B, TdsVersion::hasNullBitmapRows);
        assertSince(TdsVersion.V7_4, TdsVersion::hasFeatureExtensions);
        assertThat(TdsVersion.V7_1.rpcSeparator()).isEqualTo(0x80);
    }

    private static void assertSince(TdsVersion first, Predicate<TdsVersion> has) {
        List<TdsVersion> oldestFirst = List.of(
                TdsVersion.V7_0,
                TdsVersion.V7_1,
                TdsVersion.V7_2,
                TdsVersion.V7_3A,
                TdsVersion.V7_3B,
                TdsVersion.V7_4,
                TdsVersion.V8_0);
        assertThat(oldestFirst.stream().filter(has))
                .containsExactlyElementsOf(oldestFirst.subList(oldestFirst.indexOf(first), oldestFirst.size()));
    }
}
