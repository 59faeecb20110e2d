type PolicyRules = { createHTML(text: string): string; createScriptURL(url: string): string }
type TrustedTypes = { createPolicy(name: string, rules: PolicyRules): unknown }

/**
 * Returns the only Trusted Types policy of the page. Libraries may set HTML only without markup (Mantine writes its
 * style variables this way), and worker scripts must come from this origin.
 */
export function allowOnlyText(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('HTML with markup is not allowed.')
      return text
    },
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError('Scripts from other origins are not allowed.')
      return url
    },
  })
}

/**
 * Keeps zod from generating code, which the content security policy forbids: it would try, and the browser would report
 * it. Pages with a schema are loaded later than this runs.
 */
export function allowNoGeneratedCode(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}

/** Returns the nonce with which the content security policy allows style elements. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** Passes the nonce on to the package behind Mantine's dialogs, which reads it from this name. */
export function passOnNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
}
