package dev.comporta.tds.sql;

import static java.nio.charset.StandardCharsets.UTF_16LE;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;

/** Runs texts through a scanner and puts what it found into comparable values. */
final class SqlTexts {
    private SqlTexts() {}

    static ByteBuf utf16(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(UTF_16LE));
    }

    static SqlFindings scan(String text) {
        return scan(text, Scope.BATCH);
    }

    static SqlFindings scan(String text, Scope scope) {
        ByteBuf bytes = utf16(text);
        return new SqlScanner().scan(bytes, 0, bytes.readableBytes(), scope);
    }

    /** All findings but OPENS_IMPLICIT_TRANSACTION, which nearly every text has. */
    static Set<Finding> findings(SqlFindings found) {
        Set<Finding> set = EnumSet.noneOf(Finding.class);
        for (Finding finding : Finding.values()) {
            if (found.has(finding) && finding != Finding.OPENS_IMPLICIT_TRANSACTION) {
                set.add(finding);
            }
        }
        return set;
    }

    /** Everything that a scan found, without the positions in the text. */
    static String describe(SqlFindings found) {
        return Long.toBinaryString(found.bits())
                + ' '
                + found.doubt()
                + ' '
                + found.statements()
                + ' '
                + sets(found)
                + ' '
                + procedures(found)
                + ' '
                + found.database()
                + (found.leavesNothing() ? " leaves nothing" : "");
    }

    /** Each option as {@code NAME=value}: with {@code ?} if it may not be set, with "variable" if the text lacks the value. */
    static String sets(SqlFindings found) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < found.setCount(); i++) {
            all.append(i == 0 ? "" : " ").append(found.setOption(i));
            if (!found.setTarget(i).isEmpty()) {
                all.append('(').append(found.setTarget(i)).append(')');
            }
            all.append(found.setIsCertain(i) ? "=" : "?=").append(found.setIsConstant(i) ? "" : "variable ");
            all.append(found.setValue(i));
        }
        return all.toString();
    }

    static String procedures(SqlFindings found) {
        return String.join(
                " ",
                IntStream.range(0, found.procedureCount())
                        .mapToObj(found::procedure)
                        .toList());
    }
}
