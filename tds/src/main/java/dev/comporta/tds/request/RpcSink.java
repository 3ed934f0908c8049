package dev.comporta.tds.request;

import io.netty.buffer.ByteBuf;

/**
 * Is told by {@link RpcWalker} what an RPC message asks for, in the order of the wire. Packets and character sequences are
 * lent for the call alone.
 */
public interface RpcSink {
    /**
     * A procedure is called.
     *
     * @param procId one of {@link SystemProcedure}'s, whether it is called by number or by name; otherwise
     *     {@link SystemProcedure#NONE}, or a number that is not known
     * @param name empty when it is called by number
     */
    void call(int procId, CharSequence name);

    /**
     * A parameter follows.
     *
     * @param ordinal from 0
     * @param name empty when it is given by position
     * @param status as in {@link RpcParameter#status}
     * @param type the code of its {@link dev.comporta.tds.type.DataType}
     * @return whether its value is wanted: then one of {@link #nullValue}, {@link #integer} or any number of {@link #bytes}
     *     follow. That of a table-valued parameter is never shown.
     */
    boolean parameter(int ordinal, CharSequence name, int status, int type);

    /** The value is null. */
    void nullValue();

    /**
     * The value is a whole number.
     *
     * @param index of its bytes, which may be replaced in place. When the packet before this one ended within them (see
     *     {@link RpcWalker#endsWithinInteger}) it is less than where the packet's body begins: the difference is how many
     *     bytes stand at the end of the packet before
     */
    void integer(long value, ByteBuf packet, int index, int length);

    /** The next bytes of the value: of any other type, without lengths; of text, a character may be cut in two. */
    void bytes(ByteBuf packet, int index, int length);

    /**
     * The parameters are complete.
     *
     * @param execute false when the call was taken back
     */
    void callEnd(boolean execute);

    /**
     * The option flags of the call that is told next, little-endian.
     *
     * @param procId of that call
     * @param index of their first byte; before the packet's body when that byte came with the packet before
     */
    default void options(int procId, int flags, ByteBuf packet, int index) {}
}
