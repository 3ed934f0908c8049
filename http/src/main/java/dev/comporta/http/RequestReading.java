package dev.comporta.http;

import dev.comporta.ops.http.HttpRequest;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Converts Netty's request to an {@link HttpRequest}, or refuses it. */
final class RequestReading {
    /** A token of RFC 9110: the characters of a method. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** Accepts a name or an address, and rejects a header that was continued on the next line or is nonsense. */
    private static final Pattern HOST = Pattern.compile("[^\\s,/?#@]*");

    sealed interface Result {
        record Complete(HttpRequest request) implements Result {}

        record Refused(int status, String why) implements Result {}
    }

    private final HttpLimits limits;

    RequestReading(HttpLimits limits) {
        this.limits = limits;
    }

    /** Borrows the request. */
    Result read(FullHttpRequest request, Channel channel) {
        if (request.decoderResult().isFailure()) {
            return failure(request.decoderResult().cause());
        }
        if (!TOKEN.matcher(request.method().name()).matches() || !request.uri().startsWith("/")) {
            return new Result.Refused(400, "the first line is not that of a request.");
        }
        boolean current = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        if (!current && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            return new Result.Refused(505, "only HTTP/1.1 and HTTP/1.0 are supported.");
        }
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if ((current && hosts.isEmpty())
                || hosts.size() > 1
                || !hosts.stream().allMatch(host -> HOST.matcher(host).matches())) {
            return new Result.Refused(400, "a request has one Host header, with the name that it was sent to.");
        }
        try {
            QueryStringDecoder uri = new QueryStringDecoder(request.uri());
            return new Result.Complete(new HttpRequest(
                    request.method().name(),
                    uri.path(),
                    uri.parameters(),
                    headers(request),
                    ByteBufUtil.getBytes(request.content()),
                    peer(channel),
                    Map.of()));
        } catch (IllegalArgumentException e) {
            return new Result.Refused(400, "the path or the query has a % that no two hexadecimal digits follow.");
        }
    }

    private Result failure(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException _ ->
                new Result.Refused(414, "the first line is longer than " + limits.headBytes() + " bytes.");
            case TooLongHttpHeaderException _ ->
                new Result.Refused(431, "the headers are larger than " + limits.headBytes() + " bytes.");
            default -> new Result.Refused(400, "it is not HTTP/1.1, or not well-formed.");
        };
    }

    private static Map<String, String> headers(FullHttpRequest request) {
        Map<String, String> headers = new HashMap<>();
        request.headers()
                .forEach(header -> headers.merge(
                        header.getKey().toLowerCase(Locale.ROOT),
                        header.getValue(),
                        (one, other) -> one + ", " + other));
        return headers;
    }

    private static String peer(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address && address.getAddress() != null
                ? address.getAddress().getHostAddress()
                : "";
    }
}
