import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { measureContender } from './measure.ts'

const CONTENDER = join(import.meta.dirname, 'contender.ts')

/** Returns a contender that runs this script. The script may use `spawnSync` and `spend(seconds of CPU)`. */
function contenderOf(work: string): string {
  const directory = temporaryDir()
  const script = join(directory, 'contender.mjs')
  const spend = 'const spend = (s) => { while (process.cpuUsage().user + process.cpuUsage().system < s * 1e6); }'
  writeFileSync(
    script,
    `import { spawnSync } from 'node:child_process'
    import { contend } from '${CONTENDER}'
    ${spend}
    const child = (s) => spawnSync(process.execPath, ['-e', ${JSON.stringify(spend)} + '; spend(' + s + ')'])
    await contend({ parse: (spec) => spec }, async (spec) => ({ work: async () => { ${work} } }))`,
  )
  return script
}

test('the work of an ended child process is counted, and its answer returned', async () => {
  const { answer, usage } = await measureContender(contenderOf('child(0.2); return spec.question'), { question: 42 })
  expect(answer).toBe(42)
  expect(usage.cpuSeconds).toBeGreaterThanOrEqual(0.18)
  expect(usage.peakMegabytes).toBeGreaterThan(20)
})

test('released memory still counts', async () => {
  const { usage } = await measureContender(contenderOf('Buffer.alloc(200 << 20, 1); return 0'), {})
  expect(usage.peakMegabytes).toBeGreaterThan(200)
})

test('a contender that ends without an answer is reported', async () => {
  await expect(measureContender(contenderOf('process.exit(3)'), {})).rejects.toThrow('ended with 3')
})
