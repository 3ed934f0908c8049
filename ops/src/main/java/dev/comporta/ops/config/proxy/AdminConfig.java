package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.util.Optional;

/**
 * Access for administrators.
 *
 * @param token opens the HTTP admin API, which is closed if none is configured
 * @param database the database name under which SQL clients find the statistics
 * @param account the login for that database; without it nobody may connect
 * @param livePage who may read the live page
 */
public record AdminConfig(
        Optional<HiddenText> token, String database, Optional<Credentials> account, LivePage livePage) {
    /** Access to the live page. Its actions need the token in any case. */
    public enum LivePage {
        /** Anyone who can reach the port. */
        READ_ONLY,
        /** Anyone with the token. */
        TOKEN,
        /** There is no live page. */
        OFF
    }

    private static final int SHORT_TOKEN = 16;

    private static final Key<HiddenText> TOKEN = Key.derived("token", ValueTypes.secret(), "the admin API is closed");
    private static final Key<String> DATABASE = Key.of("database", ValueTypes.text("a database name"), "comporta");
    private static final Key<String> USERNAME =
            Key.derived("username", ValueTypes.text("a login"), "nobody may connect");
    private static final Key<HiddenText> PASSWORD = Key.derived("password", ValueTypes.secret(), "nobody may connect");
    private static final Key<LivePage> LIVE_PAGE = Key.of("live_page", ValueTypes.choice(LivePage.class), "read_only");

    static final Schema SCHEMA = Schema.of(TOKEN, DATABASE, USERNAME, PASSWORD, LIVE_PAGE);

    static AdminConfig read(Section section) {
        return section.make(AdminConfig::from);
    }

    private static AdminConfig from(Section section) {
        HiddenText token = section.find(TOKEN);
        if (token != null && token.reveal().length() < SHORT_TOKEN) {
            section.warn(
                    TOKEN.name(),
                    "The token has fewer than " + SHORT_TOKEN + " letters and can be guessed.",
                    "Make one with 'openssl rand -hex 32'.");
        }
        LivePage livePage = section.get(LIVE_PAGE);
        if (livePage == LivePage.TOKEN && token == null) {
            section.error(
                    LIVE_PAGE.name(),
                    "The live page asks for the token, and there is none.",
                    "Set 'token', or set 'live_page' to off or read_only.");
        }
        return new AdminConfig(
                Optional.ofNullable(token),
                section.get(DATABASE),
                Credentials.read(section, USERNAME, PASSWORD),
                livePage);
    }
}
