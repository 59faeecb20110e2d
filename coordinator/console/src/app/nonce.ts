/** The nonce that the page's content policy lets style elements pass with. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The package below Mantine's dialogs looks for the nonce under this name. */
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
