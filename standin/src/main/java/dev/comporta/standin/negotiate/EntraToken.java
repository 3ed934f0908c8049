package dev.comporta.standin.negotiate;

import dev.comporta.tds.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads an Entra login: its options in LOGIN7, and its token there or in a message of its own. */
public final class EntraToken {
    private static final int LIBRARY_SECURITY_TOKEN = 1;
    private static final int LIBRARY_ENTRA = 2;

    private EntraToken() {}

    /** Whether LOGIN7 contains the token. */
    public static boolean isInLogin(byte[] featureData) {
        return library(featureData) == LIBRARY_SECURITY_TOKEN;
    }

    /** Whether the client asks where to get a token, which it sends later. */
    public static boolean isToFollow(byte[] featureData) {
        return library(featureData) == LIBRARY_ENTRA;
    }

    private static int library(byte[] featureData) {
        return featureData.length == 0 ? -1 : (featureData[0] & 0xFF) >> 1;
    }

    /** The client's echo of PRELOGIN: whether the server requires federated authentication. */
    public static boolean echo(byte[] featureData) {
        return featureData.length > 0 && (featureData[0] & 1) != 0;
    }

    public static String inLogin(byte[] featureData) {
        ByteBuffer in = wrap(featureData);
        in.get(); // the options
        return token(in);
    }

    /** @param message the body of a federated authentication token message */
    public static String inMessage(byte[] message) {
        ByteBuffer in = wrap(message);
        if (message.length < Integer.BYTES) {
            throw new ProtocolException("a token message of " + message.length + " bytes");
        }
        in.getInt(); // the length of all that follows
        return token(in);
    }

    private static String token(ByteBuffer in) {
        try {
            byte[] token = new byte[Math.min(in.getInt(), in.remaining())];
            in.get(token);
            return new String(token, StandardCharsets.UTF_16LE);
        } catch (BufferUnderflowException | NegativeArraySizeException _) {
            throw new ProtocolException("a token that is cut short");
        }
    }

    private static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
