import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The oldest Kubernetes that the tests hold the chart against. Its source carries an OpenAPI document for each group of the API. */
const KUBERNETES = 'k8s.io/kubernetes@v1.30.0'

const kindOf = z.object({ group: z.string(), version: z.string(), kind: z.string() })
const schema = z.looseObject({ 'x-kubernetes-group-version-kind': z.array(kindOf).optional() })
const openapi = z.object({ components: z.object({ schemas: z.record(z.string(), schema) }) })

/**
 * Writes a JSON schema for each kind of Kubernetes into `dir`, named as kubeconform looks for it (`deployment-apps-v1.json`).
 * Unknown members are refused. Needs `go`, which fetches the source.
 */
export function writeKubernetesSchemas(dir: string): void {
  const downloaded = execFileSync('go', ['mod', 'download', '-json', KUBERNETES], { encoding: 'utf8' })
  const { Dir: module } = z.object({ Dir: z.string() }).parse(JSON.parse(downloaded))
  for (const file of globSync(join(module, 'api/openapi-spec/v3/*__v1_openapi.json'))) {
    const { components } = openapi.parse(JSON.parse(readFileSync(file, 'utf8'), strict))
    for (const [name, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries(components.schemas))
      for (const { group, version, kind } of kinds) {
        const named = [kind, group.split('.')[0], version].filter(Boolean).join('-').toLowerCase()
        writeFileSync(join(dir, `${named}.json`), JSON.stringify({ components, $ref: `#/components/schemas/${name}` }))
      }
  }
}

/** A reviver: an object with members refuses others. */
function strict(_key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
  return isObject && value.type === 'object' ? { ...value, additionalProperties: false } : value
}
