import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'
import { canHaveSmallDisk, createSmallDisk, MOUNTS } from '../harness/small-disk.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Supervises a shell script whose data is in a directory, and prints the first thing that goes wrong. */
const SUPERVISE = `
import { existsSync } from 'node:fs'
import { supervise } from '${ROOT}/deploy/embedded/supervise.ts'
const [dataDir, script] = process.argv.slice(1)
const ready = dataDir + '/ready'
const report = (text) => { console.log(text); process.exit() }
await supervise({
  name: 'The server',
  command: '/bin/sh',
  args: ['-c', script, 'sh', ready],
  env: process.env,
  dataDir,
  runDir: dataDir,
  logFile: dataDir + '/server.log',
  isReady: async () => existsSync(ready),
}, { warn: report }).catch((error) => report(error.message))`

/** Runs a command on a disk of 8 MB and returns what it prints. */
function onSmallDisk(command: (dataDir: string) => string[]): string {
  const dataDir = temporaryDir()
  const [program = '', ...args] = command(dataDir)
  const run = createSmallDisk(dataDir).wrap(program, args)
  return execFileSync(run.command, run.args, { encoding: 'utf8' })
}

unlessLacking(MOUNTS, canHaveSmallDisk()).describe('a server on a full disk', () => {
  test.each([
    ['does not start', 'exit 3', /^The server did not start \(code 3\)/],
    ['ends later', 'echo > "$1"; exit 3', /^The server ended \(code 3\); restarting it/],
  ])('the log names the full disk of a server that %s, and what to do', (_, script, what) => {
    const logged = onSmallDisk((dataDir) => [process.execPath, '--input-type=module', '-e', SUPERVISE, dataDir, script])
    expect(logged).toMatch(what)
    expect(logged).toMatch(/ The disk of the data directory \/\S+ is full: \d MB are free\. Free at least 100 MB/)
  })
})

unlessLacking(MOUNTS, canHaveSmallDisk()).describe('an ended server', () => {
  test.each([
    ['names the full disk of the database in DATA_DIR', '', /The disk of the data directory .* is full/],
    ['does not blame it for another database', 'MONGODB_URL="mongodb://other/?none=1"', /without MongoDB\. Start it/],
  ])('the doctor %s', (_, setting, advice) => {
    // The driver refuses the option in these addresses at once, so the doctor waits for no server.
    const script = `
    echo 'mongodb://kept/?none=1' > "$1/mongodb-url"
    DATA_DIR="$1" ${setting} '${process.execPath}' '${ROOT}/coordinator/operator/main.ts' doctor || true`
    expect(onSmallDisk((dataDir) => ['/bin/sh', '-c', script, 'sh', dataDir])).toMatch(advice)
  })
})
