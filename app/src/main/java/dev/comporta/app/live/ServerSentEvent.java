package dev.comporta.app.live;

import dev.comporta.ops.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Formats messages as server-sent events of HTML. */
final class ServerSentEvent {
    static final String CONTENT_TYPE = "text/event-stream; charset=utf-8";

    /** A comment without effect: sending it shows whether the reader is gone. */
    static final byte[] HEARTBEAT = ": still here\n\n".getBytes(StandardCharsets.UTF_8);

    private ServerSentEvent() {}

    /** JSON is written on one line: a line break in a text is escaped, so a value can't end the event. */
    static byte[] of(String name, Json.Content content) {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        event.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8));
        event.writeBytes(Json.write(content));
        event.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
        return event.toByteArray();
    }
}
