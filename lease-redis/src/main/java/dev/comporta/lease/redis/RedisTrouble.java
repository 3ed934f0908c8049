package dev.comporta.lease.redis;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Why Redis can't be used: what to do about it, and which key of the configuration is wrong. */
final class RedisTrouble {
    private RedisTrouble() {}

    static String of(Throwable failure) {
        Throwable root = root(failure);
        String said = String.valueOf(root.getMessage());
        String advice = advice(failure, said);
        return advice.isEmpty() ? said : (said.endsWith(".") ? said : said + ".") + " " + advice;
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static String advice(Throwable failure, String said) {
        String first = said.split(" ", 2)[0];
        return switch (first) {
            case "WRONGPASS" -> "Correct redis.username and redis.password";
            case "NOAUTH" -> "Set redis.password, and redis.username if Redis has users";
            case "NOPERM" -> "Permit the user of redis.username the commands and keys listed in docs/fleet.md";
            case "MOVED" -> "Set redis.mode to cluster";
            default -> byKind(failure, said);
        };
    }

    private static String byKind(Throwable failure, String said) {
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("without any password configured")) {
            return "Remove redis.password: this Redis has none";
        }
        if (lower.contains("cluster support disabled")) {
            return "Set redis.mode to standalone or sentinel";
        }
        if (lower.contains("not an ssl/tls record")) {
            return "That port does not speak TLS: set redis.tls to false, or redis.addr to the TLS port";
        }
        if (has(failure, CertificateException.class) && lower.contains("subject alternative")) {
            return "The certificate is not for the name in redis.addr";
        }
        if (has(failure, SSLException.class) || has(failure, CertificateException.class)) {
            return "If its certificate is not trusted, set redis.ca_file to the certificate of its issuer";
        }
        if (lower.contains("initialization timed out")) {
            return "It accepts connections and does not answer: check whether redis.tls matches that port";
        }
        if (lower.contains("prematurely closed") || lower.contains("connection reset")) {
            return "If it speaks TLS only, set redis.tls to true";
        }
        if (has(failure, UnknownHostException.class) || has(failure, ConnectException.class)) {
            return "Check redis.addr, and that Redis is running";
        }
        return "";
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (kind.isInstance(t)) {
                return true;
            }
        }
        return false;
    }
}
