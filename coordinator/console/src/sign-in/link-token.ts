let token: string | undefined

/**
 * The one-time token that a sign-in link carries in its fragment. It is taken out of the address before anything else runs, so
 * that it stands in no history entry, and is given once.
 */
export function takeLinkToken(): string | undefined {
  const taken = token
  token = undefined
  return taken
}

const found = new URLSearchParams(location.hash.slice(1)).get('link')
if (found) {
  token = found
  history.replaceState(history.state, '', location.pathname + location.search)
}
