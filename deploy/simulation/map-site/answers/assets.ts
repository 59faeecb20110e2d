import { readFileSync } from 'node:fs'
import { NOTHING, type Reply } from '../exchange.ts'

const STYLE =
  '.fontBodyMedium{font-size:14px}.fontHeadlineSmall{font-size:16px;font-weight:500}.google-symbols{font-family:serif}'

const text = (body: string, type: string): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': `${type}; charset=UTF-8`, 'cache-control': 'public, max-age=86400' },
})

/** Answers the page's scripts and style sheet. */
export function answerAsset(path: string): Reply {
  const [, name] = /^\/maps\/_\/js\/(\w+\.js)$/.exec(path) ?? []
  if (name) return text(readFileSync(new URL(`../pages/scripts/${name}`, import.meta.url), 'utf8'), 'text/javascript')
  return path.startsWith('/maps/_/ss/') ? text(STYLE, 'text/css') : NOTHING
}
