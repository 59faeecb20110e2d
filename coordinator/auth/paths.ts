import { z } from 'zod'
import type { SignInFailure } from './failure.ts'

export const HOME = '/console/'

/** Returns the page for a failed sign-in. The console has a text for each code. */
export const signInPage = (failure: SignInFailure): string => `${HOME}?error=${failure}`

/** The path to which the identity provider redirects browsers. */
export const CALLBACK = '/auth/callback'

/** A path of this site to open after a sign-in. A URL that may lead to another site is rejected. */
export const ReturnPath = z
  .string()
  .max(2_000)
  .default(HOME)
  .transform((text, context) => {
    const path = ownPath(text)
    if (path !== undefined) return path
    context.issues.push({ code: 'custom', input: text, message: 'must be a path of this site, e.g. /console/jobs' })
    return z.NEVER
  })
  .meta({ type: 'string', description: `the path to return to; default ${HOME}` })

/** Returns a path as browsers resolve it; undefined when it would lead to another site. */
function ownPath(text: string): string | undefined {
  if (/^\/[^/\\]|^\/$/.test(text) === false || /[\\\p{Cc}]/u.test(text)) return undefined
  const base = 'http://own.invalid'
  if (!URL.canParse(text, base)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  // `/..//evil.example` becomes `//evil.example`, which is another site.
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}
