package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class Login7PropertyTest {
    @Property(tries = 500)
    void whatIsWrittenReadsBackTheSame(@ForAll("logins") Login7 login) {
        ByteBuf out = Unpooled.buffer().writeZero(3).skipBytes(3);
        login.write(out);
        assertThat(Login7.read(out)).isEqualTo(login);
    }

    @Provide
    Arbitrary<Login7> logins() {
        Arbitrary<Integer> numbers = Arbitraries.integers();
        Arbitrary<String> names = Arbitraries.strings().all().ofMaxLength(128);
        return Combinators.combine(
                        Arbitraries.of(TdsVersion.values()),
                        numbers.list().ofSize(6),
                        Arbitraries.integers().between(0, 255).list().ofSize(4),
                        names.list().ofSize(11),
                        Arbitraries.longs().between(0, (1L << 48) - 1),
                        features())
                .as(Login7PropertyTest::login);
    }

    private static Arbitrary<List<FeatureExtension>> features() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 254),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
                .as(FeatureExtension::new)
                .list()
                .ofMaxSize(6);
    }

    private static Login7 login(
            TdsVersion version,
            List<Integer> numbers,
            List<Integer> flags,
            List<String> names,
            long clientId,
            List<FeatureExtension> features) {
        boolean extended = version.hasFeatureExtensions() && !features.isEmpty();
        int flags3 = flags.get(3) & ~Login7.FLAG3_EXTENSION;
        return new Login7Builder()
                .tdsVersion(version.wireValue())
                .packetSize(numbers.get(0))
                .clientProgVersion(numbers.get(1))
                .clientPid(numbers.get(2))
                .connectionId(numbers.get(3))
                .optionFlags1(flags.get(0))
                .optionFlags2(flags.get(1))
                .typeFlags(flags.get(2))
                .optionFlags3(extended ? flags3 | Login7.FLAG3_EXTENSION : flags3)
                .timeZone(numbers.get(4))
                .lcid(numbers.get(5))
                .hostName(names.get(0))
                .userName(names.get(1))
                .password(Secret.ofText(names.get(2)))
                .appName(names.get(3))
                .serverName(names.get(4))
                .interfaceName(names.get(5))
                .language(names.get(6))
                .database(names.get(7))
                .clientId(clientId)
                .sspi(Secret.ofText(names.get(8)))
                .attachDbFile(names.get(9))
                .changePassword(version.isAtLeast(TdsVersion.V7_2) ? Secret.ofText(names.get(10)) : Secret.EMPTY)
                .features(extended ? features : List.of())
                .build();
    }
}
