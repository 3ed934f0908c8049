package dev.comporta.console.sql;

import org.jspecify.annotations.Nullable;

/**
 * A place in the text; lines and columns count from 1. All positions are equal to one another, so that two expressions
 * are equal when they mean the same, wherever they stand: GROUP BY depends on it.
 */
public record Position(int line, int column) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Position;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
