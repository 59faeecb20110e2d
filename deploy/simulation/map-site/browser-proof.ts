import type { Exchange } from './exchange.ts'

// The proof that a client runs scripts. pages/scripts/proof.js computes the same values. A client without scripts has
// no cookie and no header.

/** The cookie that a page's script sets. */
const PROOF_COOKIE = 'OTZ'
/** The header that a page's script adds to its own requests. */
const PROOF_HEADER = 'x-maps-diversion-context-bin'

/** FNV-1a of a text, in base 36. */
function proofOf(text: string): string {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return (sum >>> 0).toString(36)
}

const isProof = (value: string | undefined, salt: string): boolean => {
  const [token, proof] = (value ?? '').split('.')
  return !!token && proof === proofOf(`${token}:${salt}`)
}

/** Returns whether a client sends the cookie of a page's script. */
export const hasProofCookie = ({ cookies }: Exchange) => isProof(cookies.get(PROOF_COOKIE), 'cookie')

/** Returns whether a request has the header of a page's script. */
export const hasProofHeader = ({ headers, path }: Exchange) => isProof([headers[PROOF_HEADER]].flat()[0], path)

/** Returns whether the request was made by the page itself, in a browser. */
export const isMadeByPage = (exchange: Exchange) =>
  exchange.headers['sec-fetch-site'] === 'same-origin' && hasProofHeader(exchange)
