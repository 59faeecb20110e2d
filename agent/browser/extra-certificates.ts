import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

const PEM = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs

/**
 * Returns the arguments by which Chromium trusts what Node trusts through NODE_EXTRA_CA_CERTS, e.g. the authority of a
 * network that inspects TLS. Chromium reads no file of certificates: it takes the SHA-256 of their public keys.
 */
export function trustArguments(file = process.env.NODE_EXTRA_CA_CERTS): string[] {
  const hashes = (file ? certificatesIn(file) : []).map(({ publicKey }) =>
    createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
  )
  return hashes.length > 0 ? [`--ignore-certificate-errors-spki-list=${hashes.join()}`] : []
}

/** Node warns of a file that it cannot read when it starts, and goes on without it. */
function certificatesIn(file: string): X509Certificate[] {
  try {
    return (readFileSync(file, 'utf8').match(PEM) ?? []).map((pem) => new X509Certificate(pem))
  } catch {
    return [] // Node has warned
  }
}
