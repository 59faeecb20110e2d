import type { Kind } from '../counters.ts'
import { type Exchange, errorReply, NOTHING, type Reply } from '../exchange.ts'
import { consentPage, saveConsent } from '../pages/consent.ts'
import { answerPage } from '../pages/site-pages.ts'
import { sorryPage } from '../pages/sorry.ts'
import type { Site } from '../site.ts'
import { answerBatchExecute } from './batch-execute.ts'
import { answerLocalBoq } from './local-boq.ts'
import { answerPlacePayload } from './place-payload.ts'
import { answerSearch } from './search-payload.ts'

const answerConsent = (site: Site, exchange: Exchange): Reply =>
  exchange.method === 'POST' && exchange.path === '/consent/save'
    ? saveConsent(site, exchange)
    : consentPage(site, exchange)

const answerSorry = (site: Site, { url, address }: Exchange): Reply => {
  const target = url.searchParams.get('continue') ?? `${site.origin()}/maps`
  return sorryPage(target, address, site.options().refusalForm === '200' ? 200 : 429)
}

/** Answers a request that nothing holds back. `assets` answers scripts and styles. */
export function route(site: Site, exchange: Exchange, kind: Kind, assets: (path: string) => Reply): Reply {
  const outage = new Map(Object.entries(site.options().outages)).get(kind)
  if (outage !== undefined) return errorReply(outage)
  switch (kind) {
    case 'search-payload':
      return answerSearch(site, exchange)
    case 'place-payload':
      return answerPlacePayload(site, exchange)
    case 'reviews':
    case 'photos':
      return exchange.path.startsWith('/httpservice/')
        ? answerLocalBoq(site, exchange)
        : answerBatchExecute(site, exchange)
    case 'maps-page':
    case 'search-page':
    case 'place-page':
      return answerPage(site, exchange, kind)
    case 'consent':
      return answerConsent(site, exchange)
    case 'sorry':
      return answerSorry(site, exchange)
    case 'image':
      return NOTHING // no client reads one
    case 'asset':
      return assets(exchange.path)
    case 'other':
      return exchange.path.startsWith('/gen_204') ? NOTHING : errorReply(404)
  }
}
