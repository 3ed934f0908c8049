package dev.comporta.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.sql.SetOption;
import org.junit.jupiter.api.Test;

class SessionStateTest {
    private static final SessionState NEW = SessionState.AS_LOGGED_IN;

    @Test
    void equalSettingsAreEqualStatesHoweverTheyCameAbout() {
        SessionState one = NEW.with(SetOption.DATEFIRST, "1").with(SetOption.NOCOUNT, "ON");
        SessionState two =
                NEW.with(SetOption.NOCOUNT, "OFF").with(SetOption.NOCOUNT, "ON").with(SetOption.DATEFIRST, "1");
        assertThat(one).isEqualTo(two).hasSameHashCodeAs(two);
        assertThat(one.distance(two)).isZero();
    }

    @Test
    void theDefaultIsolationLevelIsNoSetting() {
        SessionState serializable = NEW.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "SERIALIZABLE");
        assertThat(serializable.isolationIsDefault()).isFalse();
        assertThat(serializable.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "READ COMMITTED"))
                .isEqualTo(NEW);
        assertThat(NEW.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "READ COMMITTED"))
                .isSameAs(NEW);
    }

    /** tedious sends them in this order, and expects its first day of the week to hold. */
    @Test
    void whatALanguageDoesToDateSettingsIsTheServersSecret() {
        SessionState monday = NEW.with(SetOption.DATEFIRST, "1").with(SetOption.LANGUAGE, "us_english");
        SessionState wednesday = NEW.with(SetOption.DATEFIRST, "3").with(SetOption.LANGUAGE, "us_english");
        assertThat(monday).isNotEqualTo(wednesday);
        assertThat(monday.distance(wednesday)).isPositive();
        assertThat(monday)
                .isNotEqualTo(NEW.with(SetOption.LANGUAGE, "us_english").with(SetOption.DATEFIRST, "1"));
        assertThat(monday).isNotEqualTo(NEW.with(SetOption.LANGUAGE, "us_english"));
    }

    @Test
    void optionsThatChangeOthersAreReplayedInTheClientsOrder() {
        SessionState state = NEW.with(SetOption.DATEFIRST, "1")
                .with(SetOption.DATEFORMAT, "mdy")
                .with(SetOption.LANGUAGE, "us_English")
                .with(SetOption.DATEFIRST, "3")
                .with(SetOption.ANSI_NULLS, "off")
                .with(SetOption.ANSI_DEFAULTS, "on")
                .with(SetOption.QUOTED_IDENTIFIER, "OFF");
        assertThat(state.toSql())
                .isEqualTo("SET DATEFORMAT 'mdy';SET LANGUAGE 'us_English';SET DATEFIRST 3;"
                        + "SET ANSI_NULLS OFF;SET ANSI_DEFAULTS ON;SET QUOTED_IDENTIFIER OFF;"
                        + "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;");
    }

    @Test
    void theSameLanguageAgainIsKeptIfSomethingCameBetween() {
        SessionState german = NEW.with(SetOption.LANGUAGE, "Deutsch");
        assertThat(german.with(SetOption.LANGUAGE, "Deutsch")).isSameAs(german);
        SessionState again = german.with(SetOption.DATEFIRST, "3").with(SetOption.LANGUAGE, "Deutsch");
        assertThat(again).isNotEqualTo(german);
        assertThat(again.with(SetOption.DATEFIRST, "3")).isEqualTo(german.with(SetOption.DATEFIRST, "3"));
    }

    @Test
    void theOrderOfOptionsThatChangeNoOtherMeansNothing() {
        SessionState one = NEW.with(SetOption.ANSI_PADDING, "ON")
                .with(SetOption.ANSI_NULLS, "ON")
                .with(SetOption.DATEFORMAT, "dmy")
                .with(SetOption.DATEFIRST, "1");
        SessionState other = NEW.with(SetOption.DATEFIRST, "1")
                .with(SetOption.ANSI_NULLS, "ON")
                .with(SetOption.ANSI_PADDING, "ON")
                .with(SetOption.DATEFORMAT, "dmy");
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.with(SetOption.ANSI_PADDING, "on")).isSameAs(one);
        assertThat(one.with(SetOption.NOCOUNT, "ON").with(SetOption.NOCOUNT, "on"))
                .isEqualTo(other.with(SetOption.NOCOUNT, "ON"));
    }

    @Test
    void ofTwoOppositesTheOrderIsKept() {
        SessionState off = NEW.with(SetOption.ANSI_NULL_DFLT_ON, "ON").with(SetOption.ANSI_NULL_DFLT_OFF, "ON");
        assertThat(off)
                .isNotEqualTo(NEW.with(SetOption.ANSI_NULL_DFLT_OFF, "ON").with(SetOption.ANSI_NULL_DFLT_ON, "ON"));
        assertThat(off.toSql()).startsWith("SET ANSI_NULL_DFLT_ON ON;SET ANSI_NULL_DFLT_OFF ON;");
    }

    @Test
    void arithabortFollowsAnsiWarnings() {
        SessionState off = NEW.with(SetOption.ARITHABORT, "OFF").with(SetOption.ANSI_WARNINGS, "ON");
        assertThat(off).isNotEqualTo(NEW.with(SetOption.ANSI_WARNINGS, "ON").with(SetOption.ARITHABORT, "OFF"));
        assertThat(NEW.with(SetOption.ANSI_WARNINGS, "ON").with(SetOption.ANSI_WARNINGS, "OFF"))
                .isNotEqualTo(NEW.with(SetOption.ANSI_WARNINGS, "OFF"));
    }

    @Test
    void aPrologueThatIsSentAgainAndAgainStaysKnown() {
        SessionState state = NEW;
        SessionState second = NEW;
        for (int i = 0; i < 100; i++) {
            state = state.with(SetOption.QUOTED_IDENTIFIER, "ON")
                    .with(SetOption.ANSI_WARNINGS, "OFF")
                    .with(SetOption.ANSI_WARNINGS, "ON")
                    .with(SetOption.ARITHABORT, "ON")
                    .with(SetOption.DATEFIRST, "1")
                    .with(SetOption.LANGUAGE, "us_english");
            second = i == 1 ? state : second;
        }
        assertThat(state.isUnknown()).isFalse();
        assertThat(state).isEqualTo(second);
    }

    @Test
    void aHistoryThatIsTooLongIsEqualToNothing() {
        SessionState state = NEW;
        for (int i = 0; i <= SetHistory.LONGEST; i++) {
            assertThat(state.isUnknown()).isFalse();
            state = state.with(SetOption.LANGUAGE, "language " + i);
        }
        SessionState unknown = state;
        assertThat(unknown.isUnknown()).isTrue();
        assertThat(unknown.distance(unknown)).isPositive();
        assertThat(unknown.distance(NEW)).isPositive();
        assertThat(NEW.distance(unknown)).isPositive();
        assertThat(unknown).isNotEqualTo(NEW);
        assertThat(unknown.with(SetOption.NOCOUNT, "ON").isUnknown()).isTrue();
        assertThat(unknown.inDatabase("d").isUnknown()).isTrue();
        assertThat(unknown.with(SetOption.NOCOUNT, "ON")).isNotEqualTo(unknown.with(SetOption.NOCOUNT, "ON"));
        assertThatThrownBy(unknown::toSql).isInstanceOf(IllegalStateException.class);
        assertThat(unknown.afterReset()).isEqualTo(NEW);
    }

    @Test
    void implicitTransactionsAreOffOnlyIfTheClientSaidSoLast() {
        assertThat(NEW.implicitTransactionsMayBeOn()).isFalse();
        assertThat(NEW.with(SetOption.IMPLICIT_TRANSACTIONS, "ON").implicitTransactionsMayBeOn())
                .isTrue();
        assertThat(NEW.with(SetOption.ANSI_DEFAULTS, "ON").implicitTransactionsMayBeOn())
                .isTrue();
        assertThat(NEW.with(SetOption.ANSI_DEFAULTS, "ON")
                        .with(SetOption.IMPLICIT_TRANSACTIONS, "off")
                        .implicitTransactionsMayBeOn())
                .isFalse();
        assertThat(NEW.with(SetOption.IMPLICIT_TRANSACTIONS, "OFF")
                        .with(SetOption.ANSI_DEFAULTS, "OFF")
                        .implicitTransactionsMayBeOn())
                .isTrue();
    }

    @Test
    void aResetLeavesTheIsolationLevelAlone() {
        SessionState much = NEW.inDatabase("Other")
                .with(SetOption.LOCK_TIMEOUT, "5")
                .with(SetOption.TRANSACTION_ISOLATION_LEVEL, "SNAPSHOT");
        assertThat(much.afterReset()).isEqualTo(NEW.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "SNAPSHOT"));
        assertThat(NEW.inDatabase("Other").afterReset()).isEqualTo(NEW);
    }

    @Test
    void aDatabaseCannotSayMoreThanItsName() {
        assertThat(NEW.inDatabase("a];DROP TABLE t;--").toSql())
                .isEqualTo("USE [a]];DROP TABLE t;--];SET TRANSACTION ISOLATION LEVEL READ COMMITTED;");
    }

    @Test
    void distanceCountsWhatDiffersEitherWay() {
        SessionState one = NEW.with(SetOption.DATEFIRST, "1").with(SetOption.NOCOUNT, "ON");
        SessionState two =
                NEW.inDatabase("Other").with(SetOption.DATEFIRST, "2").with(SetOption.XACT_ABORT, "ON");
        assertThat(one.distance(two)).isEqualTo(4).isEqualTo(two.distance(one));
    }
}
