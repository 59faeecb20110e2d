import { attachmentNamed } from '@placefleet/coordinator/results/file-name'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { volume } from '../../harness/volume.ts'

test.each([
  ['Hotels in Athens', `attachment; filename="Hotels in Athens.csv"; filename*=UTF-8''Hotels%20in%20Athens.csv`],
  ['Cafés & Bars', `attachment; filename="Cafes _ Bars.csv"; filename*=UTF-8''Caf%C3%A9s%20%26%20Bars.csv`],
  ['カフェ', `attachment; filename="places.csv"; filename*=UTF-8''%E3%82%AB%E3%83%95%E3%82%A7.csv`],
  ['../../etc/passwd', `attachment; filename="etc passwd.csv"; filename*=UTF-8''etc%20passwd.csv`],
  ['a"\r\nSet-Cookie: x', `attachment; filename="a Set-Cookie x.csv"; filename*=UTF-8''a%20Set-Cookie%20x.csv`],
  ['\u202egpj.exe', `attachment; filename="gpj.exe.csv"; filename*=UTF-8''gpj.exe.csv`],
  ["it's (new)*", `attachment; filename="it_s _new_.csv"; filename*=UTF-8''it%27s%20%28new%29.csv`],
  ['a'.repeat(80), `attachment; filename="${'a'.repeat(80)}.csv"; filename*=UTF-8''${'a'.repeat(80)}.csv`],
  ['a'.repeat(81), `attachment; filename="${'a'.repeat(80)}.csv"; filename*=UTF-8''${'a'.repeat(80)}.csv`],
  ['...', `attachment; filename="places.csv"; filename*=UTF-8''places.csv`],
])('a job called %j is downloaded as %s', (name, header) => {
  expect(attachmentNamed(name, 'csv')).toBe(header)
})

test('for any name of a job, the header is safe and the name fits a file system', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), (name) => {
      const header = attachmentNamed(name, 'csv')
      expect(header).toMatch(/^attachment; filename="[\w .-]+\.csv"; filename\*=UTF-8''[A-Za-z0-9%!#$&+.^_`|~-]+\.csv$/)
      const file = decodeURIComponent(header.split("UTF-8''")[1] ?? '')
      expect(file).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}]|^\./u)
      expect([...file].length).toBeLessThanOrEqual(84)
    }),
    { numRuns: volume(50, 2_000) },
  )
})
