package dev.comporta.proxy.admit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountsTest {
    @ParameterizedTest
    @ValueSource(strings = {"web", "WEB", "wEb", "web  ", "ｗｅｂ", "ＷＥＢ"})
    void waysToWriteALoginCountAsOne(String spelled) {
        assertThat(Accounts.canonical(spelled)).isEqualTo("web");
    }
}
