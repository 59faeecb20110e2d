import type { EmailDetail, Place } from '@placefleet/shared/place'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { WebsiteVisit } from '@placefleet/shared/website-visits'
import { type Crawl, crawlWebsite, type GetPage, isWorthCrawling } from '../website/crawl.ts'
import { hostOf, isGeneric } from '../website/email-address.ts'
import { createWebsitePages, OUR_NAME } from '../website/fetch-page.ts'
import { createRenderedPages } from '../website/rendered-pages.ts'
import { createRobots } from '../website/robots.ts'
import type { TaskContext } from './task.ts'

export type Contacts = Pick<Place, 'emails' | 'email_details' | 'social_links' | 'phones'>

/** Reads the contacts on a business's website, if it is its own, and counts the visit. */
export async function contactsOnWebsite(
  task: TaskContext,
  { website, complete_address }: Pick<Place, 'website' | 'complete_address'>,
): Promise<Contacts> {
  const { parameters, base, sessions, choice, signal } = task
  const { tier, website: address } = classifyWebsite(website)
  if (!address || !isWorthCrawling(address, tier, task)) return {}
  const { language } = parameters
  const { obeyRobots, limits, inTurn, crawls } = task.websites
  const country = complete_address?.country
  const { identity } = sessions.forWebsites()
  const start = async () => {
    const pages = createWebsitePages(identity.openClient, identity.profile(), language)
    const rendered = createRenderedPages(() => identity.openBrowser(OUR_NAME, signal))
    const get = withoutMapSite(pages.get, base)
    const mayFetch = obeyRobots ? createRobots(get) : undefined
    const getRendered = choice !== 'http' ? withoutMapSite(rendered.get, base) : undefined
    const options = { get, mayFetch, getRendered, country, inTurn, limits, signal }
    try {
      return await crawlWebsite(address, options)
    } finally {
      await Promise.all([pages.close(), rendered.close()])
    }
  }
  // A user's own proxy can answer for any website, so nobody else gets its answers.
  const key = JSON.stringify([identity.exit.proxy, address, language, country])
  const crawl = await crawls.of(key, signal, () => identity.use(start))
  task.website_visits[visitOf(crawl)]++
  const { emails, social_links, phones } = crawl
  return {
    ...(emails.length > 0 ? { emails, email_details: await detailsOf(emails, task) } : {}),
    ...(Object.keys(social_links).length > 0 ? { social_links } : {}),
    ...(phones.length > 0 ? { phones } : {}),
  }
}

/** Refuses pages of the map site, to which links, redirects and frames may lead. It is asked in its own pace only. */
const withoutMapSite =
  (get: GetPage, base: URL): GetPage =>
  async (url, signal) => {
    if (url.host === base.host) throw new Error('a page of the map site is no website of a business')
    return get(url, signal)
  }

/**
 * Says of each address whether it names a role, and whether its domain receives mail. With proxies nobody is asked: the
 * name servers of this machine would learn whom the job looks at.
 */
function detailsOf(emails: readonly string[], { sessions, websites }: TaskContext): Promise<EmailDetail[]> {
  return Promise.all(
    emails.map(async (email) => {
      const mx = sessions.proxied ? undefined : await websites.mailServers.has(hostOf(email))
      return { email, ...(mx === undefined ? {} : { mx }), generic: isGeneric(email) }
    }),
  )
}

function visitOf({ outcome, emails }: Crawl): WebsiteVisit {
  if (outcome === 'ok') return emails.length > 0 ? 'ok' : 'none'
  return outcome === 'broken' ? 'unreachable' : outcome
}
