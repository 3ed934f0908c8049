package dev.comporta.proxy.login;

import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Prelogin;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * A client that has said who it is and what it wants.
 *
 * @param prelogin null for the old clients that begin with LOGIN7
 * @param encrypted whether all that follows is, rather than LOGIN7 alone
 * @param mars whether it was told that it may have several requests at the same time
 * @param progress is to be told when the client is let in; that it is refused shows by the end of its connection
 */
public record ClientHello(
        Channel channel,
        @Nullable Prelogin prelogin,
        Login7 login,
        boolean encrypted,
        boolean mars,
        LoginProgress progress) {}
