import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test.each([['deploy/images/README.md'], ['deploy/proxy/README.md'], ['deploy/compose/compose.yaml'], ['README.md']])(
  'a line of $0 publishes plain HTTP to this machine only',
  (file) => {
    const published = [...read(file).matchAll(/\S*\b8080:8080\b/g)].map(([text]) =>
      text.replace(/^.*?(?=[\d.]*:?8080:)/, ''),
    )
    expect(published.filter((text) => !text.startsWith('127.0.0.1:'))).toEqual([])
  },
)

test('NATS of Compose has no port without a login', () => {
  expect(read('deploy/compose/make-secrets.ts')).not.toContain('http_port')
})

test('a process under the filter of Chromium cannot reach into another one', () => {
  const Filter = z.object({ syscalls: z.array(z.object({ names: z.array(z.string()), action: z.string() })) })
  const { syscalls } = Filter.parse(JSON.parse(read('deploy/images/seccomp-chromium.json')))
  const refused = syscalls.filter(({ action }) => action !== 'SCMP_ACT_ALLOW').flatMap(({ names }) => names)
  expect(refused).toEqual(
    expect.arrayContaining(['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd', 'kcmp']),
  )
})
