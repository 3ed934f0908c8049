package dev.comporta.proxy.attach;

import dev.comporta.proxy.attach.Accounts.Account;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ServerGreeting.Wishes;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;

/** What a pool of one connection for one client is called in the pool core. Equal to itself alone. */
final class Dedication {
    private final ClientHello client;
    private final Login7 login;
    private final String countedAs;

    Dedication(ClientHello client, Account account) {
        this.client = client;
        login = account.login();
        countedAs = account.countedAs();
    }

    boolean isEntra() {
        return login.feature(FeatureExtension.FEDAUTH) != null;
    }

    /** In limits and statistics. Who a Windows or Entra client is stays between it and the server: they count together. */
    String loginName() {
        if (isEntra()) {
            return "(entra)";
        }
        return login.isIntegrated() ? "(windows)" : countedAs;
    }

    Wishes wishes() {
        return new Wishes(client.mars(), isEntra());
    }

    @Override
    public String toString() {
        return loginName();
    }
}
