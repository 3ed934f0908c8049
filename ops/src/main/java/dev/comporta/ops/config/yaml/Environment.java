package dev.comporta.ops.config.yaml;

import org.jspecify.annotations.Nullable;

/** Where {@code ${NAME}} is looked up; {@code System::getenv} in production. */
@FunctionalInterface
public interface Environment {
    @Nullable
    String get(String name);
}
