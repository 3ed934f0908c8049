package dev.comporta.bench.jdbc;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws figures as SVG, into the directory that the system property {@code comporta.images} names. */
final class Plots {
    /** Values of one colour. */
    record Series(String title, List<Double> values) {}

    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;
    /** Smaller values are drawn as this one: a logarithmic axis has no zero. */
    private static final double LEAST = 0.01;

    private static final double LEAST_COUNT = 0.5;

    private Plots() {}

    /** Draws bars on a logarithmic axis, because pools differ by orders of magnitude. */
    static void bars(String file, String title, String unit, List<String> groups, List<Series> series)
            throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setYAxisMin(LEAST);
        style(chart.getStyler());
        for (Series one : series) {
            chart.addSeries(
                    one.title,
                    groups,
                    one.values.stream().map(value -> Math.max(value, LEAST)).toList());
        }
        save(chart, file);
    }

    /** Draws a line for each series, with a value for each second. */
    static void lines(String file, String title, String axis, List<Series> series) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(axis)
                .yAxisTitle("connects per second")
                .build();
        chart.getStyler().setYAxisMin(LEAST_COUNT);
        style(chart.getStyler());
        for (Series one : series) {
            List<Double> drawn = one.values.stream()
                    .map(value -> Math.max(value, LEAST_COUNT))
                    .toList();
            List<Integer> seconds = IntStream.range(0, drawn.size()).boxed().toList();
            chart.addSeries(one.title, seconds, drawn).setMarker(SeriesMarkers.NONE);
        }
        save(chart, file);
    }

    private static void style(AxesChartStyler styler) {
        styler.setYAxisLogarithmic(true);
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotGridLinesStroke(new BasicStroke(1)); // a dashed line becomes thousands of strokes in the file
    }

    private static void save(Chart<?, ?> chart, String file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Path directory = Files.createDirectories(Path.of(System.getProperty("comporta.images", "docs/images")));
        Path svg = directory.resolve(file + ".svg");
        VectorGraphicsEncoder.saveVectorGraphic(chart, svg.toString(), VectorGraphicsFormat.SVG);
        System.out.println("drawn: " + svg);
    }
}
