package dev.comporta.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Answers whatever it is asked with the same: what no admin API says, or says only in trouble. */
final class CannedApi implements AutoCloseable {
    private final HttpServer server;
    private final int status;
    private final byte[] body;

    private CannedApi(@Nullable SSLContext tls, int status, String body) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(address, 0);
        } else {
            HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        this.status = status;
        this.body = body.getBytes(StandardCharsets.UTF_8);
        server.createContext("/", this::answer);
        server.start();
    }

    static CannedApi saying(int status, String body) throws IOException {
        return new CannedApi(null, status, body);
    }

    static CannedApi encrypted(SSLContext tls, String body) throws IOException {
        return new CannedApi(tls, 200, body);
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
