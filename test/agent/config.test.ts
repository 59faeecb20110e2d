import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAgentConfig, readCollectingConfig } from '@placefleet/agent/config'
import { ConfigError } from '@placefleet/shared/config'
import { expect, test } from 'vitest'
import { temporaryDir } from '../harness/temporary-dir.ts'

const NEEDED = { AGENT_TOKEN: 'a long token for all tests' }

test('agent and doctor report at the start that CHROMIUM_PATH is not a program', () => {
  const dir = temporaryDir()
  const text = join(dir, 'text')
  writeFileSync(text, 'no program', { mode: 0o600 })

  for (const CHROMIUM_PATH of ['/nowhere/chromium', dir, text]) {
    for (const read of [
      () => readAgentConfig({ ...NEEDED, CHROMIUM_PATH }),
      () => readCollectingConfig({ CHROMIUM_PATH }),
    ]) {
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(/CHROMIUM_PATH: .*program/)
    }
  }
  expect(readAgentConfig({ ...NEEDED, CHROMIUM_PATH: process.execPath }).CHROMIUM_PATH).toBe(process.execPath)
  expect(readAgentConfig({ ...NEEDED, CHROMIUM_PATH: '' }).CHROMIUM_PATH).toBeUndefined()
})
