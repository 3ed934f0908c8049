package dev.comporta.proxy.login;

import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.News;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;

/**
 * Answers to LOGIN7 that end the connection, each of which is told to {@link News}. Any thread.
 *
 * @param bucket where the client was sent; empty while that is not known
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public record LoginRefusal(String bucket, News news) {
    /** With the server's own words. */
    public void reject(ClientHello client, LoginResponse response) {
        tell(client, response.error());
        response.replay(writer(client.channel()));
        close(client.channel());
    }

    /** With an error of the proxy's. */
    public void refuse(ClientHello client, ProxyError error, String advice) {
        tell(client, error.number() + " " + error.text(advice));
        ByteBuf out = client.channel().alloc().buffer(256);
        error.write(out, tokens(client), advice);
        send(client.channel(), out);
    }

    /** With an error that a server would send. */
    public void error(ClientHello client, int number, int severity, String text) {
        tell(client, number + " " + text);
        ByteBuf out = client.channel().alloc().buffer(256);
        TokenWriter tokens = tokens(client);
        tokens.error(out, number, 1, severity, text, ProxyError.SERVER_NAME, "", 1);
        tokens.done(out, DoneStatus.ERROR, 0, 0);
        send(client.channel(), out);
    }

    private void tell(ClientHello client, String message) {
        String address = client.channel().remoteAddress() instanceof InetSocketAddress from && from.getAddress() != null
                ? NetUtil.toAddressString(from.getAddress())
                : "";
        news.loginRefused(bucket, client.login().userName(), address, message);
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
