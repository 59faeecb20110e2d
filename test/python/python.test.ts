import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manyReviews, storePlaces } from '../bench/api/places.ts'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { installPackages, program, run } from './packages.ts'

const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)
const folder = temporaryDir(afterAll)

beforeAll(installPackages)

test('a client generated from the document, which is valid, runs a job', async () => {
  const world = await startWorld()
  const { url, grpc } = await addCoordinator(world)
  await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
  const document = join(folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text())
  await run(program('openapi-spec-validator'), [document])
  const config = join(import.meta.dirname, 'generator.yaml')
  const generate = ['generate', '--path', document, '--config', config, '--meta', 'none']
  const target = ['--output-path', join(folder, 'placefleet_api')]
  const { stdout, stderr } = await run(program('openapi-python-client'), [...generate, ...target])
  expect(stdout + stderr).not.toContain('WARNING')

  const env = { PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY, PYTHONPATH: folder }
  const typed = await run(program('python'), [join(import.meta.dirname, 'generated_client.py')], { cwd: folder, env })

  expect(typed.stdout.trim().split('\n')).toEqual([...titles, 'completed 0.022000 5', 'not_found'])
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
