import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const FOLDER = join(import.meta.dirname, 'certificate')

/** A private key and its certificate, in PEM. */
export type Certificate = { key: string; cert: string }

/** The value of NODE_EXTRA_CA_CERTS for clients of a site that serves HTTPS. It can sign no other certificate. */
export const CERTIFICATE_FILE = join(FOLDER, 'certificate.pem')

/** Returns the certificate of the simulated site, for 127.0.0.1, ::1 and localhost. Its key is public. */
export const simulatedCertificate = (): Certificate => ({
  key: readFileSync(join(FOLDER, 'key.pem'), 'utf8'),
  cert: readFileSync(CERTIFICATE_FILE, 'utf8'),
})

/** Lets this process and those that it starts trust the simulated site. */
export function trustSimulatedCertificate(): void {
  setDefaultCACertificates([...getCACertificates(), simulatedCertificate().cert])
  process.env.NODE_EXTRA_CA_CERTS = CERTIFICATE_FILE
}
