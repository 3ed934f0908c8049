package dev.comporta.proxy.login;

import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.RefusalCounts;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Answers LOGIN7 with an error and closes the connection. Reports each to {@link News} and the log. Any thread.
 *
 * @param bucket the client's bucket; empty while it is not known
 * @param counts counters of the bucket, or of the instance for clients that belong to none
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public record LoginRefusal(String bucket, News news, RefusalCounts counts) {
    private static final Logger log = LoggerFactory.getLogger(LoginRefusal.class);

    /** Rejects the client with the server's own response. */
    public void reject(ClientHello client, LoginResponse response) {
        counts.countRejectedLogin();
        tell(client, Level.INFO, response.error());
        response.replay(writer(client.channel()));
        close(client.channel());
    }

    /** Refuses the client with an error of the proxy. */
    public void refuse(ClientHello client, ProxyError error, String advice) {
        counts.count(error);
        tell(client, error.level(), error.number() + " " + error.text(advice));
        ByteBuf out = client.channel().alloc().buffer(256);
        error.write(out, tokens(client), advice);
        send(client.channel(), out);
    }

    /** Refuses the client with an error that a server would send. */
    public void error(ClientHello client, int number, int severity, String text) {
        counts.countFailedLogin();
        tell(client, Level.INFO, number + " " + text);
        ByteBuf out = client.channel().alloc().buffer(256);
        TokenWriter tokens = tokens(client);
        tokens.error(out, number, 1, severity, text, ProxyError.SERVER_NAME, "", 1);
        tokens.done(out, DoneStatus.ERROR, 0, 0);
        send(client.channel(), out);
    }

    /** @param message begins with the error number */
    private void tell(ClientHello client, Level level, String message) {
        Login7 login = client.login();
        InetSocketAddress from = ClientAddress.of(client.channel());
        String address = ClientAddress.textOf(client.channel());
        ClientLines.of(log, level, bucket, address, login.userName())
                .addKeyValue(ClientLines.APPLICATION, login.appName())
                .addKeyValue(ClientLines.ERROR, numberOf(message))
                .addKeyValue(ClientLines.REASON, message)
                .log(
                        "login of '{}' from {} to {} refused: {}",
                        login.userName(),
                        address,
                        bucket.isEmpty() ? "database '" + login.database() + "'" : "bucket " + bucket,
                        message);
        String ip = from == null || from.getAddress() == null ? "" : NetUtil.toAddressString(from.getAddress());
        news.loginRefused(bucket, login.userName(), ip, message);
    }

    /** The error number; 0 if the server has sent none. */
    private static int numberOf(String message) {
        int end = message.indexOf(' ');
        try {
            return Integer.parseInt(end < 0 ? message : message.substring(0, end));
        } catch (NumberFormatException none) {
            return 0;
        }
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
