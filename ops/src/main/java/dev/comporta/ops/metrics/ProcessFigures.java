package dev.comporta.ops.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The resources that the process uses, under the names that Prometheus' own client libraries use. */
final class ProcessFigures {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;
    private static final int KILOBYTE = 1024;

    private ProcessFigures() {}

    static void collect(Scrape to) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        to.gauge(Metric.MEMORY_USED, memory.getHeapMemoryUsage().getUsed(), "heap");
        to.gauge(Metric.MEMORY_USED, memory.getNonHeapMemoryUsage().getUsed(), "nonheap");
        to.gauge(Metric.MEMORY_USED, direct(), "direct");
        to.gauge(Metric.START_TIME, ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
        residentBytes().ifPresent(bytes -> to.gauge(Metric.RESIDENT_MEMORY, bytes));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            to.counter(Metric.CPU_SECONDS, system.getProcessCpuTime() / NANOS);
            to.gauge(Metric.OPEN_FDS, system.getOpenFileDescriptorCount());
            to.gauge(Metric.MAX_FDS, system.getMaxFileDescriptorCount());
        }
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Resident memory as Linux reports it: the JVM does not know it. Absent elsewhere. */
    private static OptionalLong residentBytes() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return OptionalLong.of(Long.parseLong(line.replaceAll("\\D", "")) * KILOBYTE);
                }
            }
        } catch (IOException notLinux) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }
}
