/**
 * The instance's own database: administrators connect to it with any SQL Server driver. Login, requests and answers in TDS
 * over the {@code console} module, on virtual threads, so that requests take no time of an event loop.
 */
@NullMarked
package dev.comporta.proxy.console;

import org.jspecify.annotations.NullMarked;
