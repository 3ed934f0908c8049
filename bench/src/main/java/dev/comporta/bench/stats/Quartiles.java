package dev.comporta.bench.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The median and the quartiles of measurements in several turns. */
public record Quartiles(double lower, double median, double upper) {
    public static Quartiles of(List<Double> measured) {
        List<Double> sorted = measured.stream().sorted().toList();
        return new Quartiles(
                sorted.get(sorted.size() / 4), sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 3 / 4));
    }

    /** The quartiles of the ratios of neighbouring turns. */
    public static Quartiles ofRatios(List<Double> measured, List<Double> reference) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < measured.size(); i++) {
            ratios.add(measured.get(i) / reference.get(i));
        }
        return of(ratios);
    }

    /** The median, followed by the quartiles. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, lower, upper);
    }
}
