package dev.comporta.standin.wire;

import dev.comporta.standin.control.SessionRecord;
import dev.comporta.standin.engine.EngineSession;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.TokenWriter;

/** A session as its client sees it: what its login has negotiated, and the transaction that was reported to the client. */
final class WireSession {
    static final long NO_TRANSACTION = 0;

    final EngineSession engine;
    final TdsVersion version;
    final RequestFormat format;
    final TokenWriter tokens;
    final int packetSize;
    final SessionRecord record;

    /** The descriptor that was reported to the client; written by the thread that runs a request. */
    volatile long transaction = NO_TRANSACTION;

    WireSession(EngineSession engine, TdsVersion version, int packetSize, int clientPort) {
        this.engine = engine;
        this.version = version;
        this.packetSize = packetSize;
        format = RequestFormat.of(version);
        record = new SessionRecord(engine.spid(), clientPort);
        tokens = new TokenWriter(version);
    }
}
