package dev.comporta.tds.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class Login7Test {
    @Test
    void everyFieldOfATds74LoginIsRead() {
        Login7 login = Fixture.load("login/freetds-7.4").replayAllOrNothing(Login7::read);
        assertThat(login)
                .isEqualTo(new Login7Builder()
                        .tdsVersion(0x74000004)
                        .packetSize(4096)
                        .clientProgVersion(0xf8f28306)
                        .clientPid(0x2c9f)
                        .optionFlags1(0xe0)
                        .optionFlags2(0x03)
                        .optionFlags3(0x18)
                        .timeZone(-120)
                        .lcid(0x0436)
                        .hostName("vm")
                        .userName("ana")
                        .password(Secret.ofText("s3gredo"))
                        .appName("fixture")
                        .serverName("127.0.0.1")
                        .interfaceName("TDS-Library")
                        .language("us_english")
                        .database("vendas")
                        .clientId(0x02fc00000001L)
                        .features(List.of(new FeatureExtension(FeatureExtension.UTF8_SUPPORT, new byte[] {1})))
                        .build());
        assertThat(login.negotiatedVersion()).isEqualTo(TdsVersion.V7_4);
    }

    @Test
    void shorterFixedPartOfTds71IsUnderstood() {
        Login7 login = Fixture.load("login/freetds-7.1").replayAllOrNothing(Login7::read);
        assertThat(login.negotiatedVersion()).isEqualTo(TdsVersion.V7_1);
        assertThat(login.userName()).isEqualTo("ana");
        assertThat(login.password().revealText()).isEqualTo("s3gredo");
        assertThat(login.database()).isEqualTo("vendas");
        assertThat(login.clientId()).isEqualTo(0x02fc00000001L);
        assertThat(login.features()).isEmpty();
    }

    @Test
    void everyFeatureThatJdbcAsksForIsKeptInItsOrder() {
        Login7 login = Fixture.load("login/mssql-jdbc").replayAllOrNothing(Login7::read);
        assertThat(login.packetSize()).isEqualTo(8000);
        assertThat(login.interfaceName()).isEqualTo("Microsoft JDBC Driver 13.6");
        assertThat(login.features())
                .extracting(FeatureExtension::id)
                .containsExactly(
                        FeatureExtension.USERAGENT,
                        FeatureExtension.COLUMNENCRYPTION,
                        FeatureExtension.DATACLASSIFICATION,
                        FeatureExtension.UTF8_SUPPORT,
                        FeatureExtension.AZURESQLDNSCACHING,
                        FeatureExtension.VECTORSUPPORT,
                        FeatureExtension.JSONSUPPORT,
                        FeatureExtension.ENHANCEDROUTINGSUPPORT,
                        FeatureExtension.SESSIONRECOVERY);
        assertThat(login.isIntegrated()).isFalse();
    }

    @Test
    void whatADriverWroteIsWrittenTheSame() {
        for (String name : List.of("login/freetds-7.1", "login/freetds-7.4")) {
            Fixture fixture = Fixture.load(name);
            Login7 login = Login7.read(Unpooled.wrappedBuffer(fixture.bytes()));
            assertThat(written(login)).as(name).isEqualTo(fixture.bytes());
        }
    }

    @Test
    void sspiLongerThanAShortCanTellIsKept() {
        byte[] token = new byte[100_000];
        token[99_999] = 7;
        Login7 login = new Login7Builder()
                .optionFlags2(Login7.FLAG2_INTEGRATED_SECURITY)
                .sspi(Secret.ofBytes(token))
                .features(List.of(new FeatureExtension(0x42, new byte[] {1, 2})))
                .build();
        byte[] bytes = written(login);
        assertThat(bytes).hasSizeGreaterThan(100_000);
        Login7 back = Login7.read(Unpooled.wrappedBuffer(bytes));
        assertThat(back.sspi()).isEqualTo(login.sspi());
        assertThat(back.features()).isEqualTo(login.features());
        assertThat(back.isIntegrated()).isTrue();
    }

    @Test
    void sspiOfExactlyTheLongMarkIsReadByItsShortLength() {
        byte[] bytes = written(
                new Login7Builder().sspi(Secret.ofBytes(new byte[0xFFFF])).build());
        Unpooled.wrappedBuffer(bytes).setIntLE(Login7Layout.SSPI_LONG, 0);
        assertThat(Login7.read(Unpooled.wrappedBuffer(bytes)).sspi().length()).isEqualTo(0xFFFF);
    }

    @Test
    void secretsDoNotShow() {
        Login7 login = new Login7Builder()
                .userName("ana")
                .password(Secret.ofText("s3gredo"))
                .changePassword(Secret.ofText("n0vo"))
                .sspi(Secret.ofText("t0ken"))
                .features(List.of(new FeatureExtension(FeatureExtension.FEDAUTH, "b1lhete".getBytes())))
                .build();
        assertThat(login.toString())
                .contains("ana", "password=***", "FEDAUTH(7 bytes)")
                .doesNotContain("s3gredo", "n0vo", "t0ken", "b1lhete");
        assertThat(login.profile().toString()).doesNotContain("s3gredo", "n0vo", "t0ken", "ana", "b1lhete");
    }

    @Test
    void wipedSecretsAreGone() {
        Login7 login = new Login7Builder()
                .password(Secret.ofText("ab"))
                .changePassword(Secret.ofText("cd"))
                .sspi(Secret.ofText("ef"))
                .features(List.of(
                        new FeatureExtension(FeatureExtension.FEDAUTH, new byte[] {1, 2, 3}),
                        new FeatureExtension(FeatureExtension.UTF8_SUPPORT, new byte[] {1})))
                .build();
        login.wipeSecrets();
        for (Secret secret : List.of(login.password(), login.changePassword(), login.sspi())) {
            assertThat(secret.revealBytes()).containsExactly(0, 0, 0, 0);
        }
        assertThat(login.password()).isNotEqualTo(Secret.ofText("ab"));
        assertThat(login.features())
                .containsExactly(
                        new FeatureExtension(FeatureExtension.FEDAUTH, new byte[3]),
                        new FeatureExtension(FeatureExtension.UTF8_SUPPORT, new byte[] {1}));
    }

    @Test
    void pointersThatLieAreRefused() {
        byte[] good = Fixture.load("login/freetds-7.4").bytes();
        for (int field = Login7Layout.HOST_NAME; field < Login7Layout.FIXED_LENGTH - 4; field += 4) {
            if (field == Login7Layout.CLIENT_ID) {
                field = Login7Layout.SSPI;
            }
            ByteBuf bad = Unpooled.copiedBuffer(good);
            bad.setShortLE(field, 0xFFF0);
            if (field != Login7Layout.EXTENSION) {
                bad.setShortLE(field + 2, 8);
            }
            assertThatThrownBy(() -> Login7.read(bad)).as("field at %d", field).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void lengthsThatLieAreRefused() {
        byte[] good = Fixture.load("login/freetds-7.4").bytes();
        ByteBuf claimed = Unpooled.copiedBuffer(good).setIntLE(0, -1);
        assertThatThrownBy(() -> Login7.read(claimed)).hasMessage("LOGIN7 claims 4294967295 bytes and has 215");
        ByteBuf feature = Unpooled.copiedBuffer(good).setIntLE(209, 0x7FFFFFFF);
        assertThatThrownBy(() -> Login7.read(feature)).hasMessageContaining("UTF8_SUPPORT");
        ByteBuf features = Unpooled.copiedBuffer(good).setIntLE(0x96, -1);
        assertThatThrownBy(() -> Login7.read(features)).hasMessageContaining("feature id");
    }

    @Test
    void versionWithAnotherLoginMessageIsRefused() {
        byte[] good = Fixture.load("login/freetds-7.4").bytes();
        ByteBuf old = Unpooled.copiedBuffer(good).setIntLE(Login7Layout.TDS_VERSION, 0x04020000);
        assertThatThrownBy(() -> Login7.read(old)).hasMessageContaining("TDS version 0x04020000");
    }

    @Test
    void namesAreAsLongAsTheSpecificationAllowsAndNoLonger() {
        String longest = "x".repeat(128);
        Login7 login = new Login7Builder()
                .hostName(longest)
                .userName(longest)
                .password(Secret.ofText(longest))
                .appName(longest)
                .serverName(longest)
                .interfaceName(longest)
                .language(longest)
                .database(longest)
                .attachDbFile("x".repeat(260))
                .changePassword(Secret.ofText(longest))
                .build();
        byte[] good = written(login);
        assertThat(Login7.read(Unpooled.wrappedBuffer(good))).isEqualTo(login);
        List<Integer> fields = List.of(
                Login7Layout.HOST_NAME,
                Login7Layout.USER_NAME,
                Login7Layout.PASSWORD,
                Login7Layout.APP_NAME,
                Login7Layout.SERVER_NAME,
                Login7Layout.INTERFACE_NAME,
                Login7Layout.LANGUAGE,
                Login7Layout.DATABASE,
                Login7Layout.ATTACH_DB_FILE,
                Login7Layout.CHANGE_PASSWORD);
        for (int field : fields) {
            ByteBuf bad = Unpooled.copiedBuffer(good);
            // From the beginning, where all other fields are too: the bytes are there.
            bad.setShortLE(field, 0).setShortLE(field + 2, bad.getUnsignedShortLE(field + 2) + 1);
            assertThatThrownBy(() -> Login7.read(bad))
                    .as("field at %d", field)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("characters; at most");
        }
    }

    @Test
    void featuresBeyondAnyClientsAreRefused() {
        FeatureExtension feature = new FeatureExtension(0x42, new byte[0]);
        Login7Builder login = new Login7Builder();
        byte[] most = written(login.features(Collections.nCopies(64, feature)).build());
        assertThat(Login7.read(Unpooled.wrappedBuffer(most)).features()).hasSize(64);
        byte[] more = written(login.features(Collections.nCopies(65, feature)).build());
        assertThatThrownBy(() -> Login7.read(Unpooled.wrappedBuffer(more)))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("LOGIN7 asks for more than 64 features");
    }

    @Test
    void fieldsThatOverlapAreRefusedWhereTheyCouldNotBeWritten() {
        byte[] bytes = written(new Login7Builder()
                .features(List.of(new FeatureExtension(0x42, new byte[100_000])))
                .build());
        ByteBuf login = Unpooled.wrappedBuffer(bytes);
        assertThat(Login7.read(login).features()).hasSize(1);
        login.setShortLE(Login7Layout.SSPI, 0).setShortLE(Login7Layout.SSPI + 2, 0xFFFF);
        assertThatThrownBy(() -> Login7.read(login))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("LOGIN7's fields have 165535 bytes; at most 126975 are allowed");
    }

    @Test
    void loginBeyondTheLimitIsRefused() {
        ByteBuf tooLong = Unpooled.buffer()
                .writeBytes(Fixture.load("login/freetds-7.4").bytes())
                .writeZero(Login7.MAX_LENGTH);
        assertThatThrownBy(() -> Login7.read(tooLong)).hasMessageContaining("at most 131071");
    }

    @Test
    void profileIsTheSameForClientsThatDifferInWhoTheyAre() {
        Login7 one = new Login7Builder()
                .userName("ana")
                .hostName("h1")
                .appName("a1")
                .clientPid(1)
                .clientId(1)
                .password(Secret.ofText("x"))
                .serverName("s1")
                .interfaceName("i1")
                .timeZone(1)
                .clientProgVersion(1)
                .features(List.of(new FeatureExtension(FeatureExtension.USERAGENT, new byte[] {1})))
                .build();
        Login7 two = one.toBuilder()
                .userName("rui")
                .hostName("h2")
                .appName("a2")
                .clientPid(2)
                .clientId(2)
                .password(Secret.ofText("y"))
                .serverName("s2")
                .interfaceName("i2")
                .timeZone(2)
                .clientProgVersion(2)
                .features(List.of(new FeatureExtension(FeatureExtension.USERAGENT, new byte[] {2})))
                .build();
        assertThat(two.profile()).isEqualTo(one.profile()).hasSameHashCodeAs(one.profile());
    }

    @Test
    void profileDiffersWithWhateverShapesTheSession() {
        Login7 base = new Login7Builder().build();
        List<Login7> others = List.of(
                base.toBuilder().tdsVersion(0x730B0003).build(),
                base.toBuilder().packetSize(8000).build(),
                base.toBuilder().optionFlags1(0).build(),
                base.toBuilder().optionFlags2(0).build(),
                base.toBuilder().typeFlags(Login7.TYPE_READ_ONLY_INTENT).build(),
                base.toBuilder()
                        .optionFlags3(Login7.FLAG3_UNKNOWN_COLLATION_HANDLING)
                        .build(),
                base.toBuilder().lcid(0x0816).build(),
                base.toBuilder().language("português").build(),
                base.toBuilder().database("vendas").build(),
                base.toBuilder().attachDbFile("f").build(),
                base.toBuilder()
                        .features(List.of(new FeatureExtension(9, new byte[] {1})))
                        .build(),
                base.toBuilder()
                        .features(List.of(new FeatureExtension(9, new byte[] {2})))
                        .build());
        assertThat(others.stream().map(Login7::profile).distinct()).hasSize(others.size());
        assertThat(others).noneMatch(other -> other.profile().equals(base.profile()));
    }

    private static byte[] written(Login7 login) {
        ByteBuf out = Unpooled.buffer();
        login.write(out);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }
}
