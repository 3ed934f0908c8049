@NullMarked
package dev.comporta.tds.login;

import org.jspecify.annotations.NullMarked;
