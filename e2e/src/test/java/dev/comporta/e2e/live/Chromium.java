package dev.comporta.e2e.live;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Debian's Chromium, without a window, driven by Playwright. Nothing is downloaded. */
final class Chromium implements AutoCloseable {
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    static Chromium start() {
        Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_NODEJS_PATH", program("node"), "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        try {
            Browser browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(Path.of(program("chromium")))
                            .setArgs(FLAGS));
            return new Chromium(playwright, browser);
        } catch (RuntimeException e) {
            playwright.close();
            throw e;
        }
    }

    private static String program(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "/usr/bin").split(File.pathSeparator, -1)) {
            Path found = Path.of(directory, name);
            if (Files.isExecutable(found)) {
                return found.toString();
            }
        }
        throw new AssertionError("the live page is tested with " + name + ": e2e/install-clients installs it");
    }

    /** A tab of a browser that knows nothing of the others. */
    Tab open(LiveFleet fleet, int width, int height, boolean dark) {
        return new Tab(browser, fleet.address(), width, height, dark);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
