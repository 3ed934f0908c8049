package dev.comporta.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** A part of a benchmark in a separate process, which answers each line that it reads with one line. */
record AnsweringProcess(Process process, BufferedReader answers) {
    /** The prefix of its answers: the log may write to the same stream. */
    static final String ANSWER = "answer ";

    static AnsweringProcess start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new AnsweringProcess(process, process.inputReader(StandardCharsets.UTF_8));
    }

    /** The numbers in its answer to a line. */
    long[] askNumbers(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line + "\n").flush();
        return Stream.of(answer().split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }

    String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(ANSWER)) {
                return line.substring(ANSWER.length());
            }
        }
        throw new IOException("a process of the benchmark has ended");
    }
}
