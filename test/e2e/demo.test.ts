import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const DEMO = join(import.meta.dirname, '..', '..', 'deploy', 'demo', 'main.ts')

const Printed = z.object({
  job: z.object({ status: z.string(), result_count: z.number(), total_cost: z.string() }),
  csv: z.string(),
  timings_ms: z.object({ startMs: z.number(), firstPlaceMs: z.number(), wholeMs: z.number() }),
})

test.each([[[]], [['--fast']]])(
  'the demo %j ends with a table of places and a CSV that holds them all',
  async (flags) => {
    const cwd = mkdtempSync(join(tmpdir(), 'placefleet-demo-test-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))

    const { stdout } = await promisify(execFile)(process.execPath, [DEMO, '--json', '--places', '15', ...flags], {
      cwd,
    })

    const { job, csv } = Printed.parse(JSON.parse(stdout))
    expect(job).toMatchObject({ status: 'completed', result_count: 15, total_cost: '0.082000' })
    expect(parse(readFileSync(csv, 'utf8'), { columns: true })).toHaveLength(15)
  },
  120_000,
)

test('the demo refuses an option it does not know, and says how it is used', async () => {
  await expect(promisify(execFile)(process.execPath, [DEMO, '--wrong'])).rejects.toThrow('--wrong')
})
