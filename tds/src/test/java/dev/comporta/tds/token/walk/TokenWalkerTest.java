package dev.comporta.tds.token.walk;

import static dev.comporta.tds.token.walk.Walks.DONE;
import static dev.comporta.tds.token.walk.Walks.DONE_71;
import static dev.comporta.tds.token.walk.Walks.DONE_EVENT;
import static dev.comporta.tds.token.walk.Walks.V71;
import static dev.comporta.tds.token.walk.Walks.V74;
import static dev.comporta.tds.token.walk.Walks.assertRefused;
import static dev.comporta.tds.token.walk.Walks.assertWalked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each token by hand, in packets of every size. */
class TokenWalkerTest {
    @Test
    void selectOfOneRow() {
        assertWalked(V74, """
                81 0100                     # COLMETADATA, one column
                00000000 0000 38 00         # int, not null, no name
                d1 01000000                 # ROW
                fd 1000 c100 0100000000000000
                """, "result set", "DONE 10 command c1 rows 1");
    }

    @Test
    void rowsOfEveryLengthKind() {
        assertWalked(V74, """
                81 0a00
                00000000 0900 2604 01 "a"                       # int null
                00000000 0900 e7 1400 0904d00034 01 "b"         # nvarchar(10)
                00000000 0900 e7 ffff 0904d00034 01 "c"         # nvarchar(max)
                00000000 0900 23 ffffff7f 0904d00034 02 0300 "dbo" 0100 "t" 01 "d"  # text of dbo.t
                00000000 0900 62 491f0000 01 "e"                # sql_variant
                00000000 0900 f1 01 01 "d" 01 "s" 0100 "c" 01 "f"  # xml with a schema
                00000000 0900 f0 ffff 01 "d" 01 "s" 01 "t" 0100 "a" 01 "g"  # CLR type
                00000000 0900 2a07 01 "h"                       # datetime2(7)
                00000000 0900 f4 01 "i"                         # json
                00000000 0900 f5 1400 00 01 "j"                 # vector(3)
                d1
                04 01000000
                0200 "x"
                feffffffffffffff 02000000 "y" 02000000 "z" 00000000
                10 000102030405060708090a0b0c0d0e0f 0001020304050607 02000000 6869
                06000000 3800 01000000
                0000000000000000 00000000
                0200000000000000 02000000 0102 00000000
                08 0102030405060708
                ffffffffffffffff
                0c00 a9010100 00000000 0000803f
                d1                          # all null
                00 ffff ffffffffffffffff 00 00000000 ffffffffffffffff ffffffffffffffff 00 ffffffffffffffff ffff
                d2 ff03                     # all null, in the bitmap
                d2 fe03 04 02000000         # the first is not
                """ + DONE, "result set", DONE_EVENT);
    }

    @Test
    void oldTypesOfOldVersions() {
        assertWalked(V71, """
                81 0500
                0000 0900 2f 0a 0904d00034 01 "a"               # char(10), short form
                0000 0900 25 0a 01 "b"                          # varbinary(10), short form
                0000 0900 37 05 0902 01 "c"                     # decimal, short form
                0000 0900 63 feffff7f 0904d00034 0100 "t" 01 "d"  # ntext, its table in one name
                0000 0900 1f 01 "e"                             # null
                d1 0161 020102 05 0101000000 10 000102030405060708090a0b0c0d0e0f 0001020304050607 02000000 "x"
                d1 00 00 00 00
                78 0100 0200                                    # OFFSET
                """ + DONE_71, "result set", DONE_EVENT);
    }

    @Test
    void unlimitedTypesOfOldVersionsAsBabelfishSendsThem() {
        assertWalked(V71, """
                81 0200
                0000 0900 e7 ffff 0904d00034 01 "a"
                0000 0900 a7 ffff 0904d00034 01 "b"
                d1 0400000000000000 04000000 "xy" 00000000 ffffffffffffffff
                """ + DONE_71, "result set", DONE_EVENT);
    }

    @Test
    void doneCountsInFourBytesBefore72() {
        assertWalked(
                V71,
                "ff 1100 c100 05000000 fe 0000 e000 00000000",
                "DONEINPROC 11 command c1 rows 5",
                "DONEPROC 0 command e0 rows 0");
    }

