package dev.comporta.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SelfSignedCertificateTest {
    private static X509Certificate certificate;

    @BeforeAll
    static void generate() throws Exception {
        certificate = SelfSignedCertificate.generate("standin", List.of("db.example", "127.0.0.1", "::1"))
                .certificate();
    }

    @Test
    void isSignedByItsOwnKey() {
        assertThatCode(() -> certificate.verify(certificate.getPublicKey())).doesNotThrowAnyException();
        assertThat(certificate.getSubjectX500Principal()).isEqualTo(certificate.getIssuerX500Principal());
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=standin");
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSerialNumber()).isPositive();
    }

    @Test
    void namesTheHostsThatClientsDial() throws Exception {
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(entry -> (Object) entry.get(1))
                .containsExactly("db.example", "127.0.0.1", "0:0:0:0:0:0:0:1");
    }

    @Test
    void isValidFromYesterdayForTenYears() {
        Instant now = Instant.now();
        assertThatCode(() -> certificate.checkValidity(Date.from(now.minus(23, ChronoUnit.HOURS))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> certificate.checkValidity(Date.from(now.minus(25, ChronoUnit.HOURS))))
                .isInstanceOf(CertificateNotYetValidException.class);
        assertThatCode(() -> certificate.checkValidity(Date.from(now.plus(3600, ChronoUnit.DAYS))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> certificate.checkValidity(Date.from(now.plus(3700, ChronoUnit.DAYS))))
                .isInstanceOf(CertificateExpiredException.class);
    }

    @Test
    void longNamesAreEncodedWithLongLengths() throws Exception {
        String host = "h".repeat(60) + "." + "i".repeat(60) + ".example";
        SelfSignedCertificate many =
                SelfSignedCertificate.generate("n".repeat(64), List.of(host, "a." + host, "b." + host));

        assertThat(many.certificate().getSubjectAlternativeNames())
                .extracting(entry -> (Object) entry.get(1))
                .containsExactly(host, "a." + host, "b." + host);
    }
}
