import type { Page } from './page.ts'

const MAIL_CODE = /mail|crypt|contact/i
const SIGN_IN_SCRIPT = /mailto|fromCharCode|atob\(|%40|\\x40|\\u0040|&#(?:64|x40);|["'`]@["'`]/i
const HANDLERS = ['onclick', 'onmousedown', 'onmouseover', 'onfocus']
/** A page with less text, no link and a script is an empty shell. */
const SHELL_TEXT = 200

/**
 * Whether a page in which no address was found may show one once its scripts have run: it is an empty shell that they
 * fill, or holds code that puts an address together.
 */
export function showsMoreByScript(page: Page): boolean {
  return isShell(page) || page.elements.some(isMailCode) || page.scripts.some((script) => SIGN_IN_SCRIPT.test(script))
}

function isShell({ joined, elements, scripts }: Page): boolean {
  const hasLink = elements.some(({ name, attributes }) => name === 'a' && attributes.href !== undefined)
  return scripts.length > 0 && !hasLink && joined.trim().length < SHELL_TEXT
}

function isMailCode({ attributes }: Page['elements'][number]): boolean {
  const code = HANDLERS.map((handler) => attributes[handler] ?? '')
  if (/^\s{0,9}javascript:/i.test(attributes.href ?? '')) code.push(attributes.href ?? '')
  return code.some((text) => MAIL_CODE.test(text))
}
