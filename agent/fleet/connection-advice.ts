import type { TlsFiles } from './coordinator.ts'

/** What OpenSSL, Node and the coordinator's TLS say, and the setting that mends it. The first match counts. */
const BY_REASON: readonly (readonly [RegExp, string])[] = [
  [
    /Protocol error/,
    "Another server answers there, such as the coordinator's API. Set COORDINATOR_GRPC to the host and GRPC_PORT of a coordinator.",
  ],
  [
    /wrong version number/,
    'The coordinator does not use TLS. Unset COORDINATOR_TLS_CA here, or set GRPC_TLS_CERT and GRPC_TLS_KEY there.',
  ],
  [
    /unable to (verify|get)|self-signed certificate/,
    'Another authority signed its certificate. Set COORDINATOR_TLS_CA to the PEM file of that authority.',
  ],
  [
    /ALTNAME_INVALID/,
    'Its certificate is for other names. Set COORDINATOR_GRPC to one of them, or issue a certificate for this name.',
  ],
  [/certificate has expired/, 'Its certificate has expired. Renew GRPC_TLS_CERT there and restart it.'],
  [
    /alert certificate required/,
    'It accepts only agents with a certificate. Set AGENT_TLS_CERT and AGENT_TLS_KEY, signed by its GRPC_TLS_CLIENT_CA.',
  ],
]

/** A connection that the other side closes at once gives no reason. */
const CLOSED = /Failed to connect/

/**
 * Returns what an operator can change when the coordinator does not answer for this reason; undefined when the reason
 * says enough.
 * @param reason the message of the error of the gRPC client.
 */
export function connectionAdvice(reason: string, { ca, cert }: TlsFiles): string | undefined {
  const entry = BY_REASON.find(([pattern]) => pattern.test(reason))
  if (entry) return entry[1]
  if (!CLOSED.test(reason)) return undefined
  if (ca === undefined) return 'It closes the connection. If it uses TLS, set COORDINATOR_TLS_CA.'
  return cert === undefined
    ? undefined
    : 'It closes the connection. If it sets GRPC_TLS_CLIENT_CA, that authority must have signed AGENT_TLS_CERT.'
}
