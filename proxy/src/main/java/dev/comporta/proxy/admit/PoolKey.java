package dev.comporta.proxy.admit;

import dev.comporta.tds.login.LoginProfile;

/**
 * Clients with equal keys share server connections: the same user, secret and login profile, and with {@code
 * session_identity: client} the same host and application name. Another secret is another pool, so that the server checks it.
 *
 * @param countedAs the login against whose limit its connections count: the user, or the client that is mapped to it
 * @param secretTag a keyed hash of the secret ({@link SecretTags})
 */
record PoolKey(
        String user, String secretTag, LoginProfile profile, String hostName, String appName, String countedAs) {}
