package dev.comporta.proxy.admit;

import dev.comporta.tds.login.LoginProfile;

/**
 * Which clients may share server connections: those who log in as the same user, with the same secret, and have
 * negotiated the same; and as the same host and application where the server is told the client's own. Another secret is another pool, so it is the server that judges it.
 *
 * @param countedAs whose limit its connections count on: the user, or the client that is mapped to it
 * @param secretTag stands for the secret and does not tell it
 */
record PoolKey(
        String user, String secretTag, LoginProfile profile, String hostName, String appName, String countedAs) {}
