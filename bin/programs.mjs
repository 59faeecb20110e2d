// @ts-check
// Every program of the repository: where it begins, and the flags of Node and the variables that it starts with.
// Plain JavaScript, because an old Node reads it. npm scripts, images, units and `npm start`'s agent use this table.

/**
 * @typedef {object} Program
 * @property {string} main the file, from the root of the repository
 * @property {readonly string[]} [args] arguments before those of the caller
 * @property {readonly string[]} [flags] flags of Node
 * @property {Readonly<Record<string, string>>} [env] variables; the ones that the caller has set win
 */

export const VITEST = 'node_modules/vitest/vitest.mjs'

/** Two malloc arenas save about 10 MB of a process, at no cost. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' }

/**
 * An agent's parsed data is short-lived. A small heap keeps it at about 150 MB resident instead of 300 and more. A
 * young generation of 4 MB would save no memory more, and parsing would take a third more CPU. An old space that begins
 * with room for the texts of some answers is collected less often: 64 MB instead of 48 save a sixth of the CPU a place
 * for 13 MB of memory, 96 MB save more than a quarter for 41.
 */
const AGENT_HEAP = ['--max-semi-space-size=8', '--initial-old-space-size=64', '--max-old-space-size=256']

/** @satisfies {Record<string, Program>} */
export const PROGRAMS = {
  start: {
    main: 'deploy/standalone/main.ts',
    flags: ['--max-semi-space-size=8', '--max-old-space-size=768'],
    env: FEW_ARENAS,
  },
  services: { main: 'deploy/services.ts' },
  coordinator: {
    main: 'coordinator/main.ts',
    flags: ['--max-semi-space-size=16', '--max-old-space-size=768'],
    env: FEW_ARENAS,
  },
  agent: { main: 'agent/main.ts', flags: AGENT_HEAP, env: FEW_ARENAS },
  demo: { main: 'deploy/demo/main.ts' },
  ops: { main: 'coordinator/operator/main.ts', env: FEW_ARENAS },
  placefleet: { main: 'coordinator/clients/cli/main.ts' },
  'doctor:maps': { main: 'agent/doctor/main.ts' },
  'doctor:chromium': { main: 'agent/doctor/chromium.ts' },
  record: { main: 'agent/record/main.ts' },
  replay: { main: 'agent/record/replay-main.ts' },
  'map-sim': { main: 'deploy/simulation/main.ts' },
  'console:build': { main: 'coordinator/console/build.ts' },
  'build:packages': { main: 'deploy/packages/build.ts' },
  'generate:reference': { main: 'deploy/reference/generate.ts' },
  bench: { main: 'test/bench/main.ts' },
  chaos: { main: 'test/chaos/main.ts' },
  vitest: { main: VITEST },
  test: { main: VITEST, args: ['run'], env: { WITHOUT_E2E: '1' } },
  'test:all': { main: VITEST, args: ['run'] },
  'test:e2e': { main: VITEST, args: ['run', '.e2e.test.ts'] },
  'test:durations': { main: VITEST, args: ['run'], env: { WRITE_DURATIONS: '1' } },
  'test:volume': { main: VITEST, args: ['run'], env: { VOLUME: 'many' } },
  'test:mutation': { main: 'test/mutation/main.ts' },
  'test:install': { main: VITEST, args: ['run', '--config', 'test/install/vitest.config.ts'] },
  'test:python': { main: VITEST, args: ['run', '--config', 'test/python/vitest.config.ts'] },
  'test:packages': { main: VITEST, args: ['run', '--config', 'test/packages/vitest.config.ts'] },
  'test:deploy': { main: VITEST, args: ['run', '--config', 'test/deploy/engine/vitest.config.ts'] },
  'test:upgrade': { main: VITEST, args: ['run', '--config', 'test/upgrade/vitest.config.ts'] },
  'console:pictures': { main: VITEST, args: ['run', '--config', 'test/console/pictures/vitest.config.ts'] },
  'api:types': { main: 'test/api/write-types.ts' },
}
