package dev.comporta.proxy.session;

import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.SqlFindings;

/**
 * What was found in one text, kept beyond the scanner's next one: a prepared statement does it at every execution.
 *
 * @param bits one for each {@link dev.comporta.tds.sql.Finding}
 * @param opaque whether it runs, or may run, what the text does not show
 * @param leavesNothing whether it is proven to leave nothing in the session
 * @param pinsIfCutShort whether an error or a cancel leaves the session in a state that nobody knows
 * @param callsPinningProcedure by the rules that held when it was scanned
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
