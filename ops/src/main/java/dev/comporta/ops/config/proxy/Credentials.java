package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.HiddenText;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Section;
import java.util.Optional;

/** A login and its password. */
public record Credentials(String username, HiddenText password) {
    /** Both keys or neither. */
    public static Optional<Credentials> read(Section section, Key<String> usernameKey, Key<HiddenText> passwordKey) {
        String username = section.find(usernameKey);
        HiddenText password = section.find(passwordKey);
        new Consistency()
                .refuse(username != null && password == null, usernameKey.name(), passwordKey.name())
                .because("There is a login, but no password for it.", "Add 'password:' with ${NAME} or ${file:/path}.")
                .refuse(username == null && password != null, passwordKey.name(), usernameKey.name())
                .because("There is a password, but no login to use it with.", "Add 'username:'.")
                .orThrow();
        return username == null || password == null
                ? Optional.empty()
                : Optional.of(new Credentials(username, password));
    }
}
