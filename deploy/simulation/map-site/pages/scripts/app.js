import { showSearch } from './feed.js'
import { showPlace } from './place.js'
import { setScriptCookie } from './proof.js'

const { content, payload } = window.WIZ_global_data

async function start() {
  setScriptCookie()
  const pane = document.getElementById('pane')
  if (content.kind === 'search') await showSearch(pane, content.query, payload)
  if (content.kind === 'place') await showPlace(pane, { address: payload })
  navigator.sendBeacon('/gen_204?atyp=csi&s=web')
}

start().catch((error) => console.error(error))
