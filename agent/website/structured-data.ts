import { parsedJson } from '@placefleet/shared/text'

/** The contacts in the JSON-LD blocks of a page. */
type StructuredData = { readonly emails: string[]; readonly phones: string[]; readonly sameAs: string[] }

const MAX_VALUES = 50_000
const EMAIL_FIELD = /"e-?mail"\s{0,5}:\s{0,5}(?:"([^"]{3,320})"|\[([^[\]]{3,2000})\])/gi
const LISTED = /"([^"]{3,320})"/g

/** Of a block that is not valid JSON, only the e-mails. */
export function readStructuredData(blocks: readonly string[]): StructuredData {
  const result: StructuredData = { emails: [], phones: [], sameAs: [] }
  for (const block of blocks) {
    const data = parsedJson(block) // hand-written blocks with a stray comma are common
    if (data !== undefined) collect(data, result)
    else for (const email of namedEmails(block)) result.emails.push(email)
  }
  return result
}

function namedEmails(block: string): string[] {
  return [...block.matchAll(EMAIL_FIELD)].flatMap(([, email = '', list]) =>
    list === undefined ? [email] : [...list.matchAll(LISTED)].map((match) => match[1] ?? ''),
  )
}

// JSON can nest deeper than the call stack, so the walk has its own queue.
function collect(data: unknown, result: StructuredData): void {
  const queue: { key: string; value: unknown }[] = [{ key: '', value: data }]
  for (let index = 0; index < Math.min(queue.length, MAX_VALUES); index += 1) {
    const { key, value } = queue[index] ?? { key: '', value: undefined }
    if (typeof value === 'string') addValue(key, value, result)
    else if (typeof value === 'object' && value !== null) {
      const list = Array.isArray(value)
      for (const [name, item] of Object.entries(value))
        queue.push({ key: list ? key : name.toLowerCase(), value: item })
    }
  }
}

function addValue(key: string, value: string, result: StructuredData): void {
  if (key === 'email') result.emails.push(value)
  else if (key === 'telephone') result.phones.push(value)
  else if (key === 'sameas') result.sameAs.push(value)
}
