import type { Exchange } from '../exchange.ts'
import { hash } from '../random.ts'
import { type Site, viewFor } from '../site.ts'
import { escapeHtml, scriptJson } from './html.ts'

interface PageParts {
  title: string
  /** The URL of the first payload that the page's script requests. Also the preload link, if the page may have one. */
  payload?: string
  /** `window.APP_INITIALIZATION_STATE` */
  state: unknown[]
  /** What the page's script draws. */
  content: { kind: 'map' } | { kind: 'search'; query: string } | { kind: 'place'; id: string }
}

/** The styles that make lists scrollable. They are inline, so a client may skip the style sheet. */
const STYLE = `html,body{margin:0;height:100%;overflow:hidden;font:14px Roboto,Arial,sans-serif}
#omnibox-container{height:56px}.bJzME{position:absolute;top:56px;bottom:0;left:0;width:408px;background:#fff}
.DxyBCb{height:calc(100vh - 56px);overflow-y:auto}.DxyBCb .DxyBCb{height:calc(100vh - 80px)}
.Nv2PK{min-height:128px;padding:8px 16px;position:relative}.hfpxzc{position:absolute;inset:0}.jftiEf{min-height:140px;padding:8px}
.lXJj5c{height:64px}.id-app-container img.tile{width:256px;height:256px}`

const TILES = Array.from(
  { length: 12 },
  (_, nth) => `<img class="tile" alt="" src="/maps/vt?pb=!1m4!1m3!1i15!2i${17600 + nth}!3i10740">`,
).join('')

const APP_FLAGS = '[0,0,0,null,[[1,1],[2,0]],null,"20260902.0"]'

/** Returns the page: head with preload links, the state, and the script that draws everything. */
export function shell(site: Site, exchange: Exchange, { title, payload, state, content }: PageParts): string {
  const { hl, words } = viewFor(site, exchange)
  const { blockPlainHttp, trimPlainHttp, limited } = site.options()
  // The browser sends a preload before scripts run, so a site that looks for their marks cannot use one.
  const preload =
    payload && !blockPlainHttp && !trimPlainHttp
      ? `<link href="${escapeHtml(payload)}" as="fetch" crossorigin="" rel="preload">`
      : ''
  const data = {
    origin: site.origin(),
    hl,
    limited,
    attest: blockPlainHttp,
    token: hash(site.city.seed, Date.now(), exchange.url.href.length).toString(36),
    words: words.page,
    content,
    payload: payload ?? null,
  }
  return `<!DOCTYPE html><html itemscope="" itemtype="http://schema.org/Place" lang="${escapeHtml(hl)}"><head>${preload}<link href="/maps/_/js/app.js" rel="modulepreload">
<title>${escapeHtml(title)}</title><meta content="Find local businesses, view maps and get driving directions in Google Maps." name="Description"><meta content="initial-scale=1.0,maximum-scale=1.0,width=device-width,user-scalable=0" name="viewport">
<link href="/maps/_/ss/k=maps.m.sim/m=app" rel="stylesheet"><style>${STYLE}</style><link href="/favicon.ico" rel="shortcut icon">
<script>(function(){window.APP_OPTIONS=[null,"20260902.0",null,["/search?tbm=map&authuser=0&hl=${encodeURIComponent(hl)}"]];window.APP_INITIALIZATION_STATE=${scriptJson(state)};window.APP_FLAGS=${APP_FLAGS};})();</script>
<script>window.WIZ_global_data=${scriptJson(data)};</script></head>
<body><div id="app-container" class="id-app-container"><div id="omnibox-container"><input id="searchboxinput" name="q" role="combobox" value="${escapeHtml(content.kind === 'search' ? content.query : '')}"></div><div class="bJzME tTVLSc"><div id="pane"></div></div><div id="scene">${TILES}</div></div>
<script type="module" src="/maps/_/js/app.js"></script></body></html>`
}
