package dev.comporta.pool.settings;

import java.util.Map;

/**
 * How the logins of a bucket share it.
 *
 * @param limit {@code max_connections_per_login}: for a login without a rule of its own; 0 for none beyond the bucket's
 * @param fair {@code fair_between_logins}: serve the waiting logins in turn, by weight, instead of strictly by arrival
 * @param rules {@code logins}: logins with a limit or weight of their own
 */
public record LoginSettings(int limit, boolean fair, Map<String, Rule> rules) {
    public static final LoginSettings DEFAULTS = new LoginSettings(0, false, Map.of());

    /** A turn is divided by the weight; this limit keeps its parts far above 0. */
    public static final int MAX_WEIGHT = 1000;

    /**
     * The limit and weight of one login.
     *
     * @param limit {@code max_connections} of the login; 0 for none beyond the bucket's
     * @param weight {@code weight}: turns it gets for each turn of a login of weight 1
     */
    public record Rule(int limit, int weight) {
        public Rule {
            Require.atLeast("logins.max_connections", limit, 0);
            Require.atLeast("logins.weight", weight, 1);
            Require.that(
                    weight <= MAX_WEIGHT,
                    "logins.weight is " + weight + ": weights are relative, set at most " + MAX_WEIGHT);
        }
    }

    public LoginSettings {
        Require.atLeast("max_connections_per_login", limit, 0);
        rules = Map.copyOf(rules);
    }

    /** The rule of this login, its own or the default. */
    public Rule ruleOf(String login) {
        Rule own = rules.get(login);
        return own != null ? own : new Rule(limit, 1);
    }
}
