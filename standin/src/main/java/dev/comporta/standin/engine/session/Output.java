package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request's response, and the state needed to end it correctly: every request ends with a DONE of its kind. */
public final class Output {
    private final Response response;
    private boolean endsWithDone;
    private boolean failed;

    public Output(Response response) {
        this.response = response;
    }

    public Response response() {
        endsWithDone = false;
        return response;
    }

    public void columns(List<Column> columns) {
        endsWithDone = false;
        response.columns(columns);
    }

    public void columns(List<Column> columns, int concealed) {
        endsWithDone = false;
        response.columns(columns, concealed);
    }

    public void row(@Nullable Object[] values) {
        response.row(values);
    }

    public void info(Message message) {
        endsWithDone = false;
        response.info(message);
    }

    public void error(SqlError error) {
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

    public void flush() {
        response.flush();
    }

    public void done(Response.Done kind, int command, long rowCount, boolean error) {
        endsWithDone = true;
        response.done(kind, command, rowCount, error);
    }

    /** Ends a batch: with a DONE, unless its last statement had one. */
    public void endBatch() {
        if (!endsWithDone) {
            done(Response.Done.DONE, 0, Response.NO_COUNT, failed);
        }
    }

    public boolean failed() {
        return failed;
    }
}
