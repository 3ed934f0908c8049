package dev.comporta.e2e.book;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The HTML comment in the line above a code block, which says what a test does with it. Readers of the rendered page don't
 * see it.
 */
sealed interface Marker {
    /** {@code <!-- run in demo, shows: TEXT -->}: all of it succeeds in this scene, and prints the text. */
    record Run(String scene, String shows) implements Marker {}

    /** {@code <!-- starts demo, shows: TEXT -->}: it goes on running in this scene, after it has printed the text. */
    record Starts(String scene, String shows) implements Marker {}

    /** {@code <!-- file proxy.yaml in trial -->}: the block is saved under this name in the scene. */
    record Saved(String name, String scene) implements Marker {}

    /** {@code <!-- console in trial -->}: T-SQL for the console of the instance that runs in this scene. */
    record Console(String scene) implements Marker {}

    /** {@code <!-- in a bucket -->}: YAML that stands below a bucket. */
    record InBucket() implements Marker {}

    /** {@code <!-- not run: REASON -->}. */
    record NotRun(String reason) implements Marker {}

    record None() implements Marker {}

    Pattern COMMENT = Pattern.compile("<!-- (.*) -->");
    Pattern RUN = Pattern.compile("(run in|starts) (\\w+)(?:, shows: (.+))?");
    Pattern SAVED = Pattern.compile("file ([\\w.-]+) in (\\w+)");
    Pattern CONSOLE = Pattern.compile("console in (\\w+)");
    Pattern NOT_RUN = Pattern.compile("not run: (.+)");

    /** Of the line above a block. A comment that is none of these is an error: it would switch a test off by a slip. */
    static Marker of(String line) {
        Matcher comment = COMMENT.matcher(line);
        if (!comment.matches()) {
            return new None();
        }
        String said = comment.group(1);
        Matcher run = RUN.matcher(said);
        Matcher saved = SAVED.matcher(said);
        Matcher console = CONSOLE.matcher(said);
        Matcher notRun = NOT_RUN.matcher(said);
        if (run.matches()) {
            String shows = run.group(3) == null ? "" : run.group(3);
            return run.group(1).equals("starts") ? new Starts(run.group(2), shows) : new Run(run.group(2), shows);
        } else if (saved.matches()) {
            return new Saved(saved.group(1), saved.group(2));
        } else if (console.matches()) {
            return new Console(console.group(1));
        } else if (notRun.matches()) {
            return new NotRun(notRun.group(1));
        } else if (said.equals("in a bucket")) {
            return new InBucket();
        }
        throw new AssertionError("no such marker: " + line);
    }
}
