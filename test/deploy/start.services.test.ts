import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

test('--env-file reads settings, variables that are already set win, and unknown names are refused', async () => {
  const file = join(temporaryDir(), 'agent.env')
  writeFileSync(file, 'LOG_LEVEL=wrong\nMONGODB_URL=wrong\nGREETING=hello\n')
  const env = { MONGODB_URL: 'mongodb://127.0.0.1:1/', PORTT: '1' }
  const { code, err } = await runProgram('deploy/services.ts', ['--env-file', file], env)
  expect(code).toBe(1)
  expect(err).toMatch(
    /3 wrong setting\(s\):\n {2}GREETING: is in .*agent\.env, .*\n {2}PORTT: .*mean PORT\?.*\n {2}LOG_LEVEL: /,
  )
})
