package dev.comporta.tds.login;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of a login that determines the session and the wire format of its responses, and so decides which clients may
 * share a server connection: a reset does not renegotiate it. Not part of it: the client's identity (user, password, host,
 * application, process, driver), and what servers don't use (time zone, connection id).
 *
 * @param features in the order of the wire; the data of {@link FeatureExtension#USERAGENT} only describes the driver, so
 *     only its presence counts
 */
public record LoginProfile(
        int tdsVersion,
        int packetSize,
        int optionFlags1,
        int optionFlags2,
        int typeFlags,
        int optionFlags3,
        int lcid,
        String language,
        String database,
        String attachDbFile,
        List<FeatureExtension> features) {

    public LoginProfile {
        features = List.copyOf(features);
    }

    static LoginProfile of(Login7 login) {
        List<FeatureExtension> features = new ArrayList<>(login.features().size());
        for (FeatureExtension feature : login.features()) {
            features.add(
                    feature.id() == FeatureExtension.USERAGENT
                            ? new FeatureExtension(FeatureExtension.USERAGENT, new byte[0])
                            : feature);
        }
        return new LoginProfile(
                login.tdsVersion(),
                login.packetSize(),
                login.optionFlags1(),
                login.optionFlags2(),
                login.typeFlags(),
                login.optionFlags3(),
                login.lcid(),
                login.language(),
                login.database(),
                login.attachDbFile(),
                features);
    }
}
