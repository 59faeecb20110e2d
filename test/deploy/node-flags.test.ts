import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))

/** Returns the commands of the images that run a program, with the variables that all images share. */
function inImages(program: string): string[] {
  const dockerfile = read('deploy/images/Dockerfile')
  const [variables] = /^ENV NODE_ENV=.*$/m.exec(dockerfile) ?? []
  return [...dockerfile.matchAll(/^ENTRYPOINT (.*)\nCMD \["(.*)"\]$/gm)]
    .filter(([, , main]) => main === program)
    .map(([, command]) => `${variables} ${command}`)
}

/** Returns what limits the memory of a program: flags of Node, and the number of malloc arenas. */
function memoryOf(command = '') {
  const [, arenas] = /MALLOC_ARENA_MAX\W+(\d+)/.exec(command) ?? []
  return { flags: command.match(/--(?:max|initial)-[a-z-]+=\d+/g), arenas }
}

test.each([
  ['start', 1, [read('deploy/systemd/placefleet.service')]],
  ['coordinator', 2, [read('deploy/systemd/placefleet-coordinator.service'), ...inImages('coordinator/main.ts')]],
  [
    'agent',
    4,
    [
      read('deploy/systemd/placefleet-agent.service'),
      read('deploy/standalone/agent-process.ts'),
      ...inImages('agent/main.ts'), // with Chromium, and without
    ],
  ],
])('units, images and npm start give %s the memory of its npm script', (program, count, commands) => {
  const memory = memoryOf(scripts[program])
  expect(memory).toEqual({ flags: expect.arrayContaining([expect.any(String)]), arenas: expect.any(String) })
  expect(commands).toHaveLength(count)
  for (const command of commands) expect(memoryOf(command)).toEqual(memory)
})
