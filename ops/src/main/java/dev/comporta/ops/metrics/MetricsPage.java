package dev.comporta.ops.metrics;

import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.ops.work.SharedAnswers;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** The page of the metrics port. */
public final class MetricsPage {
    private static final int USUAL_SIZE = 64 * 1024;

    /** Scrapers that ask for the same form at the same time share one page. */
    private record Form(boolean open, boolean packed) {}

    private final Observer observer;
    private final String version;
    private final boolean aliases;
    private final SharedAnswers<Form, HttpResponse> pages;
    private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

    /**
     * @param version the version of this build
     * @param aliases whether {@link Alias}es are exported
     * @param work makes the page
     */
    public MetricsPage(Observer observer, String version, boolean aliases, BackgroundWork work) {
        this.observer = observer;
        this.version = version;
        this.aliases = aliases;
        pages = new SharedAnswers<>(work);
    }

    public HttpRoutes routes() {
        return new HttpRoutes().get("/metrics", this::metrics);
    }

    private HttpResponse metrics(HttpRequest request) {
        Form form = new Form(openMetrics.accepts(request.header("Accept")), request.acceptsGzip());
        return pages.get(form, () -> page(form));
    }

    private HttpResponse page(Form form) {
        Scrape scrape = new Scrape();
        ProcessFigures.collect(scrape);
        scrape.gauge(
                Metric.BUILD_INFO,
                1L,
                version,
                Integer.toString(Runtime.version().feature()));
        Observation seen = observer.observe();
        InstanceFigures.collect(seen, scrape);
        RelayFigures.collect(seen, scrape);
        if (aliases) {
            AliasFigures.collect(seen, scrape);
        }
        ExpositionFormatWriter writer = form.open ? openMetrics : text;
        ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_SIZE);
        try (OutputStream to = form.packed ? new QuickGzip(out) : out) {
            writer.write(to, scrape.snapshots());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // can't happen: it writes to memory
        }
        HttpResponse page = HttpResponse.ok(writer.getContentType(), out.toByteArray());
        return form.packed ? page.with("Content-Encoding", "gzip") : page;
    }

    /** The names repeat so often that the fastest level shrinks the page to a twentieth; the best one gains little more. */
    private static final class QuickGzip extends GZIPOutputStream {
        QuickGzip(OutputStream to) throws IOException {
            super(to, USUAL_SIZE);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
