package dev.comporta.proxy.dedicated;

import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import java.util.List;

/**
 * An Entra login echoes PRELOGIN's answer about federated authentication, so that nobody between can remove it. The client
 * received the proxy's PRELOGIN; the server must get the echo of its own.
 */
final class FedAuthEcho {
    /** The echo bit of the options byte, whose other bits say what kind of token follows. */
    private static final int ECHO = 0x01;

    private FedAuthEcho() {}

    static Login7 of(Login7 login, boolean required) {
        FeatureExtension asked = login.feature(FeatureExtension.FEDAUTH);
        if (asked == null || asked.dataLength() == 0) {
            return login;
        }
        byte[] data = asked.data();
        data[0] = (byte) (required ? data[0] | ECHO : data[0] & ~ECHO);
        FeatureExtension echoed = new FeatureExtension(FeatureExtension.FEDAUTH, data);
        List<FeatureExtension> features = login.features().stream()
                .map(feature -> feature.id() == FeatureExtension.FEDAUTH ? echoed : feature)
                .toList();
        return login.toBuilder().features(features).build();
    }
}
