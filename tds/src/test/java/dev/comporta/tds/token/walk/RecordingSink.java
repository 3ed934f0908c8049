package dev.comporta.tds.token.walk;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.TokenSink;
import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;

/** Records each call as one line. */
final class RecordingSink implements TokenSink {
    final List<String> events = new ArrayList<>();
    private final boolean wantsText;

    RecordingSink(boolean wantsText) {
        this.wantsText = wantsText;
    }

    private void record(String form, Object... values) {
        events.add(form.formatted(values));
    }

    @Override
    public void transactionBegan(long descriptor) {
        record("began %x", descriptor);
    }

    @Override
    public void transactionCommitted(long descriptor) {
        record("committed %x", descriptor);
    }

    @Override
    public void transactionRolledBack(long descriptor) {
        record("rolled back %x", descriptor);
    }

    @Override
    public void transactionEnlisted(long descriptor) {
        record("enlisted %x", descriptor);
    }

    @Override
    public void transactionDefected(long descriptor) {
        record("defected %x", descriptor);
    }

    @Override
    public void transactionPromoted() {
        record("promoted");
    }

    @Override
    public void transactionEnded(long descriptor) {
        record("ended %x", descriptor);
    }

    @Override
    public void databaseChanged(String to, String from) {
        record("database %s from %s", to, from);
    }

    @Override
    public void languageChanged(String to, String from) {
        record("language %s from %s", to, from);
    }

    @Override
    public void collationChanged(int info, int sortId) {
        record("collation %08x %02x", info, sortId);
    }

    @Override
    public void packetSizeChanged(int bytes) {
        record("packet size %d", bytes);
    }

    @Override
    public void resetAcknowledged() {
        record("reset");
    }

    @Override
    public void routed(String server, int port, String database) {
        record("routed to %s:%d%s", server, port, database.isEmpty() ? "" : " " + database);
    }

    @Override
    public void environmentChanged(int type) {
        record("environment %d", type);
    }

    @Override
    public boolean error(int number, int state, int severity) {
        record("error %d state %d class %d", number, state, severity);
        return wantsText;
    }

    @Override
    public boolean info(int number, int state, int severity) {
        record("info %d state %d class %d", number, state, severity);
        return wantsText;
    }

    @Override
    public void messageText(String text, String server, String procedure, int line) {
        record("text '%s' of %s in '%s' line %d", text, server, procedure, line);
    }

    @Override
    public void returnStatus(int status, long position) {
        record("status %d", status);
    }

    @Override
    public void returnInteger(int ordinal, long value, long position, int bytes) {
        record("value %d = %d at %d in %d bytes", ordinal, value, position, bytes);
    }

    @Override
    public void returnNull(int ordinal) {
        record("value %d = null", ordinal);
    }

    @Override
    public void returnOther(int ordinal) {
        record("value %d is something else", ordinal);
    }

    @Override
    public void resultSet() {
        record("result set");
    }

    @Override
    public void done(int token, int status, int command, long rowCount) {
        record("%s %x command %x rows %d", TokenType.name(token), status, command, rowCount);
    }

    @Override
    public void attentionAcknowledged() {
        record("attention");
    }

    @Override
    public void loginAcknowledged(TdsVersion version, String program, int programVersion) {
        record("login %s %s %08x", version, program, programVersion);
    }

    @Override
    public void featureAcknowledged(int feature, ByteBuf data) {
        record("feature %d: %s", feature, ByteBufUtil.hexDump(data));
    }

    @Override
    public void negotiationContinues() {
        record("negotiation");
    }

    @Override
    public void endOfResponse() {
        record("end");
    }
}
