type Parameter = { name: string; in: string; required?: boolean; schema?: { examples?: unknown[] } }

/** The parts of an operation that its samples use. */
export type SampledOperation = {
  method: string
  path: string
  parameters: readonly Parameter[]
  /** An example of the JSON body; undefined without one. */
  body: unknown
}

/** A sample as the page at /docs shows it (`x-codeSamples`). */
export type CodeSample = { lang: string; label: string; source: string }

/**
 * Returns a call of an operation in curl, TypeScript (`@placefleet/client`) and Python (`requests`). Each reads the
 * address and the API key from PLACEFLEET_URL and PLACEFLEET_API_KEY.
 */
export function codeSamples(operation: SampledOperation): CodeSample[] {
  return [
    { lang: 'shell', label: 'curl', source: curl(operation) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(operation) },
    { lang: 'python', label: 'Python', source: python(operation) },
  ]
}

/** Returns the placeholder of a path parameter: `{id}` becomes `JOB_ID` below /jobs. */
const placeholder = (path: string, name: string): string => {
  const thing = name === 'id' ? new RegExp(`([a-z-]+)/\\{${name}\\}`).exec(path)?.[1]?.replace(/s$/, '_id') : name
  return (thing ?? name).replaceAll('-', '_').toUpperCase()
}

const filled = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeholder(path, name))

function curl({ method, path, body }: SampledOperation): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$PLACEFLEET_URL${filled(path)}"`,
    `-H "Authorization: Bearer $PLACEFLEET_API_KEY"`,
  ]
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`)
  }
  return lines.join(' \\\n  ')
}

function typescript({ method, path, body, parameters }: SampledOperation): string {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const named = inPath.map(({ name }) => `${name}: '${placeholder(path, name)}'`).join(', ')
  const options = [
    ...(named === '' ? [] : [`params: { path: { ${named} } }`]),
    ...(body === undefined ? [] : [`body: ${indented(JSON.stringify(body, null, 2))}`]),
  ]
  const call = options.length === 0 ? `'${path}'` : `'${path}', {\n${options.map((one) => `  ${one},\n`).join('')}}`
  return `import { answered, createClient } from '@placefleet/client'

const { api } = createClient({
  url: process.env.PLACEFLEET_URL,
  apiKey: process.env.PLACEFLEET_API_KEY,
})

const answer = await answered(api.${method}(${call}))`
}

function python({ method, path, body }: SampledOperation): string {
  const json = body === undefined ? '' : `\n    json=${indented(pythonLiteral(JSON.stringify(body, null, 2)), 4)},`
  return `import os
import requests

response = requests.${method.toLowerCase()}(
    os.environ["PLACEFLEET_URL"] + "${filled(path)}",
    headers={"Authorization": "Bearer " + os.environ["PLACEFLEET_API_KEY"]},${json}
)
response.raise_for_status()`
}

const indented = (text: string, by = 2): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

// JSON and Python differ in three words, which may also occur inside a string.
const pythonLiteral = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => PYTHON_WORDS.get(token) ?? token)

const PYTHON_WORDS = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
])
