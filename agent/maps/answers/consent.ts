import { loadPage, type Part } from './dom.ts'
import { readEach } from './values.ts'

/** A form of the cookie consent page. `action` may be relative to the page. `fields` are all hidden fields. */
type ConsentForm = { action: string; choice: 'reject' | 'accept' | 'other'; fields: Record<string, string> }

/**
 * Finds the consent forms of a page. The structure decides, in any language and on any host: a form that posts, with
 * the hidden fields `set_eom` (the choice) and `continue` (the next page). Good pages may hold such a form in a hidden
 * panel, which does not count. Returns an empty list for other pages.
 */
export function consentForms(html: string): ConsentForm[] {
  if (!html.includes('set_eom')) return []
  const $ = loadPage(html)
  return readEach($('form').toArray(), (form) => readForm($(form)))
}

const HIDDEN = '[hidden], [aria-hidden="true"]'

/** The form that rejects all cookies that may be rejected. */
export const rejectForm = (html: string): ConsentForm | undefined =>
  consentForms(html).find((form) => form.choice === 'reject')

function readForm(form: Part): ConsentForm | undefined {
  if (form.closest(HIDDEN).length > 0) return undefined
  const action = form.attr('action')
  const hidden = form.find('input[type="hidden"]').serializeArray()
  const fields = Object.fromEntries(hidden.map(({ name, value }) => [name, value]))
  const posts = form.attr('method')?.toLowerCase() === 'post'
  if (!posts || action === undefined || fields.set_eom === undefined || fields.continue === undefined) return undefined
  return { action, choice: choiceOf(fields), fields }
}

// "Reject" sends set_eom=true; "accept" sends set_eom=false with set_sc and set_aps. The words on the buttons do not
// count.
function choiceOf(fields: Readonly<Record<string, string>>): ConsentForm['choice'] {
  if (fields.set_eom === 'true') return 'reject'
  return fields.set_sc === 'true' || fields.set_aps === 'true' ? 'accept' : 'other'
}
