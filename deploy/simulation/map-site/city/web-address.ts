import { chance } from '../random.ts'
import { categoryOf } from './categories.ts'
import { plainName } from './names.ts'

/** Half of the places have their own website, a tenth each has one of the other tiers. */
const TIERS = ['has', 'has', 'has', 'has', 'has', 'none', 'social', 'directory', 'builder', 'booking'] as const

type Tier = (typeof TIERS)[number]

/** The web presence of a place on the map. */
export interface WebAddress {
  tier: Tier
  /** The website that a correct collection reports; absent for tier `none`. */
  url?: string
  /** The website in the payload, when it differs: a redirect of the map site around the URL. */
  listedAs?: string
}

/** Addresses on platforms; "*" is the name of the place. */
const PLATFORMS: Record<Exclude<Tier, 'has' | 'none'>, string> = {
  social: 'www.facebook.com/*|www.instagram.com/*/|linktr.ee/*|www.tiktok.com/@*',
  directory: 'www.yelp.com/biz/*|www.tripadvisor.com/Restaurant_Review-*|www.11880.com/firma/*',
  builder: '*.wixsite.com/home|*.weebly.com/|*.blogspot.com/',
  booking: 'www.opentable.com/r/*|www.treatwell.de/ort/*/',
}

const WEB_SALT = 41

const slugOf = (seed: number, index: number) =>
  `${plainName(seed, index)}-${categoryOf(index).word}-${index}-${seed}`.toLowerCase()

/** Returns the host of a place's own website, e.g. "www.luna-bakery-15-7.com". Only places of tier `has` have one. */
export function ownHostOf(seed: number, index: number): string {
  const dice = chance(seed, index, WEB_SALT)
  return `www.${slugOf(seed, index)}.${dice.pickText('com|net|de|org|eu|co.uk')}`
}

/** Returns the number of the place whose own website may have this host. The caller checks that it has. */
export function indexOfHost(seed: number, host: string): number | undefined {
  const match = new RegExp(`^(?:www\\.)?[a-z-]+-(\\d+)-${seed}\\.[a-z.]+$`).exec(host)
  return match?.[1] === undefined ? undefined : Number(match[1])
}

export function webAddressOf(seed: number, index: number): WebAddress {
  const dice = chance(seed, index, WEB_SALT + 1)
  const tier = dice.pick(TIERS)
  if (tier === 'none') return { tier }
  const onPlatform = (texts: string) => `https://${dice.pickText(texts).replaceAll('*', slugOf(seed, index))}`
  const url = tier === 'has' ? `http://${ownHostOf(seed, index)}/` : onPlatform(PLATFORMS[tier])
  if (!dice.happens(0.08)) return { tier, url }
  const listedAs = `/url?q=${encodeURIComponent(url)}&opi=79508299&sa=U&ved=0ahUKE${dice.token(20)}&usg=AOvVaw${dice.token(20)}`
  return { tier, url, listedAs }
}
