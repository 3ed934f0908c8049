package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request's response, and what has to be known of it to end it rightly: every request ends with a DONE of its kind. */
final class Output {
    private final Response response;
    private boolean endsWithDone;
    private boolean failed;

    Output(Response response) {
        this.response = response;
    }

    Response response() {
        endsWithDone = false;
        return response;
    }

    void columns(List<Column> columns) {
        endsWithDone = false;
        response.columns(columns);
    }

    void columns(List<Column> columns, int concealed) {
        endsWithDone = false;
        response.columns(columns, concealed);
    }

    void row(@Nullable Object[] values) {
        response.row(values);
    }

    void info(Message message) {
        endsWithDone = false;
        response.info(message);
    }

    void error(SqlError error) {
        endsWithDone = false;
        if (error.severity() <= 10) {
            response.info(error.message());
            return;
        }
        failed = true;
        response.error(error.message());
        if (error.terminated()) {
            response.info(
                    new Message(3621, 0, 0, "The statement has been terminated.", error.procedure(), error.line()));
        }
    }

    void flush() {
        response.flush();
    }

    void done(Response.Done kind, int command, long rowCount, boolean error) {
        endsWithDone = true;
        response.done(kind, command, rowCount, error);
    }

    /** A batch's end: a DONE, unless its last statement had one. */
    void endBatch() {
        if (!endsWithDone) {
            done(Response.Done.DONE, 0, Response.NO_COUNT, failed);
        }
    }

    boolean failed() {
        return failed;
    }
}
