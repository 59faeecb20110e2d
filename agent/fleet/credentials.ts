import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import { ConfigError } from '@placefleet/shared/config'
import { readCertificates, readKeyPair } from '@placefleet/shared/tls-files'

/** Who may vouch for a coordinator (a PEM file, or `system`), and the agent's own certificate and key, in PEM files. */
export type TlsFiles = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined }

/**
 * How an agent checks who it talks to, and proves who it is. Without any file the connection is not encrypted.
 * @throws ConfigError when a file is missing or not what it must be, or when one setting lacks the other.
 */
export function coordinatorCredentials({ ca, cert, key }: TlsFiles): ChannelCredentials {
  if ((cert === undefined) !== (key === undefined) || (cert !== undefined && ca === undefined)) {
    throw new ConfigError('AGENT_TLS_CERT and AGENT_TLS_KEY are needed together, and with COORDINATOR_TLS_CA.')
  }
  if (ca === undefined) return credentials.createInsecure()
  const authority = ca === 'system' ? null : readCertificates({ name: 'COORDINATOR_TLS_CA', path: ca })
  if (cert === undefined || key === undefined) return credentials.createSsl(authority)
  const own = readKeyPair({ name: 'AGENT_TLS_CERT', path: cert }, { name: 'AGENT_TLS_KEY', path: key })
  return credentials.createSsl(authority, own.key, own.cert)
}
