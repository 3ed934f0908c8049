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

    /**
     * ENVCHANGE 20 or 21: the login belongs to another server.
     *
     * @param database empty for one of the same name
     */
    default void routed(String server, int port, String database) {}

    /**
     * ENVCHANGE 13: another server has a mirror of the database. {@link #environmentChanged} is called too.
     *
     * @param position offset of the token in the response
     * @param bytes its length
     */
    default void mirrored(long position, int bytes) {}

    /** The types of {@link EnvChange} that have no method of their own, and unknown ones. */
    default void environmentChanged(int type) {}

    /** @return whether to call {@link #messageText} as well; the text is decoded only then */
    default boolean error(int number, int state, int severity) {
        return false;
    }

    /** @return whether to call {@link #messageText} as well */
    default boolean info(int number, int state, int severity) {
        return false;
    }

    /** The other fields of the last error or info. */
    default void messageText(String text, String server, String procedure, int line) {}

    /** @param position of the number's four bytes in the response, packet headers not counted */
    default void returnStatus(int status, long position) {}

    /**
     * The ordinal of a RETURNVALUE: the parameter that is returned. Not called before TDS 7.2, which has no ordinals.
     *
     * @param position of the ordinal's two bytes in the response, packet headers not counted
     */
    default void returnOrdinal(int ordinal, long position) {}

    /**
     * An integer was returned: an output parameter, such as the handle of a prepared statement or cursor.
     *
     * @param ordinal of the parameter in the call. Before TDS 7.2 servers don't send it: then it is the number, from 0, of the
     *     value among those that this call has returned so far, of whatever type; a call ends with DONEPROC
     * @param position of the value's first byte in the response, packet headers not counted
     * @param bytes the value's length: 1, 2, 4 or 8
     */
    default void returnInteger(int ordinal, long value, long position, int bytes) {}

    /**
     * A null of an integer type was returned.
     *
     * @param ordinal as in {@link #returnInteger}
     */
    default void returnNull(int ordinal) {}

    /**
     * A value of another type was returned.
     *
     * @param ordinal as in {@link #returnInteger}
     */
    default void returnOther(int ordinal) {}

    /** COLMETADATA: a result set begins. */
    default void resultSet() {}

    /**
     * The end of a statement or a procedure.
     *
     * @param token {@link TokenType#DONE}, DONEPROC or DONEINPROC
     * @param status bits of {@link DoneStatus}
     * @param rowCount valid with {@link DoneStatus#COUNT}
     */
    default void done(int token, int status, int command, long rowCount) {}

    /** DONE_ATTN: the running request has been cancelled, and nothing more of its response follows. */
    default void attentionAcknowledged() {}

    /** @param programVersion major, minor and two bytes of build */
    default void loginAcknowledged(TdsVersion version, String program, int programVersion) {}

    /** @param data borrowed during the call, to be read from its reader index */
    default void featureAcknowledged(int feature, ByteBuf data) {}

    /** The server awaits the client's next message of a login that takes several: SSPI or FEDAUTHINFO. */
    default void negotiationContinues() {}

    /** The response has ended: its message ended after a final DONE. */
    default void endOfResponse() {}
}
