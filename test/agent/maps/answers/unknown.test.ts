import { createUnknownAnswers, withoutSecrets } from '@placefleet/agent/maps/answers/unknown'
import { UnknownAnswer } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'
import { capture } from '../captures.ts'

const answer = (text: string, url = 'https://www.google.com/maps/preview/place?q=secret') => ({
  url,
  status: 200,
  text,
})

test.each([
  ['an IPv4 address', 'IP address: 203.0.113.77 Time', '203.0.113.77'],
  ['an IPv6 address', 'IP address: 2001:db8:85a3::8a2e:370:7334 Time', '2001:db8:85a3::8a2e:370:7334'],
  ['an address of mail', 'sent by ada.l@mail.example to you', 'ada.l@mail.example'],
  ['a token', '["NID=511abcDEF_ghiJKLmnoPQRstuVWX-yz0123456789"]', '511abcDEF_ghiJKLmnoPQRstuVWX-yz0123456789'],
  ['a name beside a profile', '["Ada Lovelace",["https://www.google.com/maps/contrib/1137"]]', 'Ada Lovelace'],
  ['a name in escaped JSON', String.raw`"[\"Ada Lovelace\",\"https://x/contrib/1137\"]"`, 'Ada Lovelace'],
  ['a name between tags', '<a href="/maps/contrib/1137"><b>Ada Lovelace</b></a>', 'Ada Lovelace'],
])('%s is masked, and the shape of the answer stays', (_, text, secret) => {
  const kept = withoutSecrets(answer(text))
  expect(kept.text).not.toContain(secret)
  expect(kept.text).toHaveLength(text.length)
  expect(UnknownAnswer.parse(kept)).toEqual(kept)
})

test('no name of a recorded list of reviews is left', () => {
  const text = capture('reviews-boq-2026.json')
  const names = [...text.matchAll(/\["([^"]+)","https:\/\/lh3/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(withoutSecrets(answer(text)).text).not.toContain(name)
})

test('the parameters of the request, and what was searched for, are left out', () => {
  expect(withoutSecrets(answer('', 'https://www.google.com/maps/search/my+doctor/@1,2,15z?hl=en')).path).toBe(
    '/maps/search/xx+xxxxxx/@0,0,00x',
  )
})

test('20,000 characters at most are kept, well-formed', () => {
  const kept = withoutSecrets(answer(`${'a'.repeat(19_999)}😀`))
  expect(kept.text).toHaveLength(20_000)
  expect(kept.text.isWellFormed()).toBe(true)
})

test('answers that look the same are one, and three are reported for a minute', () => {
  let now = 0
  const unknown = createUnknownAnswers(() => now)
  for (const text of ['<p>Hello 1', '<p>Hello 2', '<p>x', '<p>xy', '<p>xyz', '<p>Hello 3']) unknown.record(answer(text))
  expect(unknown.recent().map(({ text }) => text)).toEqual(['<p>xy', '<p>xyz', '<p>Hello 3'])
  now = 60_000
  expect(unknown.recent()).toEqual([])
})

test.each(['a.', 'a', '1.', 'a@', '@', '@a.', ':', '-', '"', '\\"', '>', '><', '\\'])(
  '20,000 characters of %j cost no more than ten times as many letters',
  (repeated) => {
    const person = 'https://x/contrib/1 '
    expect(costOf(person + repeated.repeat(20_000))).toBeLessThan(LEAST + 10 * costOf(person + 'ab '.repeat(70_000)))
  },
)

/** Milliseconds below which a difference is noise; the quadratic masks took 400 to 800. */
const LEAST = 100

/** Returns the milliseconds of CPU for a text: the least of three. */
function costOf(text: string): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      withoutSecrets(answer(text))
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}
