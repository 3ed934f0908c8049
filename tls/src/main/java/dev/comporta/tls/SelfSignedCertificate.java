package dev.comporta.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A key and a certificate for it, generated at the start of a server without a configured certificate, as SQL Server does.
 * RSA, because every driver's TLS library accepts it.
 */
public record SelfSignedCertificate(PrivateKey key, X509Certificate certificate) {
    private static final int KEY_BITS = 2048;
    private static final int YEARS = 10;
    private static final String SHA256_WITH_RSA = "1.2.840.113549.1.1.11";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final Pattern LITERAL_ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /**
     * Takes some hundred milliseconds to generate the key.
     *
     * @param commonName the name of the subject and the issuer
     * @param hosts names and literal addresses that clients may dial
     */
    public static SelfSignedCertificate generate(String commonName, List<String> hosts)
            throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        KeyPair keys = generator.generateKeyPair();
        byte[] toSign = toBeSigned(commonName, hosts, keys);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(toSign);
        byte[] encoded = Der.sequence(toSign, algorithm(), Der.bitString(signature.sign()));
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        return new SelfSignedCertificate(keys.getPrivate(), certificate);
    }

    /** The certificate as PEM, without its key, for the trust store of clients. */
    public String pem() {
        try {
            String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] toBeSigned(String commonName, List<String> hosts, KeyPair keys) {
        byte[] name = Der.sequence(Der.element(Der.SET, Der.sequence(Der.oid(COMMON_NAME), Der.utf8(commonName))));
        // The clocks of client and server may differ a little.
        ZonedDateTime yesterday = ZonedDateTime.now(ZoneOffset.UTC).minusDays(1);
        byte[] extensions = Der.sequence(
                Der.sequence(Der.oid(BASIC_CONSTRAINTS), Der.yes(), Der.octetString(Der.sequence(Der.yes()))),
                Der.sequence(Der.oid(SUBJECT_ALTERNATIVE_NAME), Der.octetString(alternativeNames(hosts))));
        return Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)), // X.509 v3
                Der.integer(new BigInteger(127, new SecureRandom())),
                algorithm(),
                name,
                Der.sequence(Der.time(yesterday), Der.time(yesterday.plusYears(YEARS))),
                name,
                keys.getPublic().getEncoded(),
                Der.explicit(3, extensions));
    }

    private static byte[] algorithm() {
        return Der.sequence(Der.oid(SHA256_WITH_RSA), new byte[] {5, 0}); // parameters: NULL
    }

    private static byte[] alternativeNames(List<String> hosts) {
        List<byte[]> names = new ArrayList<>();
        for (String host : hosts) {
            names.add(
                    LITERAL_ADDRESS.matcher(host).matches()
                            ? Der.implicit(IP_ADDRESS, address(host))
                            : Der.implicit(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII)));
        }
        return Der.sequence(names.toArray(new byte[0][]));
    }

    private static byte[] address(String literal) {
        try {
            return InetAddress.ofLiteral(literal).getAddress();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not an address: " + literal, e);
        }
    }
}
