import { loadPage, type Part } from './dom.ts'

/** A form of the cookie consent page: where it posts to (may be relative to the page), and all its hidden fields. */
export interface ConsentForm {
  action: string
  choice: 'reject' | 'accept' | 'other'
  fields: Record<string, string>
}

/**
 * The consent forms of a page, none for another page. Known by structure, whatever the host and the language: a form
 * that posts, with the hidden fields of a choice (`set_eom`) and of where to go on (`continue`).
 */
export function consentForms(html: string): ConsentForm[] {
  if (!html.includes('set_eom')) return []
  const $ = loadPage(html)
  const forms = $('form')
    .toArray()
    .map((form) => readForm($(form)))
  return forms.filter((form) => form !== undefined)
}

/** The form that refuses all that can be refused. */
export const rejectForm = (html: string): ConsentForm | undefined =>
  consentForms(html).find((form) => form.choice === 'reject')

function readForm(form: Part): ConsentForm | undefined {
  const action = form.attr('action')
  const hidden = form.find('input[type="hidden"]').serializeArray()
  const fields = Object.fromEntries(hidden.map(({ name, value }) => [name, value]))
  const posts = form.attr('method')?.toLowerCase() === 'post'
  if (!posts || action === undefined || fields.set_eom === undefined || fields.continue === undefined) return undefined
  return { action, choice: choiceOf(fields), fields }
}

// Reject sends set_eom=true; accept set_eom=false with set_sc and set_aps. The buttons' words are not looked at.
function choiceOf(fields: Readonly<Record<string, string>>): ConsentForm['choice'] {
  if (fields.set_eom === 'true') return 'reject'
  return fields.set_sc === 'true' || fields.set_aps === 'true' ? 'accept' : 'other'
}
