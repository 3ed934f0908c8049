package dev.comporta.proxy.loop;

import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerGreeting.Wishes;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;

/** The key of a pool with one connection for one client in the pool core. Equal only to itself. */
final class Dedication implements PoolOwner {
    private final ClientHello client;
    private final Login7 login;
    private final String countedAs;

    /**
     * @param login the login that opens the server connection: the client's own, or the service account's
     * @param countedAs the login against whose limit it counts
     */
    Dedication(ClientHello client, Login7 login, String countedAs) {
        this.client = client;
        this.login = login;
        this.countedAs = countedAs;
    }

    boolean isEntra() {
        return login.feature(FeatureExtension.FEDAUTH) != null;
    }

    /**
     * The login in limits and statistics. The user of a Windows or Entra login is known only to the server: they count together.
     */
    String loginName() {
        if (isEntra()) {
            return "(entra)";
        }
        return login.isIntegrated() ? "(windows)" : countedAs;
    }

    @Override
    public boolean asksForPassword() {
        return false;
    }

    @Override
    public String profile() {
        return "dedicated";
    }

    @Override
    public Wishes wishes() {
        return new Wishes(client.mars(), isEntra());
    }

    @Override
    public void greeted(ServerOpening opening, Greeted server) {
        opening.handOver(server);
    }

    @Override
    public String toString() {
        return loginName();
    }
}
