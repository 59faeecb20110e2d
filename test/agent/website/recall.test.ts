import { emailsOf } from '@placefleet/agent/website/emails'
import { readPage } from '@placefleet/agent/website/page'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { generatedPages } from './generated-pages.ts'

const SEED = 53

test('of 200 made pages of ten content systems at least 97 % of the addresses are found, and at most 0.5 % are wrong', () => {
  const pages = generatedPages(SEED, volume(20, 500))
  const missed: string[] = []
  const wrong: string[] = []
  for (const { system, domain, html, emails } of pages) {
    const found = emailsOf(readPage(html), [domain])
    missed.push(...emails.filter((email) => !found.includes(email)).map((email) => `${system}: ${email}`))
    wrong.push(...found.filter((email) => !emails.includes(email)).map((email) => `${system}: ${email}`))
  }
  const all = pages.flatMap(({ emails }) => emails).length
  expect(pages.length).toBeGreaterThanOrEqual(200)
  expect(1 - missed.length / all, missed.join('\n')).toBeGreaterThanOrEqual(0.97)
  expect(wrong.length / all, wrong.join('\n')).toBeLessThanOrEqual(0.005)
})
