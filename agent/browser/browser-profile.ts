import type { CDPSession } from 'playwright'

/** The identity of a Chromium version in headers and scripts, the same over plain HTTP and in Chromium. */
export type BrowserProfile = {
  readonly major: string
  /** In the reduced form that Chromium sends since version 107, without the word "Headless". */
  readonly userAgent: string
  readonly brands: readonly Brand[]
}

type Brand = { readonly brand: string; readonly version: string }

// Chromium's components/embedder_support/user_agent_utils.cc: a made-up brand that changes with every version.
const SIGNS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_']
const MADE_UP_VERSIONS = ['8', '99', '24']

/** Returns the profile of a Chromium, by its version, e.g. 153.0.8010.0. */
export function profileOf(version: string): BrowserProfile {
  const major = version.split('.')[0] ?? version
  const number = Number(major)
  const sign = (at: number) => SIGNS[at % SIGNS.length] ?? ' '
  const madeUp = {
    brand: `Not${sign(number)}A${sign(number + 1)}Brand`,
    version: MADE_UP_VERSIONS[number % MADE_UP_VERSIONS.length] ?? '8',
  }
  const chromium = { brand: 'Chromium', version: major }
  return {
    major,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
    brands: number % 2 === 0 ? [madeUp, chromium] : [chromium, madeUp],
  }
}

export const named = (profile: BrowserProfile, name: string | undefined): BrowserProfile =>
  name === undefined ? profile : { ...profile, userAgent: `${profile.userAgent} ${name}` }

/** The languages that a browser in this language accepts: first with its most likely region, then without. */
export function languagesOf(language: string): string[] {
  const locale = new Intl.Locale(language)
  const region = locale.region ?? locale.maximize().region
  return region ? [`${locale.language}-${region}`, locale.language] : [locale.language]
}

const acceptLanguage = (language: string): string =>
  languagesOf(language)
    .map((tag, nth) => (nth === 0 ? tag : `${tag};q=0.9`))
    .join(',')

const brandList = ({ brands }: BrowserProfile): string =>
  brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ')

/** Chromium 156 accepts JPEG XL, 153 does not. */
const FIRST_WITH_JXL = 156

const acceptedDocuments = ({ major }: BrowserProfile): string =>
  `text/html,application/xhtml+xml,application/xml;q=0.9,${Number(major) < FIRST_WITH_JXL ? '' : 'image/jxl,'}image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7`

/** What Chromium adds over HTTP/2, after all other headers, for a page and for data that a script requests. */
export const PRIORITY = { page: 'u=0, i', data: 'u=1, i' } as const

type Headers = Readonly<Record<string, string>>

/** The headers of Chromium, in its order, when a person opens a page. */
export function documentHeaders(profile: BrowserProfile, language: string): Headers {
  return {
    'sec-ch-ua': brandList(profile),
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Linux"',
    'Upgrade-Insecure-Requests': '1',
    'User-Agent': profile.userAgent,
    'Accept-Language': acceptLanguage(language),
    Accept: acceptedDocuments(profile),
    'Sec-Fetch-Site': 'none',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-User': '?1',
    'Sec-Fetch-Dest': 'document',
  }
}

/** The same when a script of a page requests data from the same site. */
export function fetchHeaders(profile: BrowserProfile, language: string, page: URL): Headers {
  return {
    'sec-ch-ua-platform': '"Linux"',
    'User-Agent': profile.userAgent,
    'sec-ch-ua': brandList(profile),
    'Accept-Language': acceptLanguage(language),
    'sec-ch-ua-mobile': '?0',
    Accept: '*/*',
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Dest': 'empty',
    Referer: page.href,
  }
}

/** The same when a person submits a form to the same site. */
export function formHeaders(profile: BrowserProfile, language: string, page: URL): Headers {
  const { 'User-Agent': agent = '', ...document } = documentHeaders(profile, language)
  const { 'Accept-Language': languages = '', Accept = '', ...rest } = document
  const hints = Object.entries(rest).filter(([name]) => !name.startsWith('Sec-Fetch'))
  return {
    'Cache-Control': 'max-age=0',
    ...Object.fromEntries(hints),
    'Content-Type': 'application/x-www-form-urlencoded',
    'User-Agent': agent,
    Origin: page.origin,
    'Accept-Language': languages,
    Accept,
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-User': '?1',
    'Sec-Fetch-Dest': 'document',
    Referer: page.href,
  }
}

/** Makes a page of Chromium send the same headers as our plain requests, and show the same values to scripts. */
export async function applyProfile(
  session: CDPSession,
  profile: BrowserProfile,
  version: string,
  language: string,
): Promise<void> {
  const full = profile.brands.map(({ brand, version: major }) => ({
    brand,
    version: brand === 'Chromium' ? version : `${major}.0.0.0`,
  }))
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: profile.userAgent,
    acceptLanguage: languagesOf(language).join(','),
    platform: 'Linux x86_64',
    userAgentMetadata: {
      brands: [...profile.brands],
      fullVersionList: full,
      platform: 'Linux',
      platformVersion: '',
      architecture: 'x86',
      bitness: '64',
      model: '',
      mobile: false,
      wow64: false,
    },
  })
}
