package dev.comporta.standin.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * Which place in its call each output parameter has: RETURNVALUE has to say it, since drivers tell the values apart by
 * it.
 */
final class OutputParameters {
    static final OutputParameters NONE = new OutputParameters(List.of());

    /** An output parameter of a call: its place from 0, and its name or nothing. */
    record Place(int ordinal, String name) {}

    private final List<Place> left;

    OutputParameters(List<Place> places) {
        left = new ArrayList<>(places);
    }

    /** The place of the named parameter, or else of the first whose value is still to come. */
    int next(String name, int otherwise) {
        for (int i = 0; i < left.size(); i++) {
            if (!name.isEmpty() && left.get(i).name.equalsIgnoreCase(name)) {
                return left.remove(i).ordinal;
            }
        }
        return left.isEmpty() ? otherwise : left.removeFirst().ordinal;
    }
}
