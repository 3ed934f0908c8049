package dev.comporta.tds.token.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.Unpooled;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every first byte in every version, and every state with the message's end. */
class TokenTableTest {
    private static final Set<Integer> ALWAYS = Set.of(
            TokenType.RETURNSTATUS,
            TokenType.COLMETADATA,
            TokenType.ALTMETADATA,
            TokenType.TABNAME,
            TokenType.COLINFO,
            TokenType.ORDER,
            TokenType.ERROR,
            TokenType.INFO,
            TokenType.RETURNVALUE,
            TokenType.LOGINACK,
            TokenType.FEATUREEXTACK,
            TokenType.ALTROW,
            TokenType.ENVCHANGE,
            TokenType.SESSIONSTATE,
            TokenType.SSPI,
            TokenType.FEDAUTHINFO,
            TokenType.DONE,
            TokenType.DONEPROC,
            TokenType.DONEINPROC);

    @ParameterizedTest
    @EnumSource
    void tokensThatMayBeginAResponse(TdsVersion version) {
        Set<Integer> expected = new TreeSet<>(ALWAYS);
        if (!version.isAtLeast(TdsVersion.V7_2)) {
            expected.add(TokenType.OFFSET);
        }
        Set<Integer> accepted = new TreeSet<>();
        for (int token = 0; token < 256; token++) {
            if (accepts(new WireFormat(version), "", token)) {
                accepted.add(token);
            }
        }
        assertThat(accepted).isEqualTo(expected);
    }

    @Test
    void metadataMakesRowsPossible() {
        WireFormat format = new WireFormat(TdsVersion.V7_4);
        String metadata = "81 0100 00000000 0000 38 00";
        assertThat(accepts(format, metadata, TokenType.ROW)).isTrue();
        assertThat(accepts(format, metadata, TokenType.NBCROW)).isTrue();
        assertThat(accepts(format, "81 ffff", TokenType.ROW)).isFalse();
    }

    @Test
    void settledClassificationMakesItsTokenPossible() {
        assertThat(accepts(new WireFormat(TdsVersion.V7_4, false, 2), "", TokenType.DATACLASSIFICATION))
                .isTrue();
        assertThat(accepts(new WireFormat(TdsVersion.V7_4, false, 3), "", TokenType.DATACLASSIFICATION))
                .isFalse();
    }

    private static boolean accepts(WireFormat format, String before, int token) {
        TokenWalker walker = new TokenWalker(format, new RecordingSink(false));
        byte[] bytes = Fixture.ofText(before + " %02x".formatted(token)).bytes();
        try {
            walker.walk(Unpooled.wrappedBuffer(bytes), 0, bytes.length, false);
            return true;
        } catch (ProtocolException refused) {
            return false;
        }
    }

