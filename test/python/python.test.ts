import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manyReviews, storePlaces } from '../bench/api/places.ts'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { installPackages, program, run } from './packages.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const README = join(ROOT, 'coordinator', 'clients', 'python', 'README.md')
const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)
const folder = temporaryDir(afterAll)

beforeAll(installPackages)

/** Returns the examples of the page in a language, in their order. */
const examples = (language = 'python'): string[] =>
  [...readFileSync(README, 'utf8').matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, code = '']) => code,
  )

async function runExample(index: number, url: string): Promise<string> {
  const file = join(folder, `example_${index}.py`)
  writeFileSync(file, examples()[index] ?? '')
  const env = { PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY, WEBHOOK_SECRET: 'whsec_c2VjcmV0' }
  return (await run(program('python'), [file], { cwd: folder, env })).stdout
}

test('the examples of the page run unchanged, and a client generated from the document runs a job', async () => {
  const world = await startWorld()
  const { url, grpc } = await addCoordinator(world)
  await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
  const document = join(folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text())
  await run(program('openapi-spec-validator'), [document])
  const config = join(folder, 'generator.yaml')
  writeFileSync(config, examples('yaml')[0] ?? '')
  const generate = ['generate', '--path', document, '--config', config, '--meta', 'none']
  const target = ['--output-path', join(folder, 'placefleet_api')]
  const { stdout, stderr } = await run(program('openapi-python-client'), [...generate, ...target])

  expect(stdout + stderr).not.toContain('WARNING')
  const [plain, typed, webhooks] = [await runExample(0, url), await runExample(1, url), await runExample(2, url)]

  expect(plain.trim().split('\n')).toEqual([...titles.map((title) => `${title} none`), 'completed 0.022000'])
  expect(readFileSync(join(folder, 'places.csv'), 'utf8').trim().split('\r\n')).toHaveLength(6)
  expect(typed.trim().split('\n')).toEqual([...titles, 'completed 0.022000 5', 'not_found'])
  expect(webhooks).toBe('')
  expect(examples()).toHaveLength(3)
})

test('500 places with 300 reviews each are whole in the Parquet that DuckDB reads and in the workbook that openpyxl reads', async () => {
  const world = await startWorld()
  const { url, client } = await addCoordinator(world)
  const job_id = await client.create({ keywords: ['cafe'] })
  await client.call('POST', `/api/v1/jobs/${job_id}/cancel`)
  await client.ended(job_id)
  const job = await jobsOf(world.db).findOne({ _id: job_id })
  await storePlaces(world.db, { user_id: job?.user_id ?? '', job_id }, 500, manyReviews(300))
  for (const format of ['parquet', 'xlsx']) {
    const headers = { authorization: `Bearer ${API_KEY}` }
    const file = await fetch(`${url}/api/v1/jobs/${job_id}/download?format=${format}`, { headers })
    writeFileSync(join(folder, `places.${format}`), Buffer.from(await file.arrayBuffer()))
  }

  const { stdout } = await run(program('python'), [join(import.meta.dirname, 'read_exports.py'), folder])

  const { parquet, workbook } = JSON.parse(stdout)
  expect(parquet).toEqual({ places: 500, reviews: 150_000, created_at: expect.stringContaining('TIMESTAMP') })
  expect(workbook).toMatchObject({ Places: 501, Reviews: 150_001 }) // with the heads
})
