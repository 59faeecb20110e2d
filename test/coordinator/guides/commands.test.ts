import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from '../../harness/source-files.ts'
import { placefleet } from '../clients/terminal.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Ends the command in a line of a page: a comment, another command, the end of its code, or what a reader fills in. */
const COMMAND = /(?:npm run|npx|node bin\/run\.mjs) (ops|placefleet) (?:-- )?([a-z][^#|`<>;&\n…]+)/g

/** The commands of both command lines that pages name, each once, with its page. */
const commands = new Map(
  sourceFiles(ROOT, ['**/*.md']).flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(COMMAND)].map(([, program = '', args = '']) => [
      `${program} ${args.trim()}`,
      { page, program, args: args.trim().split(/\s+/) },
    ]),
  ),
)

test.each([...commands.values()])('$program $args of $page is there with its options', async ({ program, args }) => {
  const asked = [...args.filter((arg) => !arg.startsWith('-')), '--help']
  const { code, out } = program === 'ops' ? await runOpsHere(asked) : await placefleet(asked, {})
  expect(code).toBe(0)
  const [, named = ''] = /^Usage: ([a-z -]+)/.exec(out) ?? []
  const words = named.trim().split(' ').slice(1)
  expect(args.slice(0, words.length)).toEqual(words)
  // The help of a group lists its commands: a page that names one more word means a command that is not there.
  if (out.includes('\nCommands:')) expect(args.filter((arg) => !arg.startsWith('-'))).toEqual(words)
  expect(args.filter((arg) => arg.startsWith('--') && !out.includes(arg))).toEqual([])
})
