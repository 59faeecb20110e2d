import 'reflect-metadata' // each import needs the one before it
import { randomUUID, type webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A private key and its certificate, in PEM. */
export type Identity = { key: string; cert: string }

/** A certificate authority for one test. */
export type Authority = {
  /** Its certificate in PEM, for its clients. */
  ca: string
  /** Issues a certificate for these names and addresses. Default: from yesterday to tomorrow. */
  issue(names: string[], days?: { from: number; to: number }): Promise<Identity>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const AROUND_NOW = { from: -1, to: 1 }
const IS_ADDRESS = /^[\d.]+$|:/

/** Creates a new authority. */
export async function createAuthority(): Promise<Authority> {
  const keys = await newKeys()
  const name = `CN=authority ${randomUUID()}`
  const validity = between(AROUND_NOW)
  const extensions = [new BasicConstraintsExtension(true)]
  const own = await X509CertificateGenerator.createSelfSigned({ name, keys, ...validity, extensions })
  return {
    ca: own.toString('pem'),
    async issue(names, days = AROUND_NOW) {
      const { privateKey, publicKey } = await newKeys()
      const certificate = await X509CertificateGenerator.create({
        subject: 'CN=a server for tests',
        issuer: own.subject,
        signingKey: keys.privateKey,
        publicKey,
        ...between(days),
        extensions: [alternativeNames(names)],
      })
      return { key: await pemOf(privateKey), cert: pem(certificate) }
    },
  }
}

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const between = ({ from, to }: { from: number; to: number }) => ({
  notBefore: new Date(Date.now() + from * 86_400_000),
  notAfter: new Date(Date.now() + to * 86_400_000),
})

const alternativeNames = (names: string[]) =>
  new SubjectAlternativeNameExtension(
    names.map((value) => ({ type: IS_ADDRESS.test(value) ? ('ip' as const) : ('dns' as const), value })),
  )

const pem = (certificate: X509Certificate): string => certificate.toString('pem')

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END PRIVATE KEY-----\n`
}
