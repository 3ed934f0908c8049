package dev.comporta.proxy.dedicated;

import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import java.util.List;

/**
 * An Entra login repeats what PRELOGIN said of federated authentication, so that it can't be removed on the way. The client
 * heard the proxy's PRELOGIN; the server has to hear its own.
 */
final class FedAuthEcho {
    /** Of the options byte: the echo; the rest of it says what kind of token follows. */
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
