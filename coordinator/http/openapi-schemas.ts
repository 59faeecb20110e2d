type Schemas = Record<string, unknown>

const REFERENCE = '#/components/schemas/'
const INPUT = 'Input'

/**
 * Cleans up the schemas of a document. The generator emits each schema twice, as `…Input` for requests and plain for
 * responses. Unused ones are removed, and a schema used only in requests gets its plain name.
 */
export function tidySchemas<Document extends object>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Schemas } }
  const schemas = components?.schemas ?? {}
  dropUnused(document, schemas)
  const onlySent = Object.keys(schemas).filter((name) => name.endsWith(INPUT) && !(plain(name) in schemas))
  for (const name of onlySent) {
    schemas[plain(name)] = schemas[name]
    delete schemas[name]
  }
  rename(document, new Map(onlySent.map((name) => [`${REFERENCE}${name}`, `${REFERENCE}${plain(name)}`])))
  return document
}

const plain = (name: string) => name.slice(0, -INPUT.length)

function dropUnused(document: object, schemas: Schemas): void {
  for (;;) {
    const text = JSON.stringify(document)
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"${REFERENCE}${name}"`))
    if (unused.length === 0) return
    for (const name of unused) delete schemas[name]
  }
}

function rename(value: unknown, names: ReadonlyMap<unknown, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const name = key === '$ref' ? names.get(member) : undefined
    if (name === undefined) rename(member, names)
    else Reflect.set(value, key, name)
  }
}
