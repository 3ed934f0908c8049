package dev.comporta.proxy.session;

import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.SqlFindings;

/**
 * Findings of one text, kept beyond the scanner's next one: they hold for every execution of a prepared statement.
 *
 * @param bits one for each {@link dev.comporta.tds.sql.Finding}
 * @param opaque whether it runs, or may run, text that is not known
 * @param leavesNothing whether it is proven to leave nothing in the session
 * @param pinsIfCutShort whether an error or a cancel leaves the session in an unknown state
 * @param callsPinningProcedure whether it calls one, by the rules when it was scanned
 */
public record TextFindings(
        long bits, boolean opaque, boolean leavesNothing, boolean pinsIfCutShort, boolean callsPinningProcedure) {
    public static TextFindings of(SqlFindings found, ProcedureRules rules) {
        return new TextFindings(
                found.bits(),
                found.hasAny(Effect.OPAQUE),
                found.leavesNothing(),
                found.pinsIfCutShort(),
                rules.pins(found));
    }
}
