package dev.comporta.tds.token;

import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;

/**
 * Receives the tokens of a response from a {@code TokenWalker} as they arrive. Called on the walker's thread, in the order
 * of the tokens. Implement only what you need: the other methods do nothing.
 */
public interface TokenSink {
    /** ENVCHANGE 8. */
    default void transactionBegan(long descriptor) {}

    /** ENVCHANGE 9. */
    default void transactionCommitted(long descriptor) {}

    /** ENVCHANGE 10. */
    default void transactionRolledBack(long descriptor) {}

    /** ENVCHANGE 11: the session takes part in a distributed transaction. */
    default void transactionEnlisted(long descriptor) {}

    /** ENVCHANGE 12: the session has left a distributed transaction. */
    default void transactionDefected(long descriptor) {}

    /** ENVCHANGE 15: the transaction has become a distributed one. */
    default void transactionPromoted() {}

    /** ENVCHANGE 17: another session, bound to this one, has ended their transaction. */
    default void transactionEnded(long descriptor) {}

    default void databaseChanged(String to, String from) {}

    default void languageChanged(String to, String from) {}

    /** The five bytes of a {@link dev.comporta.tds.type.Collation}; both 0 if there is none any more. */
    default void collationChanged(int info, int sortId) {}

    /** Applies from the next message on. */
    default void packetSizeChanged(int bytes) {}

    /** ENVCHANGE 18: the session was reset, as the request's header asked. */
    default void resetAcknowledged() {}

    /** ENVCHANGE 20: the login belongs to another server. */
    default void routed(String server, int port) {}

    /** The types of {@link EnvChange} that have no method of their own, and those yet unknown. */
    default void environmentChanged(int type) {}

    /** @return whether {@link #messageText} shall follow; only then is the text put together */
    default boolean error(int number, int state, int severity) {
        return false;
    }

    /** @return whether {@link #messageText} shall follow */
    default boolean info(int number, int state, int severity) {
        return false;
    }

    /** The rest of the last error or info. */
    default void messageText(String text, String server, String procedure, int line) {}

    /** @param position of the number's four bytes in the response, packet headers not counted */
    default void returnStatus(int status, long position) {}

    /**
     * RETURNVALUE names the parameter whose value it is. Not called before TDS 7.2, which has no ordinals.
     *
     * @param position of the ordinal's two bytes in the response, packet headers not counted
     */
    default void returnOrdinal(int ordinal, long position) {}

    /**
     * An integer came back: an output parameter, such as the handle of a prepared statement or cursor.
     *
     * @param ordinal of the parameter in the call. Before TDS 7.2 servers don't say it: then it counts, from 0, the values
     *     that this call has returned so far, of whatever type; a call ends with DONEPROC
     * @param position of the value's first byte in the response, packet headers not counted
     * @param bytes of the value: 1, 2, 4 or 8
     */
    default void returnInteger(int ordinal, long value, long position, int bytes) {}

    /**
     * A null came back, of an integer type.
     *
     * @param ordinal as in {@link #returnInteger}
     */
    default void returnNull(int ordinal) {}

    /**
     * A value of another type came back.
     *
     * @param ordinal as in {@link #returnInteger}
     */
    default void returnOther(int ordinal) {}

    /** COLMETADATA: a result set begins. */
    default void resultSet() {}

    /**
     * The end of a statement or a procedure.
     *
     * @param token which of the three: {@link TokenType#DONE}, DONEPROC, DONEINPROC
     * @param status bits of {@link DoneStatus}
     * @param rowCount valid with {@link DoneStatus#COUNT}
     */
    default void done(int token, int status, int command, long rowCount) {}

    /** DONE_ATTN: what was running has been cancelled, and nothing of it will follow. */
    default void attentionAcknowledged() {}

    /** @param programVersion major, minor and two bytes of build */
    default void loginAcknowledged(TdsVersion version, String program, int programVersion) {}

    /** @param data borrowed for the length of the call, to be read from its reader index */
    default void featureAcknowledged(int feature, ByteBuf data) {}

    /** The server awaits the next message of a login that takes several: SSPI or FEDAUTHINFO. */
    default void negotiationContinues() {}

    /** The response is over: its message has ended after a DONE that is the last. */
    default void endOfResponse() {}
}
