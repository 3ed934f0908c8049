package dev.comporta.proxy.console;

import dev.comporta.console.eval.scalar.SessionFacts;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ClientLogin;
import dev.comporta.proxy.login.LoginRefusal;
import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.tds.type.Collation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs administrators in to the console. Called on any event loop; a client stays on the one that accepted it. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public final class ConsoleEntrance {
    /** Limit of console clients, each of which may hold a result in memory. */
    private static final int MOST_CLIENTS = 32;
    /** Limit of failed logins that wait for their answer. More are closed without one. */
    private static final int MOST_WRONG = 16;
    /** The delay of the answer to a failed login: each of those allows one guess in this time. */
    private static final int WRONG_LOGIN_SECONDS = 2;

    private static final int LOGIN_FAILED = 18456;
    private static final int SEVERITY_LOGIN = 14;
    private static final int CHANGED_DATABASE = 5701;
    private static final int CHANGED_LANGUAGE = 5703;

    private static final String PROGRAM = "Microsoft SQL Server";
    /** The version that PRELOGIN reports. */
    private static final int MAJOR = 16;

    private static final int BUILD = 1000;
    private static final String PRODUCT_VERSION = "16.0.1000.6";
    private static final byte[] UTF8_SUPPORTED = {1};

    private static final Logger log = LoggerFactory.getLogger(ConsoleEntrance.class);

    private final ConsoleAccess access;
    private final LoginRefusal refusal;
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger spids = new AtomicInteger(50);

    public ConsoleEntrance(ConsoleAccess access, LoginRefusal refusal) {
        this.access = access;
        this.refusal = refusal;
    }

    public boolean isWanted(Login7 login) {
        return access.isServed(login.database());
    }

    /** Takes a client that has sent LOGIN7, and whose channel is not being read. */
    public void arrived(ClientHello client) {
        Login7 login = client.login();
        boolean admitted = !login.isIntegrated()
                && access.admits(login.userName(), login.password().revealText());
        login.wipeSecrets();
        if (!admitted) {
            refuse(client);
            return;
        }
        Channel channel = client.channel();
        if (clients.incrementAndGet() > MOST_CLIENTS) {
            clients.decrementAndGet();
            refusal.error(
                    client,
                    LOGIN_FAILED,
                    SEVERITY_LOGIN,
                    "Login failed: the console has " + MOST_CLIENTS + " clients. Close one.");
            return;
        }
        channel.closeFuture().addListener(_ -> clients.decrementAndGet());
        log.atInfo()
                .addKeyValue(ClientLines.CLIENT, ClientAddress.textOf(channel))
                .addKeyValue(ClientLines.LOGIN, login.userName())
                .log("console: '{}' has logged in from {}", login.userName(), ClientAddress.textOf(channel));
        enter(client);
    }

    private void refuse(ClientHello client) {
        Channel channel = client.channel();
        if (wrong.incrementAndGet() > MOST_WRONG) {
            wrong.decrementAndGet();
            String user = client.login().userName();
            ClientLines.of(log, Level.WARN, "", ClientAddress.textOf(channel), user)
                    .log("console: a login of '{}' from {} was closed unanswered", user, ClientAddress.textOf(channel));
            channel.close();
            return;
        }
        Future<?> answer = channel.eventLoop()
                .schedule(
                        () -> refusal.error(
                                client,
                                LOGIN_FAILED,
                                SEVERITY_LOGIN,
                                "Login failed for user '" + client.login().userName()
                                        + "': the console accepts only the login of proxy.admin.username."),
                        WRONG_LOGIN_SECONDS,
                        TimeUnit.SECONDS);
        channel.closeFuture().addListener(_ -> {
            wrong.decrementAndGet();
            answer.cancel(false); // it holds the LOGIN7 of a client that has left
        });
    }

    private void enter(ClientHello client) {
        client.progress().judged();
        Login7 login = client.login();
        TdsVersion version = login.negotiatedVersion();
        int wanted = login.packetSize() == 0 ? PacketHeader.DEFAULT_PACKET_SIZE : login.packetSize();
        int packetSize = Math.clamp(wanted, PacketHeader.MIN_PACKET_SIZE, PacketHeader.MAX_PACKET_SIZE);
        int spid = spids.incrementAndGet();
        Channel channel = client.channel();
        MessageWriter writer = new MessageWriter(channel.alloc(), (packets, _) -> channel.write(packets));
        writer.spid(spid);
        ByteBuf answer = answer(login, version, packetSize);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(answer).end();
        answer.release();
        writer.packetSize(packetSize);
        channel.pipeline().get(PacketDecoder.class).maxLength(packetSize);
        SessionFacts facts = new SessionFacts(
                spid,
                login.userName(),
                access.serverName(),
                access.banner(),
                PRODUCT_VERSION,
                login.hostName(),
                login.appName(),
                0);
        channel.pipeline()
                .replace(
                        ClientLogin.class,
                        null,
                        new ConsoleClient(
                                access.console(),
                                access.executor(),
                                facts,
                                ClientAddress.textOf(channel),
                                version,
                                writer));
        channel.flush();
        channel.config().setAutoRead(true);
    }

    private ByteBuf answer(Login7 login, TdsVersion version, int packetSize) {
        TokenWriter tokens = new TokenWriter(version);
        String server = access.serverName();
        ByteBuf out = Unpooled.buffer();
        String database = login.database();
        tokens.envChange(out, EnvChange.DATABASE, database, "master");
        tokens.info(out, CHANGED_DATABASE, 2, 0, "Changed database context to '" + database + "'.", server, "", 1);
        tokens.collationChanged(out, Collation.DEFAULT, null);
        tokens.envChange(out, EnvChange.LANGUAGE, "us_english", "");
        tokens.info(out, CHANGED_LANGUAGE, 1, 0, "Changed language setting to us_english.", server, "", 1);
        tokens.loginAck(out, PROGRAM, MAJOR, 0, BUILD);
        tokens.envChange(
                out,
                EnvChange.PACKET_SIZE,
                Integer.toString(packetSize),
                Integer.toString(PacketHeader.DEFAULT_PACKET_SIZE));
        if (login.feature(FeatureExtension.UTF8_SUPPORT) != null) {
            tokens.featureExtAck(out, Map.of(FeatureExtension.UTF8_SUPPORT, UTF8_SUPPORTED));
        }
        tokens.done(out, DoneStatus.FINAL, 0, 0);
        return out;
    }
}
