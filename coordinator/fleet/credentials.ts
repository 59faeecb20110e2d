import { ServerCredentials } from '@grpc/grpc-js'
import { ConfigError } from '@placefleet/shared/config'
import { readCertificates, readKeyPair } from '@placefleet/shared/tls-files'

/** Files in PEM: the server's certificate chain and key, and those whose certificates agents must have, if they must. */
export type TlsFiles = { cert?: string | undefined; key?: string | undefined; clientCa?: string | undefined }

/**
 * How the fleet server proves who it is, and whether agents must.
 * @throws ConfigError when a file is missing or not what it must be, or when one setting lacks the other.
 */
export function fleetCredentials({ cert, key, clientCa }: TlsFiles): ServerCredentials {
  if (cert === undefined && key === undefined && clientCa === undefined) return ServerCredentials.createInsecure()
  if (cert === undefined || key === undefined) {
    throw new ConfigError('GRPC_TLS_CERT and GRPC_TLS_KEY are needed together; GRPC_TLS_CLIENT_CA needs both.')
  }
  const own = readKeyPair({ name: 'GRPC_TLS_CERT', path: cert }, { name: 'GRPC_TLS_KEY', path: key })
  const authority = clientCa === undefined ? null : readCertificates({ name: 'GRPC_TLS_CLIENT_CA', path: clientCa })
  return ServerCredentials.createSsl(authority, [{ cert_chain: own.cert, private_key: own.key }], authority !== null)
}
