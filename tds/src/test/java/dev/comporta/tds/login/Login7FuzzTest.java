package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class Login7FuzzTest {
    static Stream<byte[]> logins() {
        return Stream.of("login/freetds-7.1", "login/freetds-7.4", "login/mssql-jdbc")
                .map(name -> Fixture.load(name).bytes());
    }

    @MethodSource("logins")
    @FuzzTest
    void anyBytesAreALoginOrAProtocolError(byte[] bytes) {
        Login7 login;
        try {
            login = Login7.read(Unpooled.wrappedBuffer(bytes));
        } catch (ProtocolException expected) {
            return;
        }
        assertThat(login.toString()).isNotEmpty();
        rewrite(login);
    }

    /** Whoever passes it on must be able to. */
    private static void rewrite(Login7 login) {
        ByteBuf out = Unpooled.buffer();
        login.write(out);
        Login7 back = Login7.read(out);
        assertThat(back.toBuilder().optionFlags3(login.optionFlags3()).build()).isEqualTo(login);
    }
}