    /** One row for each state: the bytes that lead into it. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            before the first token   |
            after a DONE with more   | fd 0100 0000 0000000000000000
            after another token      | 79 00000000
            DONE's head              | fd 00
            DONE's count             | fd 0000 0000 00
            RETURNSTATUS             | 79 00
            a short length           | a9 00
            a long length            | e4 00
            a skipped body           | a9 0200 00
            ENVCHANGE's length       | e3 03
            ENVCHANGE's type         | e3 0300
            ENVCHANGE                | e3 0300 01 00
            a promotion's length     | e3 0100 0f 00
            a promotion's end        | e3 0100 0f 01000000 00
            a message's head         | aa 0800
            a message's text         | aa 0800 00000000 00 00 00
            LOGINACK's length        | ad 00
            LOGINACK                 | ad 0a00 01
            a feature                | ae
            a feature's length       | ae 01 00
            a feature's data         | ae 01 01000000
            after a feature          | ae 01 00000000
            the count of columns     | 81 01
            a column's head          | 81 0100 00
            a column's type          | 81 0100 00000000 0000
            a type's length          | 81 0100 00000000 0000 26
            a type's scale           | 81 0100 00000000 0000 2a
            a short type length      | 81 0100 00000000 0000 e7 00
            a long type length       | 81 0100 00000000 0000 22 00
            an XML schema            | 81 0100 00000000 0000 f1
            names of an XML schema   | 81 0100 00000000 0000 f1 01 00
            names of a CLR type      | 81 0100 00000000 0000 f0 0000 00
            the parts of a table     | 81 0100 00000000 0000 22 00000000
            a part of a table        | 81 0100 00000000 0000 22 00000000 01 00
            a column's name          | 81 0100 00000000 0000 38
            a row                    | 81 0100 00000000 0000 38 00 d1
            a bitmap                 | 81 0100 00000000 0000 38 00 d2
            a value cut              | 81 0100 00000000 0000 38 00 d1 0000
            a short length cut       | 81 0100 00000000 0000 a5 0100 00 d1 01
            a long length cut        | 81 0100 00000000 0000 62 01000000 00 d1 01
            a text pointer           | 81 0100 00000000 0000 22 01000000 00 00 d1
            behind a text pointer    | 81 0100 00000000 0000 22 01000000 00 00 d1 01 00
            the total of chunks      | 81 0100 00000000 0000 f4 00 d1 00
            a chunk's length         | 81 0100 00000000 0000 f4 00 d1 0000000000000000 00
            a chunk                  | 81 0100 00000000 0000 f4 00 d1 0000000000000000 02000000 00
            a compute clause         | 88 0100
            its grouping             | 88 0100 0100
            its aggregate            | 88 0100 0100 00 4d
            a compute row's clause   | d3 01
            a return value           | ac
            its name                 | ac 0000 01
            its head                 | ac 0000 00 01
            its type                 | ac 0000 00 01 00000000 0000
            its integer's length     | ac 0000 00 01 00000000 0000 2604
            its integer              | ac 0000 00 01 00000000 0000 2604 04 00
            its other value          | ac 0000 00 01 00000000 0000 a5 0100 01
            """)
    void messageMustNotEndIn(String state, String prefix) {
        byte[] bytes = prefix == null ? new byte[0] : Fixture.ofText(prefix).bytes();
        assertMustNotEnd(state, bytes, new TokenWalker(TdsVersion.V7_4, new RecordingSink(true)));
    }

    /** The states that only a login with column encryption and data classification leads to. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the count of keys        | 81 0100 01
            a key                    | 81 0100 0100 00
            how often it is encrypted | 81 0100 0100 01000000 02000000 03000000 0102030405060708
            an encrypted key         | 81 0100 0100 01000000 02000000 03000000 0102030405060708 01 03
            its bytes                | 81 0100 0100 01000000 02000000 03000000 0102030405060708 01 0300 aa
            its store                | 81 0100 0100 01000000 02000000 03000000 0102030405060708 01 0000
            its path                 | 81 0100 0100 01000000 02000000 03000000 0102030405060708 01 0000 00 01
            its algorithm            | 81 0100 0100 01000000 02000000 03000000 0102030405060708 01 0000 00 0000
            an encrypted column      | 81 0100 0000 00000000 0908 a5 4100 00
            its type when decrypted  | 81 0100 0000 00000000 0908 a5 4100 0000 00000000
            the column's algorithm   | 81 0100 0000 00000000 0908 a5 4100 0000 00000000 2604
            its algorithm's name     | 81 0100 0000 00000000 0908 a5 4100 0000 00000000 2604 00
            its encryption's type    | 81 0100 0000 00000000 0908 a5 4100 0000 00000000 2604 02 01
            an encrypted value's type | ac 0000 00 01 00000000 0108 a5 1000 00000000
            the count of labels      | a3 01
            a label                  | a3 0100
            a label's id             | a3 0100 01 "l"
            the count of types       | a3 0000
            a type of information    | a3 0000 0100 01
            the rank of the result   | a3 0000 0000 00
            the count of columns     | a3 0000 0000 00000000 01
            the column's count       | a3 0000 0000 00000000 0100
            a column's label         | a3 0000 0000 00000000 0100 0100 0000
            a column's rank          | a3 0000 0000 00000000 0100 0100 0000 0000 00
            """)
    void messageMustNotEndInWhatALoginSettled(String state, String prefix) {
        WireFormat settled = new WireFormat(TdsVersion.V7_4, true, 2);
        byte[] bytes = Fixture.ofText(prefix).bytes();
        assertMustNotEnd(state, bytes, new TokenWalker(settled, new RecordingSink(true)));
    }

    private static void assertMustNotEnd(String state, byte[] bytes, TokenWalker walker) {
        walker.walk(Unpooled.wrappedBuffer(bytes), 0, bytes.length, false);
        walker.walk(Unpooled.EMPTY_BUFFER, 0, 0, false);
        assertThatThrownBy(() -> walker.walk(Unpooled.EMPTY_BUFFER, 0, 0, true))
                .as(state)
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the message ends");
    }
}
