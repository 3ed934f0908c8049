/** Code that the tests of several modules share. Depends on the protocol and on test libraries, never on code under test. */
@NullMarked
package dev.comporta.testkit;

import org.jspecify.annotations.NullMarked;