    @Test
    void transactions() {
        assertWalked(
                V74,
                """
                e3 0b00 08 08 0807060504030201 00
                e3 0b00 09 00 08 0807060504030201
                e3 0b00 0a 00 08 0807060504030201
                e3 0b00 0b 08 0807060504030201 00
                e3 0b00 0c 00 08 0807060504030201
                e3 0100 0f 03000000 010203 00      # promoted; the length covers the type alone
                e3 0b00 11 00 08 0807060504030201
                """ + DONE,
                "began 102030405060708",
                "committed 102030405060708",
                "rolled back 102030405060708",
                "enlisted 102030405060708",
                "defected 102030405060708",
                "promoted",
                "ended 102030405060708",
                DONE_EVENT);
    }

    @Test
    void secondChangeInOneTokenIsNotMissed() {
        assertWalked(
                V74, "e3 0e00 12 00 00 08 08 0807060504030201 00" + DONE, "reset", "began 102030405060708", DONE_EVENT);
    }

    @Test
    void otherEnvironmentChanges() {
        assertWalked(
                V74,
                """
                e3 0f00 01 05 "neuer" 01 "a"
                e3 0700 02 01 "d" 01 "e"
                e3 0500 03 01 "c" 00
                e3 1300 04 04 "8000" 04 "4096"
                e3 0500 05 01 "1" 00
                e3 0500 06 01 "1" 00
                e3 0800 07 05 0904d00034 00
                e3 0500 0d 01 "p" 00
                e3 0500 10 02 0102 00
                e3 0300 12 00 00
                e3 0500 13 01 "i" 00
                e3 0e00 14 0900 00 9905 0200 "db" 0000
                e3 1400 15 0f00 00 9905 0200 "db" 0200 "rw" 0000
                e3 0300 63 0102
                """ + DONE,
                "database neuer from a",
                "language d from e",
                "environment 3",
                "packet size 8000",
                "environment 5",
                "environment 6",
                "collation 00d00409 34",
                "environment 13",
                "environment 16",
                "reset",
                "environment 19",
                "routed to db:1433",
                "routed to db:1433 rw",
                "environment 99",
                DONE_EVENT);
    }

    private static final String MESSAGES = """
            aa 1a00 26200000 02 10 0400 "oops" 01 "s" 01 "p" 07000000
            ab 1400 45160000 01 00 0200 "hi" 01 "s" 00 01000000
            """;

    @Test
    void errorsAndInfosWithTheirText() {
        assertWalked(
                V74,
                MESSAGES + DONE,
                "error 8230 state 2 class 16",
                "text 'oops' of s in 'p' line 7",
                "info 5701 state 1 class 0",
                "text 'hi' of s in '' line 1",
                DONE_EVENT);
    }

    @Test
    void errorsWhoseTextNobodyWants() {
        List<String> events = WalkerReplay.replay(Fixture.ofText(MESSAGES + DONE), V74, false);
        assertThat(events)
                .containsExactly("error 8230 state 2 class 16", "info 5701 state 1 class 0", DONE_EVENT, "end");
    }

    @Test
    void returnValues() {
        assertWalked(
                V74,
                """
                79 ffffffff
                ac 0100 02 "@h" 01 00000000 0100 2604 04 fbffffff
                ac 0200 00 01 00000000 0000 38 07000000
                ac 0300 00 01 00000000 0100 2608 00
                ac 0400 00 01 00000000 0100 2601 01 ff
                ac 0500 00 01 00000000 0100 e7 1400 0904d00034 0200 "x"
                ac 0600 00 01 00000000 0100 e7 ffff 0904d00034 0200000000000000 02000000 "x" 00000000
                ac 0700 00 02 00000000 0100 23 ffffff7f 0904d00034 02000000 6869
                fe 0000 e000 0000000000000000
                """,
                "status -1",
                "value 1 = -5 at 23 in 4 bytes",
                "value 2 = 7 at 39 in 4 bytes",
                "value 3 = null",
                "value 4 = 255 at 71 in 1 bytes",
                "value 5 is something else",
                "value 6 is something else",
                "value 7 is something else",
                "DONEPROC 0 command e0 rows 0");
    }

