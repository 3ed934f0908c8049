package dev.comporta.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(TdsVersion.V8_0.isAtLeast(TdsVersion.V7_4)).isTrue();
        assertThat(TdsVersion.V8_0.hasFeatureExtensions()).isTrue();
        assertThat(TdsVersion.V7_1.hasAllHeaders()).isFalse();
        assertThat(TdsVersion.V7_1.rpcSeparator()).isEqualTo(0x80);
        assertThat(TdsVersion.V7_2.rpcSeparator()).isEqualTo(0xFF);
    }

    @Test
    void before72NeitherTransactionsNorResetsAreToldOfAndReturnedValuesHaveNoOrdinals() {
        for (TdsVersion version : TdsVersion.values()) {
            boolean told = version.isAtLeast(TdsVersion.V7_2);
            assertThat(version.tellsOfTransactions()).isEqualTo(told);
            assertThat(version.acknowledgesReset()).isEqualTo(told);
            assertThat(version.hasReturnOrdinals()).isEqualTo(told);
        }
        assertThat(TdsVersion.V7_1.isAtLeast(TdsVersion.V7_2)).isFalse();
    }
}
