package dev.comporta.standin.engine.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A language of the server: messages stay English, but dates are read in its order.
 *
 * @param lcid as in syslanguages
 */
public record Language(int id, String name, String alias, String dateFormat, int dateFirst, int lcid) {
    public static final Language US_ENGLISH = new Language(0, "us_english", "English", "mdy", 7, 1033);

    public static final List<Language> ALL = List.of(
            US_ENGLISH,
            new Language(1, "Deutsch", "German", "dmy", 1, 1031),
            new Language(2, "Français", "French", "dmy", 1, 1036),
            new Language(3, "日本語", "Japanese", "ymd", 7, 1041),
            new Language(5, "Español", "Spanish", "dmy", 1, 3082),
            new Language(6, "Italiano", "Italian", "dmy", 1, 1040),
            new Language(7, "Nederlands", "Dutch", "dmy", 1, 1043),
            new Language(9, "Português", "Portuguese", "dmy", 7, 2070),
            new Language(23, "British", "British English", "dmy", 1, 2057),
            new Language(27, "Português (Brasil)", "Brazilian", "dmy", 7, 1046));

    public static @Nullable Language named(String wanted) {
        for (Language language : ALL) {
            if (language.name.equalsIgnoreCase(wanted) || language.alias.equalsIgnoreCase(wanted)) {
                return language;
            }
        }
        return null;
    }
}
