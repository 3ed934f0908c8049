package dev.comporta.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void aLanguageBringsItsOwnDateSettings() {
        SessionState german = NEW.with(SetOption.DATEFIRST, "3").with(SetOption.LANGUAGE, "DEUTSCH");
        assertThat(german).isEqualTo(NEW.with(SetOption.LANGUAGE, "DEUTSCH"));
        assertThat(german.with(SetOption.DATEFIRST, "3").toSql())
                .isEqualTo("SET LANGUAGE N'DEUTSCH';SET DATEFIRST 3;SET TRANSACTION ISOLATION LEVEL READ COMMITTED;");
    }

    @Test
    void theSameLanguageAgainUndoesWhatCameAfterIt() {
        SessionState german = NEW.with(SetOption.LANGUAGE, "DEUTSCH");
        SessionState changed = german.with(SetOption.DATEFIRST, "3").with(SetOption.DATEFORMAT, "ymd");
        assertThat(changed.with(SetOption.LANGUAGE, "DEUTSCH")).isEqualTo(german);
        assertThat(german.with(SetOption.LANGUAGE, "DEUTSCH")).isSameAs(german);
    }

    @Test
    void ofTwoOppositesOnlyTheOneThatIsTurnedOnUndoesTheOther() {
        SessionState off = NEW.with(SetOption.ANSI_NULL_DFLT_OFF, "ON");
        assertThat(off)
                .isEqualTo(NEW.with(SetOption.ANSI_NULL_DFLT_ON, "OFF").with(SetOption.ANSI_NULL_DFLT_OFF, "ON"));
        assertThat(off.with(SetOption.ANSI_NULL_DFLT_ON, "OFF")).isEqualTo(off);
        assertThat(off.with(SetOption.ANSI_NULL_DFLT_OFF, "OFF").toSql())
                .contains("SET ANSI_NULL_DFLT_ON OFF;", "SET ANSI_NULL_DFLT_OFF OFF;");
        assertThat(off.with(SetOption.ANSI_NULL_DFLT_ON, "ON").toSql())
                .contains("SET ANSI_NULL_DFLT_ON ON;", "SET ANSI_NULL_DFLT_OFF OFF;");
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
