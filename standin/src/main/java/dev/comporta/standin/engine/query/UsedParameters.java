package dev.comporta.standin.engine.query;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with only those parameters that occur in its text, numbered without gaps. A constant that was folded into
 * another stays in the list, and H2 demands a value for every number up to the highest.
 */
record UsedParameters(String sql, List<@Nullable Object> values) {
    static UsedParameters of(String sql, List<@Nullable Object> all) {
        StringBuilder text = new StringBuilder(sql.length());
        List<Integer> order = new ArrayList<>();
        int at = 0;
        while (at < sql.length()) {
            char c = sql.charAt(at);
            if (c == '"' || c == '\'') {
                int end = endOfQuoted(sql, at, c);
                text.append(sql, at, end);
                at = end;
            } else if (c == '?') {
                int end = at + 1;
                while (end < sql.length() && Character.isDigit(sql.charAt(end))) {
                    end++;
                }
                int number = Integer.parseInt(sql.substring(at + 1, end));
                if (!order.contains(number)) {
                    order.add(number);
                }
                text.append('?').append(order.indexOf(number) + 1);
                at = end;
            } else {
                text.append(c);
                at++;
            }
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (int number : order) {
            values.add(all.get(number - 1));
        }
        return new UsedParameters(text.toString(), values);
    }

    private static int endOfQuoted(String sql, int from, char quote) {
        int end = sql.indexOf(quote, from + 1);
        return end < 0 ? sql.length() : end + 1;
    }
}
