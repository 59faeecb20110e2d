import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const Printed = z.object({
  job: z.object({ status: z.string(), result_count: z.number(), total_cost: z.string() }),
  csv: z.string(),
  timings_ms: z.object({ startMs: z.number(), firstPlaceMs: z.number(), wholeMs: z.number() }),
})

test('the demo ends with a table of places and a CSV that holds them all', async () => {
  const { code, out } = await runProgram(
    'deploy/demo/main.ts',
    ['--json', '--places', '15', '--fast'],
    {},
    temporaryDir(),
  )
  expect(code).toBe(0)
  const { job, csv } = Printed.parse(JSON.parse(out))
  expect(job).toMatchObject({ status: 'completed', result_count: 15, total_cost: '0.082000' })
  expect(parse(readFileSync(csv, 'utf8'), { columns: true })).toHaveLength(15)
}, 120_000)

test('a demo without Chromium says so in one sentence, prints no log, and names the next step', async () => {
  const cwd = temporaryDir()
  const program = join(cwd, 'chromium')
  writeFileSync(program, '#!/bin/sh\necho "No usable sandbox!" >&2\nexit 1\n', { mode: 0o755 })
  const env = { CHROMIUM_PATH: program, CHROMIUM_SANDBOX: 'on' }
  const { code, out, err } = await runProgram('deploy/demo/main.ts', ['--places', '3'], env, cwd)
  expect(code).toBe(0)
  expect(err).toContain('Without Chromium the agent uses plain HTTP only.')
  expect(out + err).not.toContain('{"level"')
  expect(out).toContain('(?): the map site hid the number of reviews.')
  expect(out).toContain('Next: `npm start`')
}, 120_000)
