package dev.comporta.standin.wire;

import dev.comporta.standin.control.SessionRecord;
import dev.comporta.standin.engine.EngineSession;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.TokenWriter;

/** A session as its client sees it: what its login has negotiated, and the transaction that was reported to the client. */
final class WireSession {
    static final long NO_TRANSACTION = 0;
    /** From this version of column encryption on, batches and calls carry a package for the enclave, if only an empty one. */
    static final int WITH_ENCLAVES = 2;

    final EngineSession engine;
    final TdsVersion version;
    /** The version of column encryption that both sides know; 0 without it. */
    final int columnEncryption;

    final RequestFormat format;
    final TokenWriter tokens;
    final int packetSize;
    final SessionRecord record;

    /** The descriptor that was reported to the client; written by the thread that runs a request. */
    volatile long transaction = NO_TRANSACTION;

    WireSession(EngineSession engine, TdsVersion version, int columnEncryption, int packetSize, int clientPort) {
        this.engine = engine;
        this.version = version;
        this.packetSize = packetSize;
        this.columnEncryption = columnEncryption;
        format = new RequestFormat(version, columnEncryption >= WITH_ENCLAVES);
        record = new SessionRecord(engine.spid(), clientPort);
        tokens = new TokenWriter(version);
    }
}
