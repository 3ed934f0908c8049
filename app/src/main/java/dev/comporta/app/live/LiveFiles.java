package dev.comporta.app.live;

import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** The static files of the page, read from the class path once. They contain nothing about an instance. Any thread. */
final class LiveFiles {
    static final String INDEX = "index.html";

    private static final List<String> OWN = List.of("""
            index.html icon.svg page.css theme.js main.js dom.js format.js state.js stream.js fleet.js grid.js bucket.js
            tables.js charts.js actions.js dialogs.js keys.js
            """.strip().split("\\s+", -1));

    /** Chart.js comes from its webjar: this is its name in the page. */
    private static final String CHART = "chart.js";

    private static final int ETAG_BYTES = 12;

    @SuppressWarnings("ArrayRecordComponent") // made once, never compared
    private record LiveFile(String contentType, byte[] bytes, byte[] packed, String tag) {}

    private final Map<String, LiveFile> files = new TreeMap<>();

    LiveFiles() {
        OWN.forEach(name -> files.put(name, read(name, LiveFiles.class.getResourceAsStream(name))));
        String chart = "/META-INF/resources/webjars/chart.js/" + chartVersion() + "/dist/chart.umd.js";
        files.put(CHART, read(CHART, LiveFiles.class.getResourceAsStream(chart)));
    }

    private static String chartVersion() {
        try (InputStream written = LiveFiles.class.getResourceAsStream("chart-version.txt")) {
            return new String(required("chart-version.txt", written).readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LiveFile read(String name, InputStream from) {
        try (InputStream in = required(name, from)) {
            byte[] bytes = in.readAllBytes();
            return new LiveFile(contentType(name), bytes, packed(bytes), tag(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("NullAway") // a missing resource is null, and reported here
    private static InputStream required(String name, InputStream from) {
        if (from == null) {
            throw new IllegalStateException("the live page's file " + name + " is not on the class path");
        }
        return from;
    }

    private static byte[] packed(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "\"" + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // can't happen: every JDK has it
        }
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("unknown kind of file: " + name);
        };
    }

    /** A browser caches a file and asks each time whether it has changed, so that a new version takes effect at once. */
    Optional<HttpResponse> answer(String name, HttpRequest request) {
        return Optional.ofNullable(files.get(name)).map(file -> {
            boolean has = request.header("If-None-Match").equals(file.tag());
            boolean packs = !has && request.acceptsGzip();
            byte[] body = has ? new byte[0] : packs ? file.packed() : file.bytes();
            HttpResponse response = new HttpResponse(has ? 304 : HttpResponse.OK, file.contentType(), body, Map.of())
                    .with("ETag", file.tag())
                    .with("Cache-Control", "no-cache")
                    .with("Vary", "Accept-Encoding");
            return packs ? response.with("Content-Encoding", "gzip") : response;
        });
    }
}
