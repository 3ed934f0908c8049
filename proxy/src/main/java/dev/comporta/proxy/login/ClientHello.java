package dev.comporta.proxy.login;

import dev.comporta.tds.login.Login7;
import io.netty.channel.Channel;

/**
 * A client whose PRELOGIN and LOGIN7 were received.
 *
 * @param encrypted whether everything is encrypted, not only LOGIN7
 * @param mars whether MARS was granted to it
 * @param progress to be called when the client is admitted; the end of its connection shows that it was refused
 */
public record ClientHello(Channel channel, Login7 login, boolean encrypted, boolean mars, LoginProgress progress) {}