    @Test
    void packetThatEndsWithinAReturnedNumberIsTold() {
        byte[] bytes = Fixture.ofText("ac 0100 00 01 00000000 0100 2604 04 fbffffff" + DONE)
                .bytes();
        for (int cut = 1; cut < bytes.length; cut++) {
            TokenWalker walker = new TokenWalker(V74, new RecordingSink(false));
            walker.walk(Unpooled.wrappedBuffer(bytes), 0, cut, false);
            boolean inOrdinal = cut < 3;
            boolean inInteger = cut >= 13 && cut < 18;
            assertThat(walker.endsWithinReturnedNumber()).as("cut at %d", cut).isEqualTo(inOrdinal || inInteger);
            walker.walk(Unpooled.wrappedBuffer(bytes), cut, bytes.length, true);
            assertThat(walker.endsWithinReturnedNumber()).isFalse();
        }
    }

    @Test
    void whatHasComeOfAnUnfinishedTokenIsTold() {
        int[] tokens = {12, 6, 6, 2, 6, 5, 13};
        byte[] bytes = Fixture.ofText("81 0100 00000000 0900 2604 00 d1 04 01000000 d1 04 02000000 d1 00"
                        + " d1 04 03000000 a9 0200 0100 " + DONE)
                .bytes();
        TokenWalker byByte = new TokenWalker(V74, new RecordingSink(false));
        int token = 0;
        int began = 0;
        for (int cut = 1; cut < bytes.length; cut++) {
            if (cut == began + tokens[token]) {
                began = cut;
                token++;
            }
            TokenWalker walker = new TokenWalker(V74, new RecordingSink(false));
            OutsideHeap.walk(walker, Unpooled.wrappedBuffer(bytes), 0, cut, false);
            byByte.walk(Unpooled.wrappedBuffer(bytes), cut - 1, cut, false);
            assertThat(walker.unfinishedBytes()).as("cut at %d", cut).isEqualTo(cut - began);
            assertThat(byByte.unfinishedBytes()).as("byte by byte, at %d", cut).isEqualTo(cut - began);
        }
    }

    @Test
    void returnValueOfOldVersionHasItsLengthAndAShortUserType() {
        // As captured from a server of that age.
        assertWalked(
                V71,
                "ac 0d00 00 01 0000 0000 26 04 04 0c000000" + DONE_71,
                "value 0 = 12 at 12 in 4 bytes",
                DONE_EVENT);
    }

    @Test
    void oldReturnValuesAreToldByTheirOrderInTheirCall() {
        assertWalked(
                V71,
                """
                79 00000000
                ac 0d00 00 01 0000 0000 2604 04 0c000000
                ac 0d00 00 01 0000 0000 e7 1400 0904d00034 0200 "x"   # Babelfish says 13 of whatever it sends
                ac 0900 00 01 0000 0000 2604 00
                ff 0100 0000 00000000                                  # DONEINPROC does not end the call
                ac 0d00 00 01 0000 0000 2604 04 0d000000
                fe 8100 0000 00000000
                79 00000000
                ac 0d00 00 01 0000 0000 2604 04 0e000000
                fe 0000 0000 00000000
                """,
                "status 0",
                "value 0 = 12 at 17 in 4 bytes",
                "value 1 is something else",
                "value 2 = null",
                "DONEINPROC 1 command 0 rows 0",
                "value 3 = 13 at 75 in 4 bytes",
                "DONEPROC 81 command 0 rows 0",
                "status 0",
                "value 0 = 14 at 105 in 4 bytes",
                "DONEPROC 0 command 0 rows 0");
    }

    @Test
    void oldReturnValuesAreCountedAnewInEveryResponse() {
        RecordingSink sink = new RecordingSink(false);
        TokenWalker walker = new TokenWalker(V71, sink);
        byte[] bytes = Fixture.ofText("ac 0d00 00 01 0000 0000 2604 04 0c000000" + DONE_71)
                .bytes();
        for (int i = 0; i < 2; i++) {
            walker.walk(Unpooled.wrappedBuffer(bytes), 0, bytes.length, true);
        }
        assertThat(sink.events)
                .filteredOn("value 0 = 12 at 12 in 4 bytes"::equals)
                .hasSize(2);
    }

