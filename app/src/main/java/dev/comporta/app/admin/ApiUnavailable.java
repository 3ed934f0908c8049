package dev.comporta.app.admin;

import java.io.IOException;
import java.io.Serial;

/** The instance did not answer, or rejected the token. The message is for the user. */
public final class ApiUnavailable extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    ApiUnavailable(String message) {
        super(message);
    }

    ApiUnavailable(String message, Throwable cause) {
        super(message, cause);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
