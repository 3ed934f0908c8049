package dev.comporta.proxy.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.admit.LoginTries.Verdict;
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.origin.AddressRules;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoginTriesTest {
    private static final int MOST = 8;
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final EntryRules RULES = new EntryRules(AddressRules.EVERYBODY, MOST, WINDOW);

    private final LoginTries tries = new LoginTries();
    private long now = 1;
    private int guesses;

    private Verdict of(String user, String tag) {
        return tries.of(user, tag, false, RULES, now);
    }

    /** @return whether the server was asked */
    private boolean fails(String user, String tag) {
        if (of(user, tag) instanceof Verdict.Try tried) {
            tries.rejected(tried, RULES, now);
            return true;
        }
        return false;
    }

    private int guess(String user, int times) {
        int asked = 0;
        for (int i = 0; i < times; i++) {
            asked += fails(user, "guess " + guesses++) ? 1 : 0;
        }
        return asked;
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void serverSeesNoMoreThanSoManyWrongPasswordsOfALoginWithinTheWindow() {
        assertThat(guess("sa", 1000)).isEqualTo(MOST);
        assertThat(of("sa", "another")).isEqualTo(new Verdict.TooMany(WINDOW.toNanos()));
        pass(WINDOW.minusNanos(1));
        assertThat(guess("sa", 10)).isZero();
        pass(Duration.ofNanos(1));
        assertThat(guess("sa", 1000)).isEqualTo(MOST);
    }

    @Test
    void loginIsTheSameInWhateverCase() {
        guess("SA", MOST);
        assertThat(guess("sa ", 1)).isZero();
    }

    @Test
    void otherLoginsAreNotConcerned() {
        guess("sa", 100);
        assertThat(of("web", "good")).isInstanceOf(Verdict.Try.class);
    }

    @Test
    void triesThatAreUnderWayCount() {
        for (int i = 0; i < MOST; i++) {
            assertThat(of("sa", "guess " + i)).isInstanceOf(Verdict.Try.class);
        }
        assertThat(of("sa", "another")).isInstanceOf(Verdict.TooMany.class);
    }

    @Test
    void tryWithoutAnAnswerGivesItsPlaceBack() {
        for (int i = 0; i < 10 * MOST; i++) {
            tries.undecided((Verdict.Try) of("sa", "guess " + i));
        }
        assertThat(tries.size()).isZero();
    }

    @Test
    void passwordThatWasAcceptedIsAlwaysTried() {
        tries.accepted((Verdict.Try) of("sa", "good"));
        guess("sa", 1000);
        for (int i = 0; i < 100; i++) {
            Verdict verdict = of("sa", "good");
            assertThat(verdict).isInstanceOf(Verdict.Try.class);
            tries.accepted((Verdict.Try) verdict);
        }
        assertThat(tries.of("sa", "also good", true, RULES, now)).isInstanceOf(Verdict.Try.class);
    }

    @Test
    void passwordThatWasAcceptedAndIsWrongNowIsOneOfTheWrongOnes() {
        tries.accepted((Verdict.Try) of("sa", "changed"));
        int asked = 0;
        for (int i = 0; i < 100; i++) {
            if (tries.of("sa", "changed", true, RULES, now) instanceof Verdict.Try tried) {
                tries.rejected(tried, RULES, now);
                asked++;
            }
        }
        assertThat(asked).isBetween(1, MOST / 2);
        assertThat(of("sa", "changed")).isInstanceOf(Verdict.KnownWrong.class);
    }

    @Test
    void manyClientsWithAnOldPasswordLeaveATryToTheOneWithTheNew() {
        for (int i = 0; i < 10_000; i++) {
            fails("sa", "old");
            pass(Duration.ofMillis(100));
            assertThat(of("sa", "new")).isInstanceOfSatisfying(Verdict.Try.class, tries::undecided);
        }
    }

    @Test
    void passwordThatBecomesRightIsTriedAgainWithinMinutes() {
        for (int i = 0; i < 3600; i++) {
            fails("sa", "early");
            pass(Duration.ofSeconds(1));
        }
        Duration waited = Duration.ZERO;
        while (!(of("sa", "early") instanceof Verdict.Try)) {
            pass(Duration.ofSeconds(1));
            waited = waited.plusSeconds(1);
        }
        assertThat(waited).isLessThanOrEqualTo(WINDOW.dividedBy(MOST - 2).plusSeconds(2));
    }

    @Test
    void withoutALimitAllAreTried() {
        EntryRules all = new EntryRules(AddressRules.EVERYBODY, 0, WINDOW);
        for (int i = 0; i < 100; i++) {
            Verdict verdict = tries.of("sa", "wrong", false, all, now);
            assertThat(verdict).isInstanceOf(Verdict.Try.class);
            tries.rejected((Verdict.Try) verdict, all, now);
        }
        assertThat(tries.size()).isZero();
    }

    @Test
    void oneIsTheLeastLimit() {
        EntryRules one = new EntryRules(AddressRules.EVERYBODY, 1, WINDOW);
        tries.rejected((Verdict.Try) tries.of("sa", "wrong", false, one, now), one, now);
        assertThat(tries.of("sa", "wrong", false, one, now)).isInstanceOf(Verdict.KnownWrong.class);
        assertThat(tries.of("sa", "another", false, one, now)).isInstanceOf(Verdict.TooMany.class);
    }

    @Test
    void floodOfNamesIsBoundedAndDoesNotHaveTheLoginAtItsLimitForgotten() {
        guess("sa", MOST);
        for (int i = 0; i < 10 * LoginTries.MOST_REMEMBERED; i++) {
            fails("user " + i, "guess");
        }
        assertThat(tries.size()).isEqualTo(LoginTries.MOST_REMEMBERED);
        assertThat(of("sa", "another")).isInstanceOf(Verdict.TooMany.class);
    }
}
