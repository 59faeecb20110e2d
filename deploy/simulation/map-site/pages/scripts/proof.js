// Computes the proof that scripts run. The server checks it in deploy/simulation/map-site/browser-proof.ts.
const { token } = window.WIZ_global_data

function proofOf(text) {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return (sum >>> 0).toString(36)
}

/** Sets the cookie that only a client with scripts can compute. */
export function setProofCookie() {
  // biome-ignore lint/suspicious/noDocumentCookie: the site's own scripts set it like this
  document.cookie = `OTZ=${token}.${proofOf(`${token}:cookie`)}; path=/; max-age=2592000; SameSite=Lax`
}

/** Returns the proof header for a request to a path of this site. */
export const proofHeader = (path) => ({ 'x-maps-diversion-context-bin': `${token}.${proofOf(`${token}:${path}`)}` })
