package dev.comporta.tds.request;

import io.netty.buffer.ByteBuf;

/**
 * Receives the content of an RPC message from {@link RpcWalker}, in the order of the wire. Packets and character sequences
 * are valid during the call only.
 */
public interface RpcSink {
    /**
     * A procedure is called.
     *
     * @param procId a constant of {@link SystemProcedure}, whether called by number or by name; otherwise
     *     {@link SystemProcedure#NONE}, or an unknown number
     * @param name empty if called by number
     */
    void call(int procId, CharSequence name);

    /**
     * A parameter follows.
     *
     * @param ordinal from 0
     * @param name empty if given by position
     * @param status as in {@link RpcParameter#status}
     * @param type the code of its {@link dev.comporta.tds.type.DataType}
     * @return whether the sink wants its value: then {@link #nullValue}, {@link #integer} or any number of {@link #bytes}
     *     follow. The value of a table-valued parameter is never passed.
     */
    boolean parameter(int ordinal, CharSequence name, int status, int type);

    /** The value is null. */
    void nullValue();

    /**
     * The value is a whole number.
     *
     * @param index of its bytes, which may be replaced in place. If the previous packet ended within them (see
     *     {@link RpcWalker#endsWithinInteger}), it lies before the packet's body, by the number of bytes that are at the end
     *     of the previous packet
     */
    void integer(long value, ByteBuf packet, int index, int length);

    /** The next bytes of a value of any other type, without its lengths; a text may be cut within a character. */
    void bytes(ByteBuf packet, int index, int length);

    /**
     * The parameters are complete.
     *
     * @param execute false if the NO_EXEC flag follows
     */
    void callEnd(boolean execute);

    /**
     * The option flags of the call that is passed next, little-endian.
     *
     * @param procId of that call
     * @param index of their first byte; before the packet's body if that byte was in the previous packet
     */
    default void options(int procId, int flags, ByteBuf packet, int index) {}
}
