package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.session.TextFindings;
import dev.comporta.tds.request.SqlBatchWalker;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.Scope;
import dev.comporta.tds.sql.SetOption;
import dev.comporta.tds.sql.SqlFindings;
import dev.comporta.tds.sql.SqlScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Findings in the texts of a request, and between them, that matter for pooling. Borrows the packets. */
public final class RequestFindings implements SqlBatchWalker.Sink {
    /** Properties of a request as a whole, beside the {@link Finding}s. */
    public enum Trait {
        /** It runs, or may run, code whose effects the text does not show. */
        OPAQUE,
        /** Not all of it is proven to leave nothing in the session. */
        MAY_LEAVE_SOMETHING,
        /** An error or a cancel leaves the session in an unknown state. */
        PINS_IF_CUT_SHORT,
        /** It calls, or may call, a procedure that is not shared by the configuration. */
        CALLS_PINNING_PROCEDURE,
        /** The session takes part in a distributed transaction. */
        DISTRIBUTED,
        /** It is a batch that only begins a transaction. */
        ONLY_BEGINS_TRANSACTION,
        /** It ends by beginning a transaction, as a request of the transaction manager. */
        ENDS_BY_BEGINNING
    }

    private static final Finding[] FINDINGS = Finding.values();

    private final SqlScanner scanner = new SqlScanner();
    private ProcedureRules rules = ProcedureRules.SHARE;
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    private long findings;
    /** The SETs of the batch; they belong to the scanner, and are valid until it reads its next text. */
    private @Nullable SqlFindings sets;

    private String isolation = "";

    /** @param pinning the procedures that pin their caller */
    void begin(ProcedureRules pinning) {
        rules = pinning;
        clear();
    }

    void clear() {
        findings = 0;
        traits.clear();
        sets = null;
        isolation = "";
    }

    // Reading the request.

    void startText(Scope scope) {
        scanner.start(scope);
    }

    @Override
    public void text(ByteBuf packet, int index, int length) {
        scanner.feed(packet, index, length);
    }

    void endText() {
        add(scanner.end());
    }

    /** Ends a text that will be prepared: its effects count at each execution. */
    TextFindings endPrepared() {
        SqlFindings found = scanner.end();
        add(found);
        return TextFindings.of(found, rules);
    }

    /** Adds the findings of a prepared text that is executed. */
    void addExecuted(PreparedText text) {
        TextFindings found = text.found(rules);
        if (found == null) {
            ByteBuf bytes = Unpooled.wrappedBuffer(text.text());
            found = TextFindings.of(scanner.scan(bytes, 0, bytes.readableBytes(), Scope.INNER), rules);
            text.found(found, rules);
        }
        findings |= found.bits();
        addIf(found.opaque(), Trait.OPAQUE);
        addIf(!found.leavesNothing(), Trait.MAY_LEAVE_SOMETHING);
        addIf(found.pinsIfCutShort(), Trait.PINS_IF_CUT_SHORT);
        addIf(found.callsPinningProcedure(), Trait.CALLS_PINNING_PROCEDURE);
    }

    ProcedureRules rules() {
        return rules;
    }

    /** Ends the only text of a request, whose SETs are known. */
    void endBatch() {
        SqlFindings found = scanner.end();
        add(found);
        sets = found.setCount() > 0 ? found : null;
        addIf(found.onlyBeginsTransaction(), Trait.ONLY_BEGINS_TRANSACTION);
    }

    private void add(SqlFindings found) {
        addCall(found);
        addIf(found.hasAny(Effect.OPAQUE), Trait.OPAQUE);
        addIf(!found.leavesNothing(), Trait.MAY_LEAVE_SOMETHING);
        addIf(found.pinsIfCutShort(), Trait.PINS_IF_CUT_SHORT);
    }

    /** Ends a text that was built from a procedure's name, to stand for its call. */
    void endCall() {
        addCall(scanner.end());
    }

    private void addCall(SqlFindings found) {
        findings |= found.bits();
        addIf(rules.pins(found), Trait.CALLS_PINNING_PROCEDURE);
    }

    void add(Finding finding) {
        findings |= finding.bit();
    }

    void add(Trait trait) {
        traits.add(trait);
    }

    private void addIf(boolean holds, Trait trait) {
        if (holds) {
            add(trait);
        }
    }

    void setsIsolation(String level) {
        isolation = level;
        add(Trait.PINS_IF_CUT_SHORT);
    }

    // Results.

    public boolean has(Finding finding) {
        return (findings & finding.bit()) != 0;
    }

    public boolean hasAny(Effect effect) {
        return (findings & Finding.mask(effect)) != 0;
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** The first finding that pins the client until its session ends. */
    public Finding pinning() {
        long pins = findings & Finding.mask(Effect.PIN);
        return FINDINGS[Long.numberOfTrailingZeros(pins)];
    }

    /** Whether a SET of this option was found, wherever it is in the text. */
    public boolean sets(SetOption option) {
        SqlFindings found = sets;
        if (found != null) {
            for (int i = 0; i < found.setCount(); i++) {
                if (found.setOption(i) == option) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The state after the request has run without an error. */
    public SessionState apply(SessionState before) {
        SessionState state = before;
        if (!isolation.isEmpty()) {
            state = state.with(SetOption.TRANSACTION_ISOLATION_LEVEL, isolation);
        }
        SqlFindings found = sets;
        if (found != null) {
            for (int i = 0; i < found.setCount(); i++) {
                SetOption option = found.setOption(i);
                if (found.setIsCertain(i) && found.setIsConstant(i) && option.isReplayable()) {
                    state = state.with(option, found.setValue(i));
                }
            }
        }
        return state;
    }
}
