import { readdirSync, readFileSync } from 'node:fs'
import { NOTHING, type Reply } from '../exchange.ts'

const STYLE =
  '.fontBodyMedium{font-size:14px}.fontHeadlineSmall{font-size:16px;font-weight:500}.google-symbols{font-family:serif}'
const CACHED = { 'cache-control': 'public, max-age=86400' }

const SCRIPTS = new URL('../pages/scripts/', import.meta.url)

const readScripts = (): Map<string, string> =>
  new Map(readdirSync(SCRIPTS).map((name) => [`/maps/_/js/${name}`, readFileSync(new URL(name, SCRIPTS), 'utf8')]))

const text = (body: string, type: string): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': `${type}; charset=UTF-8`, ...CACHED },
})

/** Answers the page's scripts and style sheet. The scripts are read from disk once. */
export function createAssets(): (path: string) => Reply {
  const scripts = readScripts()
  return (path) => {
    const script = scripts.get(path)
    if (script !== undefined) return text(script, 'text/javascript')
    return path.startsWith('/maps/_/ss/') ? text(STYLE, 'text/css') : NOTHING
  }
}
