import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ALL_GUIDES, GUIDES } from '@placefleet/coordinator/guides/guides'
import { STATUS } from '@placefleet/coordinator/http/errors'
import { Result } from '@placefleet/coordinator/results/schema'
import { errorsPage } from '@placefleet/deploy/reference/errors-page'
import { eventsPage } from '@placefleet/deploy/reference/events-page'
import { fieldsPage } from '@placefleet/deploy/reference/fields-page'
import GithubSlugger from 'github-slugger'
import { expect, test } from 'vitest'
import { sourceFiles } from '../../harness/source-files.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'coordinator/guides')
const pages = sourceFiles(ROOT, ['**/*.md'])

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const withoutCode = (text: string) =>
  text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''))

function anchorsOf(file: string): string[] {
  const slugger = new GithubSlugger()
  const headings = textOf(file)
    .replaceAll(/```[\s\S]*?```/g, '')
    .matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading = '']) => slugger.slug(heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')))
}

test.each(pages)('every link of %o leads to a file, and to a heading in it', (page) => {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  )
  const broken = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path))
    if (!existsSync(join(ROOT, file))) return true
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
  })
  expect(broken).toEqual([])
})

test('the README lists every guide', () => {
  const readme = textOf('README.md')
  const missing = ALL_GUIDES.filter((name) => !readme.includes(`(coordinator/guides/${name}.md)`))
  expect(missing).toEqual([])
})

test('every call in the guides exists', () => {
  const types = textOf('coordinator/clients/typescript/schema.d.ts')
  const shape = (path: string) => path.replaceAll(/[A-Z]+_ID|\{\w+\}/g, '{}')
  const paths = [...types.matchAll(/^ {4}"\/api\/v1(\/[^"]*)"/gm)].map(([, path = '']) => shape(path))
  const guides = GUIDES.guides.map((name) => readFileSync(join(FOLDER, `${name}.md`), 'utf8')).join('\n')
  const called = [...guides.matchAll(/\$API(\/[^?"\s]+)/g)].map(([, path = '']) => shape(path))
  expect(called.length).toBeGreaterThan(20)
  expect(called.filter((path) => !paths.includes(path))).toEqual([])
})

test.each([
  ['fields', fieldsPage],
  ['errors', errorsPage],
  ['events', eventsPage],
])('the page of %s is the one that `npm run generate` writes', (name, page) => {
  expect(readFileSync(join(FOLDER, `${name}.md`), 'utf8')).toBe(page())
})

test('the page of errors has an address for every identifier, and the page of fields a description of every field', () => {
  expect(anchorsOf('coordinator/guides/errors.md')).toEqual(
    expect.arrayContaining([...Object.keys(STATUS), 'internal']),
  )
  const rows = [
    ...(fieldsPage()
      .split('\n## ')[0]
      ?.matchAll(/^\| `(\w+)` \| .+? \| (?:yes)? ?\| (.*?) \| /gm) ?? []),
  ]
  expect(rows.map(([, field]) => field).toSorted()).toEqual(Object.keys(Result.shape).toSorted())
  expect(rows.filter(([, , what]) => what === '').map(([, field]) => field)).toEqual([])
})
