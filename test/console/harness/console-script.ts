import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SITE } from '@placefleet/coordinator/console/dist'
import { rolldown } from 'rolldown'

let script: Promise<string> | undefined

/** Returns the built console as one classic script, because a document without a browser runs no modules. */
export function consoleScript(): Promise<string> {
  script ??= bundle()
  return script
}

async function bundle(): Promise<string> {
  const index = await readFile(join(SITE, 'index.html'), 'utf8')
  const file = /<script type="module"[^>]* src="\/console\/(assets\/[^"]+)"/.exec(index)?.[1] ?? ''
  const build = await rolldown({
    input: join(SITE, file),
    logLevel: 'silent',
    transform: { define: { 'import.meta.url': 'location.href' } },
  })
  const { output } = await build.generate({ format: 'iife', codeSplitting: false })
  return output[0].code.replaceAll('</script', String.raw`<\/script`)
}
