/**
 * What the agent says it is, the same on every rung, so that a session that climbs does not change its face. It is the
 * Chromium of the npm package with the word "Headless" left out, in the reduced form that Chromium sends since version 107.
 */
const MAJOR = '153'

export const USER_AGENT = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${MAJOR}.0.0.0 Safari/537.36`

/** The client hints that go with `USER_AGENT`. */
export const CLIENT_HINTS: Readonly<Record<string, string>> = {
  'sec-ch-ua': `"Chromium";v="${MAJOR}", "Not?A_Brand";v="24"`,
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
}

/** The headers of plain HTTP that a Chromium set to this one language sends by itself. */
export function browserHeaders(language: string): Record<string, string> {
  return { 'user-agent': USER_AGENT, 'accept-language': language, ...CLIENT_HINTS }
}
