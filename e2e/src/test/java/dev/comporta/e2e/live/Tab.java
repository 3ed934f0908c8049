package dev.comporta.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.TimeoutError;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A tab with the live page, and everything that went wrong in it. */
final class Tab implements AutoCloseable {
    /** Long enough for a machine that does ten other things. */
    private static final double PATIENCE_MILLIS = 60_000;

    /** For each text on the screen, its colour on what is behind it; returned are those that are hard to read. */
    private static final String HARD_TO_READ = """
            () => {
              const canvas = document.createElement('canvas');
              canvas.width = canvas.height = 1;
              const ink = canvas.getContext('2d', { willReadFrequently: true });
              // Painted one over the other, from the page's own background up: as the screen shows it.
              const paint = (colours) => {
                ink.clearRect(0, 0, 1, 1);
                for (const colour of colours) { ink.fillStyle = colour; ink.fillRect(0, 0, 1, 1); }
                return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
              };
              const luminance = (rgb) => {
                const [r, g, b] = rgb.map((part) => {
                  const share = part / 255;
                  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
                });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const found = [];
              let seen = 0;
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text = walker.nextNode(); text; text = walker.nextNode()) {
                const node = text.parentElement;
                if (!text.data.trim() || !node.checkVisibility() || node.closest('.unseen, .skip, :disabled')) continue;
                const behind = [];
                for (let at = node; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
                const ground = luminance(paint(behind));
                const letters = luminance(paint([...behind, getComputedStyle(node).color]));
                const ratio = (Math.max(ground, letters) + 0.05) / (Math.min(ground, letters) + 0.05);
                seen++;
                if (ratio < 4.5) found.push(ratio.toFixed(2) + ' ' + node.className + ': ' + text.data.trim());
              }
              if (seen < 20) found.push('only ' + seen + ' texts');
              return [...new Set(found)];
            }
            """;

    private final BrowserContext context;
    private final String address;
    private final Page page;
    private final List<String> errors = new ArrayList<>();
    private final List<String> elsewhere = new ArrayList<>();

    Tab(Browser browser, String address, int width, int height, boolean dark) {
        this.address = address;
        context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setReducedMotion(ReducedMotion.REDUCE)
                .setColorScheme(dark ? ColorScheme.DARK : ColorScheme.LIGHT));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                errors.add(message.text() + " at " + message.location());
            }
        });
        page.onPageError(errors::add);
        page.onDialog(dialog -> {
            errors.add("a script has opened a dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(address)) {
                elsewhere.add(request.url());
            }
        });
    }

    Tab go(String fragment) {
        page.navigate(address + "/" + fragment);
        return this;
    }

    Page page() {
        return page;
    }

    Locator find(String selector) {
        return page.locator(selector);
    }

    void await(String expression) {
        page.waitForFunction(expression);
    }

    /** Until the first such element has the text. */
    void awaitText(String selector, String text) {
        try {
            page.waitForFunction(
                    "([selector, text]) => document.querySelector(selector)?.textContent.includes(text)",
                    List.of(selector, text));
        } catch (TimeoutError e) {
            throw new AssertionError(
                    selector + " should say '" + text + "' and says: "
                            + find(selector).allTextContents() + "; errors: " + errors,
                    e);
        }
    }

    void press(String... keys) {
        for (String key : keys) {
            page.keyboard().press(key);
        }
    }

    Object run(String script) {
        return page.evaluate(script);
    }

    @SuppressWarnings("unchecked")
    List<String> hardToRead() {
        return (List<String>) page.evaluate(HARD_TO_READ);
    }

    /** What the browser complained of. Forgotten by asking. */
    List<String> errors() {
        List<String> all = List.copyOf(errors);
        errors.clear();
        return all;
    }

    void isFaultless() {
        assertThat(errors()).isEmpty();
        assertThat(elsewhere).as("requests to other hosts").isEmpty();
    }

    /** For the documents: {@code -Dcomporta.screenshots=docs/images}. */
    void picture(String name) {
        String directory = System.getProperty("comporta.screenshots", "");
        if (!directory.isEmpty()) {
            // Tests run in the module's directory, and the property is typed in the repository's.
            Path file = Path.of(directory).isAbsolute() ? Path.of(directory, name) : Path.of("..", directory, name);
            page.screenshot(new Page.ScreenshotOptions().setPath(file));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