    @Test
    void tokensThatAreOnlyPassedOver() {
        assertWalked(V74, """
                a9 0400 0100 0200
                a4 0500 01 0100 "t"
                a5 0300 010100
                e4 08000000 01000000 01 090101
                """ + DONE, DONE_EVENT);
    }

    @Test
    void computeRows() {
        assertWalked(V71, """
                81 0100 0000 0000 38 00
                88 0200 0100 01 0100               # two aggregates, clause 1, by column 1
                4d 0100 0000 0000 38 00            # SUM
                4b 0100 0000 0900 2604 01 "c"      # COUNT
                88 0100 0200 00                    # one aggregate, clause 2
                51 0100 0000 0000 30 00            # MIN
                d1 01000000
                d3 0100 01000000 04 02000000
                d3 0200 07
                d1 02000000
                """ + DONE_71, "result set", DONE_EVENT);
    }

    @Test
    void loginSettlesVersionAndFeatures() {
        List<String> events = assertWalked(
                V74,
                """
                ad 0e00 01 72090002 02 "SQ" 10 00 10ef
                ae
                01 03000000 010203
                04 01000000 01
                09 02000000 02 01
                0a 01000000 01
                ff
                """ + DONE,
                "login V7_2 SQ 100010ef",
                "feature 1: 010203",
                "feature 4: 01",
                "feature 9: 0201",
                "feature 10: 01",
                DONE_EVENT);
        assertThat(events).hasSize(7);
        TokenWalker walker = new TokenWalker(TdsVersion.V7_1, new RecordingSink(false));
        byte[] login = Fixture.ofText(
                        "ad 0c00 01 74000004 01 \"S\" 10 00 10ef ae 04 01000000 01 09 02000000 01 01 ff" + DONE)
                .bytes();
        walker.walk(Unpooled.wrappedBuffer(login), 0, login.length, true);
        assertThat(walker.format()).isEqualTo(new WireFormat(TdsVersion.V7_4, true, 1));
    }

    @Test
    void answerOfAnOlderServerIsReadInItsOwnFormFromTheStart() {
        String answer = """
                e3 0700 01 01 "d" 01 "m"
                ab 1200 45160000 02 00 0200 "hi" 01 "s" 00 0100     # a line number of two bytes, before LOGINACK
                ad 0c00 01 71000001 01 "S" 08 00 0001
                """ + DONE_71;
        for (boolean wantsText : new boolean[] {true, false}) {
            RecordingSink sink = new RecordingSink(wantsText);
            TokenWalker walker = walkLogin(TdsVersion.V7_4, answer, sink);
            assertThat(sink.events).contains("login V7_1 S 08000001", DONE_EVENT, "end");
            assertThat(walker.format()).isEqualTo(V71);
            assertThat(sink.events.contains("text 'hi' of s in '' line 1")).isEqualTo(wantsText);
        }
    }

    @Test
    void rejectionHasNoAcknowledgementAndTellsItsVersionByItsLineNumber() {
        String head = "18480000 01 0e 0200 \"no\" 01 \"s\" 00";
        RecordingSink older = new RecordingSink(true);
        walkLogin(TdsVersion.V7_4, "aa 1200 " + head + " 0300 fd 0200 0000 00000000", older);
        assertThat(older.events)
                .containsExactly(
                        "error 18456 state 1 class 14",
                        "text 'no' of s in '' line 3",
                        "DONE 2 command 0 rows 0",
                        "end");
        RecordingSink newer = new RecordingSink(false);
        walkLogin(TdsVersion.V7_1, "aa 1400 " + head + " 03000000 fd 0200 0000 0000000000000000", newer);
        assertThat(newer.events).containsExactly("error 18456 state 1 class 14", "DONE 2 command 0 rows 0", "end");
    }

