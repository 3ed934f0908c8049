package dev.comporta.proxy.login;

import dev.comporta.proxy.session.ProxyError;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;

/** Answers to LOGIN7 that end the connection. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public final class LoginRefusal {
    private LoginRefusal() {}

    /** With the server's own words. */
    public static void reject(ClientHello client, LoginResponse response) {
        response.replay(writer(client.channel()));
        close(client.channel());
    }

    /** With an error of the proxy's. */
    public static void refuse(ClientHello client, ProxyError error, String advice) {
        ByteBuf out = client.channel().alloc().buffer(256);
        error.write(out, tokens(client), advice);
        send(client.channel(), out);
    }

    /** With an error that a server would send. */
    public static void error(ClientHello client, int number, int severity, String text) {
        ByteBuf out = client.channel().alloc().buffer(256);
        TokenWriter tokens = tokens(client);
        tokens.error(out, number, 1, severity, text, ProxyError.SERVER_NAME, "", 1);
        tokens.done(out, DoneStatus.ERROR, 0, 0);
        send(client.channel(), out);
    }

    private static TokenWriter tokens(ClientHello client) {
        return new TokenWriter(client.login().negotiatedVersion());
    }

    private static void send(Channel channel, ByteBuf tokens) {
        writer(channel).begin(PacketType.TABULAR_RESULT).writeBytes(tokens).end();
        tokens.release();
        close(channel);
    }

    private static MessageWriter writer(Channel channel) {
        return new MessageWriter(channel.alloc(), (packets, end) -> channel.write(packets));
    }

    private static void close(Channel channel) {
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }
}
