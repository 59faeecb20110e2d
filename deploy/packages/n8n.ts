import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { z } from 'zod'
import { describePackage, ROOT } from './pack.ts'

const SOURCES = join(ROOT, 'coordinator/clients/n8n')

const Manifest = z.looseObject({ n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }) })

/** Builds `n8n-nodes-placefleet`: one module for each node and for the credentials, as n8n requires them. Returns its folder. */
export async function buildN8n(packages: string): Promise<string> {
  const target = join(packages, 'n8n-nodes-placefleet')
  const manifest = JSON.parse(await readFile(join(SOURCES, 'package.json'), 'utf8'))
  const { nodes, credentials } = Manifest.parse(manifest).n8n
  for (const module of [...nodes, ...credentials]) {
    const source = module.replace(/^dist\//, '').replace(/\.js$/, '.ts')
    const bundle = await rolldown({ input: join(SOURCES, source), platform: 'node', external: ['n8n-workflow'] })
    await bundle.write({ file: join(target, module), format: 'cjs', codeSplitting: false })
    await bundle.close()
  }
  for (const node of nodes) {
    const description = node.replace(/\.js$/, '.json')
    await cp(join(SOURCES, description.replace(/^dist\//, '')), join(target, description))
  }
  await cp(join(SOURCES, 'icons'), join(target, 'dist/icons'), { recursive: true })
  await describePackage(target, SOURCES, manifest)
  return target
}
