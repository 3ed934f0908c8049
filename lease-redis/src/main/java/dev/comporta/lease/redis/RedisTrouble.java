package dev.comporta.lease.redis;

import dev.comporta.lease.url.SettingNames;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Explains why Redis can't be used: which setting is wrong, and what to do about it. */
record RedisTrouble(SettingNames names) {
    String of(Throwable failure) {
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

    private String advice(Throwable failure, String said) {
        String first = said.split(" ", 2)[0];
        return switch (first) {
            case "WRONGPASS" ->
                names.choose("Correct redis.username and redis.password", "Correct USER:PASSWORD@ in leases");
            case "NOAUTH" ->
                names.choose(
                        "Set redis.password, and redis.username if Redis has users",
                        "Write :PASSWORD@ before the host in leases, or USER:PASSWORD@ if Redis has users");
            case "NOPERM" ->
                "Permit the user of " + names.choose("redis.username", "leases")
                        + " the commands and keys listed in docs/fleet.md";
            case "MOVED" -> names.choose("Set redis.mode to cluster", "Add mode=cluster to leases");
            default -> byKind(failure, said);
        };
    }

    private String byKind(Throwable failure, String said) {
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("without any password configured")) {
            return names.choose("Remove redis.password", "Remove the password from leases") + ": this Redis has none";
        }
        if (lower.contains("cluster support disabled")) {
            return names.choose("Set redis.mode", "Set mode in leases") + " to standalone or sentinel";
        }
        if (lower.contains("not an ssl/tls record")) {
            return names.choose(
                    "That port does not speak TLS: set redis.tls to false, or redis.addr to the TLS port",
                    "That port does not speak TLS: write redis:// in leases, or the TLS port");
        }
        if (has(failure, CertificateException.class) && lower.contains("subject alternative")) {
            return "The certificate is not for the name in " + names.choose("redis.addr", "leases");
        }
        if (has(failure, SSLException.class) || has(failure, CertificateException.class)) {
            return "If its certificate is not trusted, set " + names.choose("redis.ca_file", "ca_file in leases")
                    + " to the certificate of its issuer";
        }
        if (lower.contains("initialization timed out")) {
            return "It accepts connections and does not answer: check whether "
                    + names.choose("redis.tls", "redis:// or rediss:// in leases") + " matches that port";
        }
        if (lower.contains("prematurely closed") || lower.contains("connection reset")) {
            return names.choose(
                    "If it speaks TLS only, set redis.tls to true", "If it speaks TLS only, write rediss:// in leases");
        }
        if (has(failure, UnknownHostException.class) || has(failure, ConnectException.class)) {
            return "Check " + names.choose("redis.addr", "the host and port in leases") + ", and that Redis is running";
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
