import type { EmailDetail, Place } from '@placefleet/shared/place'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { WebsiteVisit } from '@placefleet/shared/website-visits'
import { type Crawl, crawlWebsite, isWorthCrawling } from '../website/crawl.ts'
import { hostOf, isGeneric } from '../website/email-address.ts'
import { createGetPage, createRobots, OUR_NAME } from '../website/fetch-page.ts'
import { createRenderedPages } from '../website/rendered-pages.ts'
import type { TaskContext } from './task.ts'

/** The fields of a place that come from its website. */
export type Contacts = Pick<Place, 'emails' | 'email_details' | 'social_links' | 'phones'>

/**
 * Reads the contacts on a business's website, if the website is its own. Places share the crawl of their website. Counts
 * the visit.
 */
export async function contactsOnWebsite(
  task: TaskContext,
  { website, complete_address }: Pick<Place, 'website' | 'complete_address'>,
): Promise<Contacts> {
  const { parameters, sessions, mayBrowse, allowHosts, signal } = task
  const { tier, website: address } = classifyWebsite(website)
  if (!address || !isWorthCrawling(address, tier, allowHosts)) return {}
  const { language } = parameters
  const { obeyRobots, limits, turns, crawls } = task.websites
  const country = complete_address?.country
  const start = () => {
    const session = sessions.forWebsites()
    const get = createGetPage(session.client, session.profile(), language)
    const mayFetch = obeyRobots ? createRobots(get) : undefined
    const rendered = createRenderedPages(() => session.browse(OUR_NAME))
    const getRendered = mayBrowse ? rendered.get : undefined
    const options = { get, mayFetch, getRendered, country, inTurn: turns.run, limits, signal }
    return crawlWebsite(address, options).finally(rendered.close)
  }
  const crawl = await crawls.of(JSON.stringify([address, language, country]), signal, start)
  task.website_visits[visitOf(crawl)]++
  const { emails, social_links, phones } = crawl
  return {
    ...(emails.length > 0 ? { emails, email_details: await detailsOf(emails, task) } : {}),
    ...(Object.keys(social_links).length > 0 ? { social_links } : {}),
    ...(phones.length > 0 ? { phones } : {}),
  }
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
