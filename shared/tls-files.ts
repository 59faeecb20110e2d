import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ConfigError } from './config.ts'

/** A setting that names a file, as far as messages need it. */
export type FileSetting = { readonly name: string; readonly path: string }

/** One that is cut off reaches to the end of the file, and cannot be read. */
const CERTIFICATE = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[\s\S]*?(?:-----END [A-Z0-9 ]*CERTIFICATE-----|$)/g

/**
 * The certificates in a PEM file, one or many. TLS itself takes any file and then trusts nobody, without a word.
 * @throws ConfigError that names the setting when the file cannot be read or holds anything but whole certificates.
 */
export function readCertificates({ name, path }: FileSetting): Buffer {
  const bytes = readSetting({ name, path })
  const found = bytes.toString('latin1').match(CERTIFICATE) ?? []
  if (found.length === 0) throw new ConfigError(`${name}: ${path} holds no certificate in PEM.`)
  for (const [index, text] of found.entries()) {
    try {
      new X509Certificate(text)
    } catch (cause) {
      const which = `certificate ${index + 1} of ${found.length}`
      throw new ConfigError(`${name}: ${path} is no PEM file of certificates: ${which} cannot be read.`, { cause })
    }
  }
  return bytes
}

/**
 * A certificate, those that vouch for it behind it, and its key.
 * @throws ConfigError that names the settings when a file cannot be read, or when they do not belong together.
 */
export function readKeyPair(cert: FileSetting, key: FileSetting): { cert: Buffer; key: Buffer } {
  const pair = { cert: readSetting(cert), key: readSetting(key) }
  try {
    createSecureContext(pair)
  } catch (cause) {
    throw new ConfigError(`${cert.name} and ${key.name} are no certificate with its key.`, { cause })
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
