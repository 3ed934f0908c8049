package dev.comporta.standin.negotiate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The server's side of NTLM: its challenge, and the check of the client's response. Only NTLMv2 ([MS-NLMP]). */
public final class NtlmChallenge {
    private static final byte[] SIGNATURE = "NTLMSSP\0".getBytes(StandardCharsets.US_ASCII);
    private static final int NEGOTIATE = 1;
    private static final int CHALLENGE = 2;
    private static final int AUTHENTICATE = 3;

    private static final int CHALLENGE_HEAD = 56;
    /** Unicode, target, NTLM, a domain, extended security, target information, version, 128 and 56 bits. */
    private static final int FLAGS = 0x1 | 0x4 | 0x200 | 0x10000 | 0x80000 | 0x800000 | 0x2000000 | 0xA0000000;

    private static final int AV_COMPUTER = 1;
    private static final int AV_DOMAIN = 2;
    private static final int AV_DNS_COMPUTER = 3;
    private static final int AV_DNS_DOMAIN = 4;
    private static final int AV_TIMESTAMP = 7;
    /** The milliseconds from 1601, where Windows begins to count, to 1970. */
    private static final long EPOCH_MILLIS = 11_644_473_600_000L;

    private static final int NT_RESPONSE_FIELD = 20;
    private static final int DOMAIN_FIELD = 28;
    private static final int USER_FIELD = 36;
    private static final int PROOF_BYTES = 16;

    private final byte[] nonce = new byte[8];
    private final String domain;
    private final String computer;

    public NtlmChallenge(String domain, String computer) {
        this.domain = domain;
        this.computer = computer;
        new SecureRandom().nextBytes(nonce);
    }

    /** Whether a login begins with an NTLM message. */
    public static boolean isBegun(byte[] message) {
        return isOfType(message, NEGOTIATE);
    }

    /** The challenge. */
    public byte[] message() {
        byte[] target = utf16(domain);
        byte[] information = targetInformation();
        byte[] message = new byte[CHALLENGE_HEAD + target.length + information.length];
        ByteBuffer out = wrap(message);
        out.put(SIGNATURE).putInt(CHALLENGE);
        field(out, target.length, CHALLENGE_HEAD);
        out.putInt(FLAGS).put(nonce).putLong(0);
        field(out, information.length, CHALLENGE_HEAD + target.length);
        out.put(new byte[] {10, 0, 0, 0, 0, 0, 0, 15}); // Windows 10's version, and NTLMSSP's revision
        out.put(target).put(information);
        return message;
    }

    private byte[] targetInformation() {
        byte[] pairs = new byte[1024];
        ByteBuffer out = wrap(pairs);
        pair(out, AV_DOMAIN, utf16(domain));
        pair(out, AV_COMPUTER, utf16(computer));
        pair(out, AV_DNS_DOMAIN, utf16(domain.toLowerCase(Locale.ROOT)));
        pair(out, AV_DNS_COMPUTER, utf16(computer.toLowerCase(Locale.ROOT)));
        long now = (System.currentTimeMillis() + EPOCH_MILLIS) * 10_000;
        out.putShort((short) AV_TIMESTAMP).putShort((short) Long.BYTES).putLong(now);
        out.putInt(0); // the end of the pairs
        return Arrays.copyOf(pairs, out.position());
    }

    private static void pair(ByteBuffer out, int id, byte[] value) {
        out.putShort((short) id).putShort((short) value.length).put(value);
    }

    private static void field(ByteBuffer out, int length, int offset) {
        out.putShort((short) length).putShort((short) length).putInt(offset);
    }

    /**
     * The authenticated user, as {@code DOMAIN\\user}; null if the response is wrong.
     *
     * @param passwordOf returns the password of an account; null for an unknown one
     */
    public @Nullable String judge(byte[] message, UnaryOperator<@Nullable String> passwordOf) {
        if (!isOfType(message, AUTHENTICATE)) {
            return null;
        }
        try {
            byte[] response = fieldOf(message, NT_RESPONSE_FIELD);
            String itsDomain = new String(fieldOf(message, DOMAIN_FIELD), StandardCharsets.UTF_16LE);
            String user = new String(fieldOf(message, USER_FIELD), StandardCharsets.UTF_16LE);
            String account = itsDomain + "\\" + user;
            String password = passwordOf.apply(account);
            // A shorter response is NTLMv1, from which passwords can be recovered.
            if (password == null || response.length <= PROOF_BYTES + nonce.length) {
                return null;
            }
            byte[] key = hmac(Md4.hash(utf16(password)), utf16(user.toUpperCase(Locale.ROOT) + itsDomain));
            byte[] proof = hmac(key, nonce, Arrays.copyOfRange(response, PROOF_BYTES, response.length));
            return MessageDigest.isEqual(proof, Arrays.copyOf(response, PROOF_BYTES)) ? account : null;
        } catch (IndexOutOfBoundsException _) {
            return null;
        }
    }

    private static boolean isOfType(byte[] message, int type) {
        return message.length >= SIGNATURE.length + Integer.BYTES
                && Arrays.equals(message, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)
                && wrap(message).getInt(SIGNATURE.length) == type;
    }

    private static byte[] fieldOf(byte[] message, int at) {
        ByteBuffer in = wrap(message);
        int length = in.getShort(at) & 0xFFFF;
        byte[] value = new byte[length];
        in.get(in.getInt(at + 4), value);
        return value;
    }

    private static byte[] hmac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacMD5");
            mac.init(new SecretKeySpec(key, "HmacMD5"));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacMD5", e);
        }
    }

    private static byte[] utf16(String text) {
        return text.getBytes(StandardCharsets.UTF_16LE);
    }

    private static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
