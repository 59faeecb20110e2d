import { chance } from '../random.ts'
import { categoryOf } from './categories.ts'
import { plainName } from './names.ts'

export type Tier = 'has' | 'none' | 'social' | 'directory' | 'builder' | 'booking'

/** The web presence of a place on the map. */
export interface WebAddress {
  tier: Tier
  /** The website that a correct collection reports; absent for tier `none`. */
  url?: string
  /** The website in the payload, when it differs: a redirect of the map site around the URL. */
  listedAs?: string
}

type Platform = (slug: string) => string

const PLATFORMS: Record<'social' | 'directory' | 'builder' | 'booking', readonly [Platform, ...Platform[]]> = {
  social: [
    (slug) => `https://www.facebook.com/${slug}`,
    (slug) => `https://www.instagram.com/${slug}/`,
    (slug) => `https://linktr.ee/${slug}`,
    (slug) => `https://www.tiktok.com/@${slug}`,
  ],
  directory: [
    (slug) => `https://www.yelp.com/biz/${slug}`,
    (slug) => `https://www.tripadvisor.com/Restaurant_Review-${slug}`,
    (slug) => `https://www.11880.com/firma/${slug}`,
  ],
  builder: [
    (slug) => `https://${slug}.wixsite.com/home`,
    (slug) => `https://${slug}.weebly.com/`,
    (slug) => `https://${slug}.blogspot.com/`,
  ],
  booking: [(slug) => `https://www.opentable.com/r/${slug}`, (slug) => `https://www.treatwell.de/ort/${slug}/`],
}

const TOP_LEVEL_DOMAINS = ['com', 'net', 'de', 'org', 'eu', 'co.uk'] as const
const WEB_SALT = 41

const slugOf = (seed: number, index: number) =>
  `${plainName(seed, index)}-${categoryOf(index).word}-${index}-${seed}`.toLowerCase()

/** Returns the host of a place's own website, e.g. "www.luna-bakery-15-7.com". Only places of tier `has` have one. */
export function ownHostOf(seed: number, index: number): string {
  const dice = chance(seed, index, WEB_SALT)
  return `www.${slugOf(seed, index)}.${dice.pick(TOP_LEVEL_DOMAINS)}`
}

/** Returns the number of the place whose own website may have this host. The caller checks that it has. */
export function indexOfHost(seed: number, host: string): number | undefined {
  const match = new RegExp(`^(?:www\\.)?[a-z-]+-(\\d+)-${seed}\\.[a-z.]+$`).exec(host)
  return match?.[1] === undefined ? undefined : Number(match[1])
}

/** Half of the places have their own website, a tenth each has one of the other tiers. */
export function webAddressOf(seed: number, index: number): WebAddress {
  const dice = chance(seed, index, WEB_SALT + 1)
  const tier = dice.pick([
    'has',
    'has',
    'has',
    'has',
    'has',
    'none',
    'social',
    'directory',
    'builder',
    'booking',
  ] as const)
  if (tier === 'none') return { tier }
  const url = tier === 'has' ? `http://${ownHostOf(seed, index)}/` : dice.pick(PLATFORMS[tier])(slugOf(seed, index))
  if (!dice.happens(0.08)) return { tier, url }
  const listedAs = `/url?q=${encodeURIComponent(url)}&opi=79508299&sa=U&ved=0ahUKE${dice.token(20)}&usg=AOvVaw${dice.token(20)}`
  return { tier, url, listedAs }
}
