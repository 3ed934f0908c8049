package dev.comporta.tds.request;

import dev.comporta.tds.TdsVersion;

/**
 * The parts of a login that change the layout of requests.
 *
 * @param enclavePackages whether column encryption was acknowledged at version 2 or later: then batches and RPCs carry a
 *     package for the enclave
 */
public record RequestFormat(TdsVersion version, boolean enclavePackages) {
    public static RequestFormat of(TdsVersion version) {
        return new RequestFormat(version, false);
    }
}
