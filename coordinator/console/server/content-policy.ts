/**
 * What the console may load and do: its own files, and styles that carry the nonce of the page. No inline script, no
 * `blob:`, no other host but that of the map style, if one is set.
 */
export function contentPolicy(nonce: string, mapStyleUrl: string | undefined): string {
  const map = mapStyleUrl === undefined ? '' : ` ${new URL(mapStyleUrl).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${map}`,
    "font-src 'self'",
    `connect-src 'self'${map}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}
