package dev.comporta.app.text;

import org.jline.utils.WCWidth;

/** Measures and cuts text by the cells that it takes on a terminal. */
public final class Cells {
    private static final char REPLACEMENT = '\ufffd';
    private static final char CUT = '…';

    private Cells() {}

    /**
     * Removes characters that would move the cursor, end a line or change the direction of text: clients choose much of the
     * text shown, even refused ones.
     */
    public static String clean(String text) {
        StringBuilder clean = null;
        for (int i = 0; i < text.length(); i++) {
            if (Escapes.isHarmful(text.charAt(i))) {
                clean = clean == null ? new StringBuilder(text) : clean;
                clean.setCharAt(i, REPLACEMENT);
            }
        }
        return clean == null ? text : clean.toString();
    }

    public static int width(String text) {
        return text.codePoints().map(Cells::width).sum();
    }

    private static int width(int codePoint) {
        return Math.max(0, WCWidth.wcwidth(codePoint));
    }

    /** The text if it fits; otherwise its beginning, and a mark that it is cut. */
    public static String cut(String text, int cells) {
        if (width(text) <= cells) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int left = cells - 1;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int codePoint = text.codePointAt(i);
            left -= width(codePoint);
            if (left < 0) {
                break;
            }
            kept.appendCodePoint(codePoint);
        }
        return cells <= 0 ? "" : kept.append(CUT).toString();
    }

    /** Pads the text with spaces; a longer text stays as it is. */
    public static String pad(String text, int cells, boolean right) {
        String spaces = " ".repeat(Math.max(0, cells - width(text)));
        return right ? spaces + text : text + spaces;
    }
}
