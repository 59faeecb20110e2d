import { createHash } from 'node:crypto'

/** Returns what agents name a proxy by: the SHA-256 of its URL with its login, in hex. */
export const proxyDigest = (url: string): string => createHash('sha256').update(url).digest('hex')
