/** What the tests of several modules share. Depends on the protocol and on test libraries, never on what is tested with it. */
@NullMarked
package dev.comporta.testkit;

import org.jspecify.annotations.NullMarked;
