/** Notifications to the service manager that started the process. */
@NullMarked
package dev.comporta.app.service;

import org.jspecify.annotations.NullMarked;
