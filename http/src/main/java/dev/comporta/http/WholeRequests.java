package dev.comporta.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;

/** Joins a request and its body, up to a limit, and refuses larger ones. */
final class WholeRequests extends HttpObjectAggregator {
    private final HttpCaller caller;

    WholeRequests(int mostBytes, HttpCaller caller) {
        super(mostBytes, true);
        this.caller = caller;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        caller.refuse(413, "the body is larger than " + maxContentLength() + " bytes.");
    }
}
