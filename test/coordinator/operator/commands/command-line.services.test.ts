import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { span } from '@placefleet/coordinator/operator/doctor/findings'
import { GrantRequest } from '@placefleet/coordinator/operator/operations/credits'
import { limitOption } from '@placefleet/shared/commands/command'
import { harmless, harmlessJson, shortened } from '@placefleet/shared/commands/table'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../harness/servers/database.ts'
import { temporaryDir } from '../../../harness/temporary-dir.ts'
import { opsOn, runOps, runOpsHere } from './run-ops.ts'

const database = await testDatabase()
const ops = opsOn(database)

function dataDir(files: Record<string, string>): string {
  const dir = temporaryDir()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content, { mode: 0o600 })
  return dir
}

describe('exit codes and streams:', () => {
  test('help goes to stdout, names the exit codes, and is no failure', async () => {
    const { code, out, err } = await runOps(['users', 'create', '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/--email <email>[\s\S]*--json[\s\S]*Exit codes: 0 .* 1 .* 2 /)
  })

  test.each([
    ['no command', []],
    ['a missing option', ['users', 'create']],
    ['an unknown option', ['users', 'list', '--limits', '5']],
    ['a wrong value', ['users', 'create', '--email', 'ada']],
    ['an argument that is no id', ['jobs', 'show', 'x']],
  ])('%s is wrong usage: 2, said on stderr, before anything is connected', async (_, args) => {
    const { code, out, err } = await runOpsHere(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).not.toBe('')
  })

  test('a failed command exits with 1 and one line on stderr, also with --json', async () => {
    const { code, out, err } = await ops.run('keys', 'list', '--user', 'nobody@example.com', '--json')
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'error: User nobody@example.com does not exist.\n' })
  })

  test('a list into a closed pipe ends quietly', async () => {
    const { code, err } = await runOps(['users', 'list'], { MONGODB_URL: ops.mongoUrl }, (stdout) => stdout.destroy())
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test('output into a pipe has no colours', async () => {
    const { out } = await ops.run('users', 'list')
    expect(out).toBe('There are no users.\n')
    await ops.json('users', 'create', '--email', 'ada@example.com')
    const listed = await ops.run('users', 'list')
    expect(listed.out).toMatch(/│ id .*│ email .*│ paid │/)
    expect(listed.out).not.toContain('\u001b')
  })
})

describe('the database', () => {
  test('is the one that runs on the data directory when MONGODB_URL is not set', async () => {
    const DATA_DIR = dataDir({ 'mongodb-url': `${ops.mongoUrl}\n` })
    expect(await runOpsHere(['users', 'list', '--json'], { DATA_DIR })).toMatchObject({ code: 0, err: '' })
  })

  test.each([
    ['an empty data directory', () => dataDir({})],
    ['a data directory that is a file', () => join(dataDir({ file: '' }), 'file')],
  ])('is missed with %s: the error names both variables', async (_, dir) => {
    const { code, err } = await runOpsHere(['users', 'list'], { DATA_DIR: dir() })
    expect(code).toBe(1)
    expect(err).toMatch(/MONGODB_URL.*DATA_DIR/)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('does not answer: that is said with where its address stood, and without its password', async () => {
    const MONGODB_URL = 'mongodb://root:sesame@127.0.0.1:1/?serverSelectionTimeoutMS=1'
    const { code, err } = await runOpsHere(['users', 'list'], { MONGODB_URL })
    expect(code).toBe(1)
    expect(err).toMatch(/MongoDB cannot be used at the address in MONGODB_URL/)
    expect(err).not.toContain('sesame')
  })
})

test.each([
  ['1', 1],
  ['99999', 99_999],
  [undefined, 20],
  ['0', undefined],
  ['100000', undefined],
])('--limit %s means %s', (written, limit) => {
  expect(limitOption(20).safeParse(written).data).toBe(limit)
})

test.each([
  ['25', 25_000_000],
  ['-0.000001', -1],
  ['999999999', 999_999_999_000_000],
  ['0.0000001', undefined],
  ['1000000000', undefined],
])('%j credits are %s micro-credits', (written, amount) => {
  const { data } = GrantRequest.shape.amount.safeParse(written)
  expect(data === undefined ? undefined : microCredits(data)).toBe(amount)
})

test('the text of a stranger cannot steer the terminal', () => {
  expect(harmless('a\u001b]0;x\u0007b\u009b31mc\u202ed\ne')).toBe('a\ufffd]0;x\ufffdb\ufffd31mc\ufffdd\ne')
  expect(shortened('🚀'.repeat(61))).toBe(`${'🚀'.repeat(59)}…`)
  expect(shortened('two\nlines')).toBe('two lines')
  expect(harmlessJson({ a: '\u001b\u009b\u007fä' })).toBe('{\n  "a": "\\u001b\\u009b\\u007fä"\n}')
})

test.each([
  [0, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '119 min'],
  [7_200, '2 h'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(span(seconds)).toBe(text)
})
