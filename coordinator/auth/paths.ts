import { z } from 'zod'
import type { SignInFailure } from './failure.ts'

/** Where the console is served. */
export const HOME = '/console/'

/** Where the browser is sent when a sign-in failed. The console words the code. */
export const signInPage = (failure: SignInFailure): string => `${HOME}?error=${failure}`

/** Where the identity provider sends browsers back to. */
export const CALLBACK = '/auth/callback'

/** A path of ours to return to after a sign-in. An address that may lead to another site is refused. */
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
  .meta({ type: 'string', description: `the path to return to; ${HOME} unless given` })

/** A path as browsers understand it; undefined when they would take it for the address of another site. */
function ownPath(text: string): string | undefined {
  if (/^\/[^/\\]|^\/$/.test(text) === false || /[\\\p{Cc}]/u.test(text)) return undefined
  const base = 'http://own.invalid'
  if (!URL.canParse(text, base)) return undefined
  const { origin, pathname, search, hash } = new URL(text, base)
  // `/..//evil.example` becomes `//evil.example`, which is another site.
  return origin === base && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}
