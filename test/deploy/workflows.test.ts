import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the values of `name: [a, b]` in the workflows. */
const listed = (name: string, workflows: string[]): string[] =>
  workflows
    .flatMap((workflow) => [
      ...read(`.github/workflows/${workflow}`).matchAll(new RegExp(`^ +${name}: \\[(.*)\\]$`, 'gm')),
    ])
    .flatMap(([, values = '']) => values.split(', '))
    .sort()

test('the workflows run every part of the nightly run', () => {
  const parts = read('.ci/nightly')
    .match(/^PARTS=\((.*)\)$/m)?.[1]
    ?.split(' ')
    .sort()
  expect(listed('part', ['ci.yml', 'nightly.yml'])).toEqual(parts)
})

test('a release publishes every package that is built, and the image of each program', () => {
  const built = [...read('deploy/packages/build.ts').matchAll(/\bbuild(Cli|Client|N8n)\b(?=[,\]])/g)]
  expect(listed('package', ['release.yml'])).toHaveLength(built.length)
  const targets = [...read('deploy/images/Dockerfile').matchAll(/^FROM \S+ AS (coordinator|agent\S*)$/gm)]
  const programs = targets.map(([, name = '']) => name).filter((name) => !name.endsWith('-modules'))
  expect(listed('target', ['release.yml'])).toEqual(programs.sort())
})
