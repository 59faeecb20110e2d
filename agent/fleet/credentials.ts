import { readFileSync } from 'node:fs'
import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import { ConfigError } from '@placefleet/shared/config'

/** Who may vouch for a coordinator (a PEM file, or `system`), and the agent's own certificate and key, in PEM files. */
export type TlsFiles = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined }

/**
 * How an agent checks who it talks to, and proves who it is. Without any file the connection is not encrypted.
 * @throws ConfigError when a file is missing, or when one setting lacks the other.
 */
export function coordinatorCredentials({ ca, cert, key }: TlsFiles): ChannelCredentials {
  if ((cert === undefined) !== (key === undefined) || (cert !== undefined && ca === undefined)) {
    throw new ConfigError('AGENT_TLS_CERT and AGENT_TLS_KEY are needed together, and with COORDINATOR_TLS_CA.')
  }
  if (ca === undefined) return credentials.createInsecure()
  const authority = ca === 'system' ? null : pemFile('COORDINATOR_TLS_CA', ca)
  if (cert === undefined || key === undefined) return credentials.createSsl(authority)
  return credentials.createSsl(authority, pemFile('AGENT_TLS_KEY', key), pemFile('AGENT_TLS_CERT', cert))
}

function pemFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ConfigError(`${name}: ${path} cannot be read.`, { cause })
  }
}
