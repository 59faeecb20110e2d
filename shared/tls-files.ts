import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ConfigError } from './config.ts'

/** A setting that names a file. */
type FileSetting = { readonly name: string; readonly path: string }

/** A truncated certificate matches up to the end of the file, and then fails to parse. */
const CERTIFICATE = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[\s\S]*?(?:-----END [A-Z0-9 ]*CERTIFICATE-----|$)/g

/**
 * Reads the certificates in a PEM file. TLS accepts any file, and then silently trusts no certificate.
 * @throws ConfigError that names the setting when the file cannot be read or holds something else than whole
 * certificates.
 */
export function readCertificates({ name, path }: FileSetting): Buffer {
  const bytes = readSetting({ name, path })
  const found = bytes.toString('latin1').match(CERTIFICATE) ?? []
  if (found.length === 0) throw new ConfigError(`${name}: ${path} holds no PEM certificate.`)
  for (const [index, text] of found.entries()) {
    try {
      new X509Certificate(text)
    } catch (cause) {
      const which = `certificate ${index + 1} of ${found.length}`
      throw new ConfigError(`${name}: ${path} holds a damaged certificate: ${which} cannot be read.`, { cause })
    }
  }
  return bytes
}

/**
 * Reads a certificate (with its chain) and its key.
 * @throws ConfigError that names the settings when a file cannot be read, or when the key does not match.
 */
export function readKeyPair(cert: FileSetting, key: FileSetting): { cert: Buffer; key: Buffer } {
  const pair = { cert: readSetting(cert), key: readSetting(key) }
  try {
    createSecureContext(pair)
  } catch (cause) {
    throw new ConfigError(`${cert.name} and ${key.name} are not a certificate and its key.`, { cause })
  }
  return pair
}

function readSetting({ name, path }: FileSetting): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ConfigError(`${name}: ${path} cannot be read.`, { cause })
  }
}
