import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { volume } from '../harness/volume.ts'

const Printed = z.object({
  job: z.object({ status: z.string(), result_count: z.number(), total_cost: z.string() }),
  csv: z.string(),
  timings_ms: z.object({ startMs: z.number(), firstPlaceMs: z.number(), wholeMs: z.number() }),
})

const FLAGS = [['--fast'], []].slice(0, volume(1, 2))

test.each(FLAGS.map((flags) => [flags]))(
  'the demo %j ends with a table of places and a CSV that holds them all',
  async (flags) => {
    const cwd = temporaryDir()

    const { code, out } = await runProgram('deploy/demo/main.ts', ['--json', '--places', '15', ...flags], {}, cwd)

    expect(code).toBe(0)
    const { job, csv } = Printed.parse(JSON.parse(out))
    expect(job).toMatchObject({ status: 'completed', result_count: 15, total_cost: '0.082000' })
    expect(parse(readFileSync(csv, 'utf8'), { columns: true })).toHaveLength(15)
  },
  120_000,
)