    @Test
    void lineNumbersAreNoGuessOnceTheVersionIsSettled() {
        assertRefused(V74, "aa 1200 18480000 01 0e 0200 \"no\" 01 \"s\" 00 0300", "its text is longer than the token");
    }

    private static TokenWalker walkLogin(TdsVersion asked, String answer, RecordingSink sink) {
        byte[] bytes = Fixture.ofText(answer).bytes();
        TokenWalker whole = new TokenWalker(asked, new RecordingSink(true));
        whole.walk(Unpooled.wrappedBuffer(bytes), 0, bytes.length, true);
        TokenWalker byByte = new TokenWalker(asked, sink);
        for (int i = 0; i < bytes.length; i++) {
            byByte.walk(Unpooled.wrappedBuffer(bytes), i, i + 1, i == bytes.length - 1);
        }
        assertThat(byByte.format()).isEqualTo(whole.format());
        return byByte;
    }

    @Test
    void loginMayBeAcknowledgedInSevenZero() {
        assertWalked(V74, "ad 0c00 01 07000000 01 \"S\" 07 00 0001" + DONE_71, "login V7_0 S 07000001", DONE_EVENT);
    }

    @Test
    void loginOf71MayBeAcknowledgedInItsOldForm() {
        assertWalked(V74, "ad 0c00 01 07010000 01 \"S\" 08 00 0001" + DONE_71, "login V7_1 S 08000001", DONE_EVENT);
    }

    @Test
    void negotiationsEndWithoutDone() {
        assertThat(WalkerReplay.replay(Fixture.ofText("ed 0300 010203"), V74)).containsExactly("negotiation");
        assertThat(WalkerReplay.replay(Fixture.ofText("ee 04000000 00000000"), V74))
                .containsExactly("negotiation");
    }

    @Test
    void encryptedColumns() {
        assertWalked(
                new WireFormat(TdsVersion.V7_4, true, 0),
                """
                81 0200
                0100                                    # one key in the table
                01000000 02000000 03000000 0102030405060708
                02                                      # encrypted in two ways
                0300 aabbcc 02 "ks" 0400 "path" 03 "RSA"
                0000 00 0000 00
                00000000 0908 a5 4100                   # encrypted: varbinary(65)
                0000 00000000 2604 02 01 01 01 "c"      # int, AEAD_AES_256_CBC_HMAC_SHA256, deterministic
                00000000 0908 a5 ffff
                0000 00000000 e7 1400 0904d00034 00 03 "own" 02 01 01 "d"   # an algorithm by name
                d1 0300 010203 0100000000000000 01000000 01 00000000
                ac 0000 00 01 00000000 0108 a5 1000 00000000 2604 02 01 01 0200 0102
                """ + DONE,
                "result set",
                "value 0 is something else",
                DONE_EVENT);
    }

    @Test
    void noKeysWhenNothingIsEncrypted() {
        assertWalked(
                new WireFormat(TdsVersion.V7_4, true, 0),
                "81 0100 0000 00000000 0000 38 00 d1 01000000" + DONE,
                "result set",
                DONE_EVENT);
    }

    @Test
    void dataClassification() {
        String names = "0100 01 \"l\" 01 \"1\"  0100 01 \"t\" 00 ";
        assertWalked(
                new WireFormat(TdsVersion.V7_4, false, 1),
                "a3" + names + "0200 0100 0000 0000 0000" + DONE,
                DONE_EVENT);
        assertWalked(
                new WireFormat(TdsVersion.V7_4, false, 2),
                "a3" + names + "0a000000 0200 0100 0000 0000 14000000 0000" + DONE,
                DONE_EVENT);
        assertRefused(V74, "a3" + names, "DATACLASSIFICATION", "was not negotiated");
    }

    @Test
    void attentionIsAcknowledgedByDone() {
        assertWalked(V74, "fd 2000 0000 0000000000000000", "DONE 20 command 0 rows 0", "attention");
    }

    @Test
    void responseMayGoOnAfterTheLastDone() {
        assertWalked(V74, DONE + "fd 2000 0000 0000000000000000", DONE_EVENT, "DONE 20 command 0 rows 0", "attention");
    }
}
