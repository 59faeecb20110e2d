import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'

const Results = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), title: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
})

/**
 * How a run of test files ended. `failed` names the first test that failed and how. `problem` says why no test could fail
 * or pass: the files could not run, or took too long.
 */
export type Outcome = { failed?: string | undefined; problem?: string | undefined; seconds: number }

/** A longer run is ended: the mutation made the product hang. */
const TIME_LIMIT_MS = 240_000
const TIME_LIMIT_ALL_MS = 3_600_000

/** Runs test files of a copy until the first failure. */
export async function runTests(dir: string, files: readonly string[]): Promise<Outcome> {
  const begun = performance.now()
  const { code, results } = await runVitest(dir, ['--bail=1', ...files], TIME_LIMIT_MS)
  return { ...(code === 0 ? {} : firstFailure(results)), seconds: (performance.now() - begun) / 1_000 }
}

/**
 * Runs test files of a copy and gives those that fail, as paths from the root.
 * @throws Error when they do not run
 */
export async function failingFiles(dir: string, files: readonly string[]): Promise<string[]> {
  const { results } = await runVitest(dir, files, TIME_LIMIT_ALL_MS)
  if (results === undefined) throw new Error('the tests ended without results')
  return results.testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(dir, name))
}

async function runVitest(dir: string, args: readonly string[], limitMs: number) {
  const output = join(dir, 'results.json')
  rmSync(output, { force: true })
  const vitest = join(dir, 'node_modules', 'vitest', 'vitest.mjs')
  const reporter = ['--reporter=json', `--outputFile=${output}`, '--maxWorkers=1']
  const child = spawn(process.execPath, [vitest, 'run', ...reporter, ...args], {
    cwd: dir,
    stdio: 'ignore',
    detached: true, // so that its workers and servers can be ended with it
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), limitMs)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  return { code, results: readResults(output) }
}

function readResults(output: string): z.infer<typeof Results> | undefined {
  try {
    return Results.parse(JSON.parse(readFileSync(output, 'utf8')))
  } catch {
    return undefined // it was ended before it could write them
  }
}

function firstFailure(results: z.infer<typeof Results> | undefined): Pick<Outcome, 'failed' | 'problem'> {
  if (results === undefined) return { problem: 'the tests took too long, or ended without results' }
  const failed = results.testResults.filter(({ status }) => status === 'failed')
  const test = failed.flatMap((file) => file.assertionResults).find(({ status }) => status === 'failed')
  if (test === undefined) return { problem: `a test file cannot run: ${firstLine(failed[0]?.message)}` }
  return { failed: `${test.title} (${firstLine(test.failureMessages[0])})` }
}

const firstLine = (text: string | undefined): string => text?.split('\n')[0]?.slice(0, 120) ?? 'unknown'
