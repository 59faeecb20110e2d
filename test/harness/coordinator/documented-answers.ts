import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { ApiDocument, type ApiOperation, operationsOf } from './open-api.ts'

/** What an OpenAPI document says of requests and answers. */
type Documented = {
  /** Returns the operation of a request, with the parameters in its path. Undefined: it is not in the document. */
  operationOf(method: string, path: string): (ApiOperation & { parts: Record<string, string> }) | undefined
  /** Returns what a request has that the document does not say. Undefined: nothing. */
  faultOfRequest(method: string, url: URL, sent: Pick<DocumentedAnswer, 'type' | 'body'>): string | undefined
  /**
   * Returns what an answer has that the document does not say. Undefined: nothing, or the path is not in the document.
   */
  faultOf(method: string, path: string, answer: DocumentedAnswer): string | undefined
}

type DocumentedAnswer = { status: number; type: string | undefined; body: unknown }

const DOCUMENT = join(import.meta.dirname, '..', '..', 'api', 'openapi.json')

let product: Documented | undefined

/**
 * Returns what the document of the product says. It is that of the repository, which `test/api/document` compares with
 * the one that a coordinator answers: to make one and to compile its schemas takes longer than most test files.
 */
export function productDocument(): Documented {
  product ??= documented(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
  return product
}

/** The coordinators of this worker by their origins. */
const coordinators = new Map<string, () => Documented>()

/** From now on, the answers that `callApi` gets from a coordinator are held against an OpenAPI document. */
export const holdAgainstDocument = (url: string, document = productDocument): void =>
  void coordinators.set(new URL(url).origin, document)

/** @throws Error when a coordinator answers what its OpenAPI document does not say. */
export function checkDocumented(method: string, url: string, answer: DocumentedAnswer): void {
  const { origin, pathname } = new URL(url)
  const fault = coordinators.get(origin)?.().faultOf(method, pathname, answer)
  if (fault === undefined) return
  const shown = JSON.stringify(answer.body)?.slice(0, 500)
  throw new Error(
    `${method} ${pathname} answers ${answer.status}, but the OpenAPI document says otherwise: ${fault}\n${shown}`,
  )
}

const JSON_TYPE = 'application/json'
const mediaOf = (type: string | undefined) => type?.split(';')[0]

/** Reads an OpenAPI document. */
export function documented(json: unknown): Documented {
  const document = ApiDocument.parse(json)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, meta: false, validateSchema: false }).addSchema(
    document,
    'api',
  )
  const operations = operationsOf(document).map((operation) => ({
    ...operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  const compiled = new Map<string, ValidateFunction>()
  const schemaAt = (...members: string[]): ValidateFunction => {
    const pointer = members
      .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const schema = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` })
    compiled.set(pointer, schema)
    return schema
  }
  const mismatch = (value: unknown, { path, method }: ApiOperation, ...members: string[]) => {
    const fits = schemaAt('paths', path, method.toLowerCase(), ...members, 'content', JSON_TYPE, 'schema')
    return fits(value) ? undefined : ajv.errorsText(fits.errors)
  }
  const find = (method: string, path: string) => {
    const fitting = operations.filter((each) => each.pattern.test(path))
    // A path without parameters comes before one that its text fits too, with every method.
    const exact = fitting.filter((each) => each.path === path)
    return (exact.length > 0 ? exact : fitting).find((each) => each.method === method)
  }
  return {
    operationOf(method, path) {
      const operation = find(method, path)
      if (!operation) return undefined
      const { groups = {} } = operation.pattern.exec(path) ?? {}
      return { ...operation, parts: groups }
    },
    faultOfRequest(method, { pathname, searchParams }, { type, body }) {
      const operation = find(method, pathname)
      if (!operation) return 'it has no such operation'
      const known = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
      const unknown = [...searchParams.keys()].find((name) => !known.includes(name))
      if (unknown !== undefined) return `it has no parameter ${unknown}`
      const { required = false, content = {} } = operation.requestBody ?? {}
      const media = mediaOf(type)
      if (body === undefined) return required ? 'it needs a body' : undefined
      if (media === undefined || !(media in content)) return `it has no body of ${media}`
      return media === JSON_TYPE ? mismatch(body, operation, 'requestBody') : undefined
    },
    faultOf(method, path, { status, type, body }) {
      const operation = find(method, path)
      if (!operation) return undefined
      const response = operation.responses[status]
      if (!response) return `it has no status ${status}`
      const media = mediaOf(type)
      const { content = {} } = response
      if (media === undefined) return Object.keys(content).length > 0 ? 'it has a body' : undefined
      if (!(media in content)) return `it has no content ${media}`
      return media === JSON_TYPE ? mismatch(body, operation, 'responses', `${status}`) : undefined
    },
  }
}
