import { CreateJobRequest } from '@placefleet/shared/job'
import { NEGATED_OPTIONS, RENAMED_OPTIONS } from '@placefleet/shared/job-option-names'

/** The ways in which the console shows a job for programs. */
export const CODES = ['json', 'curl', 'typescript', 'python', 'cli'] as const
export type Code = (typeof CODES)[number]

/** What the API sets when a request leaves it out. The cap of the places follows from others, so it is always shown. */
const { max_results: _, ...DEFAULTS }: Readonly<Record<string, unknown>> = CreateJobRequest.parse({
  name: '-',
  keywords: ['-'],
  language: 'en',
})
const SHOWN = ['name', 'language']

const isDefault = (name: string, value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value === DEFAULTS[name] && !SHOWN.includes(name)

/** Returns the request of a job as short as it can be. Proxies are secrets, so a placeholder stands for them. */
export function shortRequest(request: object, proxies: number): Record<string, unknown> {
  const meant = Object.entries(request).filter(
    ([name, value]) => name !== 'proxies' && value !== undefined && !isDefault(name, value),
  )
  return { ...Object.fromEntries(meant), ...(proxies > 0 && { proxies: ['<your proxy>'] }) }
}

/** Returns the program or command that creates a job with this request. */
export function codeOf(code: Code, request: Record<string, unknown>, origin: string): string {
  switch (code) {
    case 'json':
      return JSON.stringify(request, undefined, 2)
    case 'curl':
      return curlOf(request, origin)
    case 'typescript':
      return `import { Placefleet } from '@placefleet/client'

const placefleet = new Placefleet({ url: '${origin}', apiKey: process.env.PLACEFLEET_API_KEY })
const { id } = await placefleet.jobs.create(${JSON.stringify(request, undefined, 2)})
for await (const place of placefleet.jobs.follow(id)) console.log(place.title)`
    case 'python':
      return `import os

from placefleet import Placefleet

job = ${pythonOf(request)}
with Placefleet(url="${origin}", api_key=os.environ["PLACEFLEET_API_KEY"]) as placefleet:
    created = placefleet.jobs.create(**job)
    for place in placefleet.jobs.follow(created["id"]):
        print(place["title"])`
    case 'cli':
      return cliOf(request)
  }
}

const curlOf = (request: Record<string, unknown>, origin: string): string =>
  `curl ${origin}/api/v1/jobs \\
  -H "Authorization: Bearer $PLACEFLEET_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuoted(JSON.stringify(request))}`

const byField = (options: Readonly<Record<string, string>>) =>
  new Map(Object.entries(options).map(([option, field]) => [field, option]))

const RENAMED = byField(RENAMED_OPTIONS)
const NEGATED = byField(NEGATED_OPTIONS)

function cliOf({ keywords, area, places, ...request }: Record<string, unknown>): string {
  const words = Array.isArray(keywords) ? keywords.map((word) => shellQuoted(String(word))) : []
  const options = Object.entries(request).flatMap(([field, value]) => {
    const option = value === false ? NEGATED.get(field) : (RENAMED.get(field) ?? field)
    if (option === undefined) return []
    const flag = `--${option.replaceAll('_', '-')}`
    return [typeof value === 'boolean' ? flag : `${flag}=${shellQuoted(String(value))}`]
  })
  const files = [
    ...(area === undefined ? [] : [{ flag: '--area', name: 'area.geojson', text: JSON.stringify(area) }]),
    ...(Array.isArray(places) ? [{ flag: '--places', name: 'places.txt', text: places.join('\n') }] : []),
  ]
  const written = files.map(({ name, text }) => `cat > ${name} <<'END'\n${text}\nEND\n`).join('')
  const flags = files.map(({ flag, name }) => `${flag}=${name}`)
  return [`${written}npx placefleet run`, ...words, ...options, ...flags].join(' ')
}

/** Quotes a text for a shell, unless it needs no quotes. */
const shellQuoted = (text: string): string => (/^[\w.,/:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** Returns a value as Python writes it: JSON, but for three words outside of texts. */
const pythonOf = (value: unknown): string =>
  JSON.stringify(value, undefined, 4).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (part) => PYTHON_WORDS[part] ?? part,
  )
