/** Logins that need more than a name and a password in LOGIN7: Windows (NTLM) and Entra (tokens). */
@NullMarked
package dev.comporta.standin.negotiate;

import org.jspecify.annotations.NullMarked;
