package dev.comporta.standin.wire;

import dev.comporta.standin.control.SessionRecord;
import dev.comporta.standin.engine.EngineSession;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.TokenWriter;

/** A session as its client sees it: what its login has settled, and the transaction that the client knows of. */
final class WireSession {
    static final long NO_TRANSACTION = 0;

    final EngineSession engine;
    final TdsVersion version;
    final RequestFormat format;
    final TokenWriter tokens;
    final int packetSize;
    final SessionRecord record;

    /** The descriptor that the client was told of; written by the thread that runs a request. */
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
