import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ServerCredentials } from '@grpc/grpc-js'
import { ConfigError } from '@placefleet/shared/config'

/** Files in PEM: the server's certificate chain and key, and those whose certificates agents must have, if they must. */
export type TlsFiles = { cert?: string | undefined; key?: string | undefined; clientCa?: string | undefined }

/**
 * How the fleet server proves who it is, and whether agents must.
 * @throws ConfigError when a file is missing or no PEM, or when one setting lacks the other.
 */
export function fleetCredentials({ cert, key, clientCa }: TlsFiles): ServerCredentials {
  if (cert === undefined && key === undefined && clientCa === undefined) return ServerCredentials.createInsecure()
  if (cert === undefined || key === undefined) {
    throw new ConfigError('GRPC_TLS_CERT and GRPC_TLS_KEY are needed together; GRPC_TLS_CLIENT_CA needs both.')
  }
  const pair = { cert_chain: pemFile('GRPC_TLS_CERT', cert), private_key: pemFile('GRPC_TLS_KEY', key) }
  const authority = clientCa === undefined ? null : pemFile('GRPC_TLS_CLIENT_CA', clientCa)
  try {
    createSecureContext({ cert: pair.cert_chain, key: pair.private_key })
    return ServerCredentials.createSsl(authority, [pair], authority !== null)
  } catch (cause) {
    throw new ConfigError('GRPC_TLS_CERT and GRPC_TLS_KEY are no certificate with its key.', { cause })
  }
}

function pemFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ConfigError(`${name}: ${path} cannot be read.`, { cause })
  }
}
