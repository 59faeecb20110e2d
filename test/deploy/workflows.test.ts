import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { expect, test } from 'vitest'
import { z } from 'zod'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the values of `name: [a, b]` in the workflow of a release. */
const released = (name: string): string[] =>
  [...read('.github/workflows/release.yml').matchAll(new RegExp(`^ +${name}: \\[(.*)\\]$`, 'gm'))]
    .flatMap(([, values = '']) => values.split(', '))
    .sort()

test('the workflows run every script of tests', () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
  const tests = Object.keys(scripts).filter((name) => name.startsWith('test:') && name !== 'test:durations')
  const workflows = ['ci.yml', 'nightly.yml'].map((name) => read(`.github/workflows/${name}`)).join('')
  expect(tests.filter((name) => !workflows.includes(`npm run ${name}`))).toEqual([])
})

/** Returns the stages of the Dockerfile that start a program: the images. */
const images = (): string[] =>
  read('deploy/images/Dockerfile')
    .split(/^(?=FROM )/m)
    .flatMap((stage) => (/^CMD \[/m.test(stage) ? (/^FROM \S+ AS (\S+)/.exec(stage)?.[1] ?? []) : []))
    .sort()

test('a release publishes every package that is built, and every image', () => {
  const built = [...read('deploy/packages/build.ts').matchAll(/\bbuild(Cli|Client|N8n)\b(?=[,\]])/g)]
  expect(released('package')).toHaveLength(built.length)
  expect(images()).toEqual(['agent', 'agent-http', 'coordinator', 'placefleet'])
  expect(released('target')).toEqual(images())
})

const DOCUMENTS = globSync('**/*.{md,yml,yaml,ts,tsx}', {
  cwd: ROOT,
  exclude: (path) => /node_modules|^test\b|^coordinator\/console\/dist/.test(path),
})

test('every image that a document, a template or a command names is one that a release pushes, by the same name', () => {
  const isImage = /(?<![\w./@-])placefleet\/([a-z-]+)(?=[:\s"'`}]|$)/gm
  const named = DOCUMENTS.flatMap((path) => [...read(path).matchAll(isImage)].map(([, name = '']) => name))
  expect(new Set(named)).toEqual(new Set(images()))
  expect(read('.github/workflows/release.yml')).toMatch(/IMAGE: \$\{\{ vars\.IMAGES \}\}\/\$\{\{ matrix\.target \}\}/)
})

test('the image with the embedded servers names their licences and holds the text of the one that Debian lacks', () => {
  const stage = read('deploy/images/Dockerfile').split(/^FROM browser AS placefleet$/m)[1] ?? ''
  expect(stage).toContain('org.opencontainers.image.licenses="MIT AND SSPL-1.0 AND Apache-2.0"')
  expect(stage).toContain('COPY deploy deploy') // with deploy/images/licences
  expect(read('deploy/images/licences/SSPL-1.0.txt')).toContain('Server Side Public License')
})
