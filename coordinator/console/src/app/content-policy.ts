type PolicyRules = { createHTML(text: string): string; createScriptURL(url: string): string }
type TrustedTypes = { createPolicy(name: string, rules: PolicyRules): unknown }

/**
 * The page's one Trusted Types policy. Where a library sets HTML it may set text without markup alone (Mantine writes its
 * style variables this way), and scripts of workers come from this origin alone.
 */
export function allowOnlyText(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('The console sets no markup.')
      return text
    },
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError('Scripts are of this origin alone.')
      return url
    },
  })
}

/** The nonce that the page's content policy lets style elements pass with. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The package below Mantine's dialogs looks for the nonce under this name. */
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
