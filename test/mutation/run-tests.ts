import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Results = z.object({
  numTotalTests: z.int(),
  testResults: z.array(
    z.object({
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ status: z.string(), title: z.string() })),
    }),
  ),
})

/** How a run of test files ended. `failed` names the first test that failed, or says why the files could not run. */
export type Outcome = { failed: string | undefined; seconds: number }

/** A run that takes longer is ended: the mutation made the product wait for ever. */
const TIME_LIMIT_MS = 240_000

/** Runs test files of a copy until the first failure. */
export async function runTests(dir: string, files: readonly string[]): Promise<Outcome> {
  const begun = performance.now()
  const output = join(dir, 'results.json')
  rmSync(output, { force: true })
  const vitest = join(dir, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=json', `--outputFile=${output}`, '--bail=1', '--maxWorkers=1']
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...files], {
    cwd: dir,
    stdio: 'ignore',
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), TIME_LIMIT_MS)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  const seconds = (performance.now() - begun) / 1_000
  return { failed: code === 0 ? undefined : firstFailure(output), seconds }
}

function firstFailure(output: string): string {
  try {
    const { testResults } = Results.parse(JSON.parse(readFileSync(output, 'utf8')))
    const test = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === 'failed')
    const file = testResults.find(({ status }) => status === 'failed')
    return test?.title ?? `a test file cannot run: ${file?.message?.split('\n')[0] ?? 'unknown'}`
  } catch {
    return 'the tests took too long, or ended without results'
  }
}
