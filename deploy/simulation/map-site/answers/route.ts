import type { Kind } from '../classify.ts'
import { type Exchange, errorReply, NOTHING, type Reply } from '../exchange.ts'
import { consentPage, saveConsent } from '../pages/consent.ts'
import { answerPage } from '../pages/site-pages.ts'
import { sorryPage } from '../pages/sorry.ts'
import type { Site } from '../site.ts'
import { answerAsset } from './assets.ts'
import { answerBatchExecute } from './batch-execute.ts'
import { answerLocalBoq } from './local-boq.ts'
import { answerPlacePayload } from './place-payload.ts'
import { answerSearch } from './search-payload.ts'

/** Answers a request that nothing holds back. */
export function route(site: Site, exchange: Exchange, kind: Kind): Reply {
  const { outages, refusalForm } = site.options()
  const { path, url, address } = exchange
  const outage = new Map(Object.entries(outages)).get(kind)
  if (outage !== undefined) return errorReply(outage)
  switch (kind) {
    case 'search-payload':
      return answerSearch(site, exchange)
    case 'place-payload':
      return answerPlacePayload(site, exchange)
    case 'reviews':
    case 'photos':
      return path.startsWith('/httpservice/') ? answerLocalBoq(site, exchange) : answerBatchExecute(site, exchange)
    case 'maps-page':
    case 'search-page':
    case 'place-page':
      return answerPage(site, exchange, kind)
    case 'consent':
      return path === '/consent/save' ? saveConsent(site, exchange) : consentPage(site, exchange)
    case 'sorry':
      return sorryPage(url.searchParams.get('continue') ?? '', address, refusalForm === '200' ? 200 : 429)
    case 'image':
      return NOTHING // no client reads one
    case 'asset':
      return answerAsset(path)
    case 'other':
      return path.startsWith('/gen_204') ? NOTHING : errorReply(404)
  }
}
