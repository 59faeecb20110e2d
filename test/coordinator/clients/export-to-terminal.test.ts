import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'
import { placefleet } from './terminal.ts'

const FILE = 'title,phone\r\n\u001b]0;x\u0007a\u009b31m,"ä\tb"\r\n'
const JOB = '8f9f6ab7-65b0-4b9e-8f5b-0c6f1f1f1f1f'

/** Exports a job whose file arrives in these parts. `typed`: what a person at a terminal types; absent: to a pipe. */
async function exported(parts: Iterable<string | Buffer>, typed?: string): Promise<string> {
  const { url } = await serve((_request, response) => {
    response.setHeader('content-type', 'text/csv')
    for (const part of parts) response.write(part)
    response.end()
  })
  const env = { PLACEFLEET_URL: url, PLACEFLEET_API_KEY: 'key' }
  const { code, out, err } = await placefleet(['export', JOB], env, typed)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

test('a file that is shown in a terminal cannot write to it', async () => {
  expect(
    await exported(
      Array.from(Buffer.from(FILE), (byte) => Buffer.of(byte)),
      '',
    ),
  ).toBe('title,phone\n\ufffd]0;x\ufffda\ufffd31m,"ä\ufffdb"\n')
})

test('a file that goes to a pipe is as it was sent', async () => {
  expect(await exported([FILE])).toBe(FILE)
})
