package dev.comporta.proxy.login;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Answers of servers that let somebody in. */
public final class LoginResponses {
    private LoginResponses() {}

    public static LoginResponse accepted() {
        ByteBuf body = Unpooled.buffer();
        TokenWriter tokens = new TokenWriter(TdsVersion.V7_4);
        tokens.loginAck(body, "Microsoft SQL Server", 16, 0, 1000);
        tokens.done(body, DoneStatus.FINAL, 0, 0);
        return LoginResponse.read(body, TdsVersion.V7_4);
    }
}
