import { matchesHost } from '@placefleet/shared/web-presence/host-name'

/**
 * A network. `hosts` hold its profiles. `skip`: first path segments that are not a profile. `posts`: later path
 * segments that come before the id of a post. `shared`: a path of sharing that is a profile, but for some second
 * segments.
 */
export type Network = {
  readonly name: string
  readonly hosts: readonly string[]
  readonly skip: readonly string[]
  readonly posts?: readonly string[]
  readonly shared?: { readonly first: string; readonly except: readonly string[] }
}

/** The networks, with their names in `social_links`. */
export const NETWORKS: readonly Network[] = [
  {
    name: 'facebook',
    hosts: ['facebook.com', 'fb.com', 'fb.me', 'm.me', 'messenger.com'],
    // What apps copy as the link of a profile; `share/p/…` is a post.
    shared: { first: 'share', except: ['p', 'v', 'r'] },
    skip: `messages marketplace stories reel tr plugins policies privacy legal help events photo.php photo
      watch ads business v2.0 settings about`.split(/\s+/),
    posts: ['posts', 'photos', 'videos', 'reel'],
  },
  {
    name: 'instagram',
    hosts: ['instagram.com', 'instagr.am', 'ig.me'],
    skip: ['p', 'reel', 'reels', 'tv', 'stories', 'accounts', 'about', 'legal'],
    posts: ['p', 'reel'],
  },
  {
    name: 'x',
    hosts: ['twitter.com', 'x.com'],
    skip: ['home', 'i', 'privacy', 'tos', 'settings', 'widgets'],
    posts: ['status'],
  },
  {
    name: 'linkedin',
    hosts: ['linkedin.com', 'lnkd.in'],
    skip: ['sharearticle', 'sharing', 'cws', 'legal', 'feed', 'posts', 'pulse'],
  },
  {
    name: 'youtube',
    hosts: ['youtube.com'],
    skip: ['watch', 'embed', 'shorts', 'playlist', 'results', 'iframe_api', 'player_api', 't', 'redirect', 'v', 'live'],
  },
  {
    name: 'tiktok',
    hosts: ['tiktok.com'],
    skip: ['embed', 'tag', 'legal', 'discover', 'music'],
    posts: ['video', 'photo'],
  },
  { name: 'pinterest', hosts: ['pinterest.*', 'pin.it'], skip: ['pin', 'js'] },
  { name: 'whatsapp', hosts: ['wa.me', 'whatsapp.com'], skip: ['legal', 'download', 'privacy'] },
  { name: 'telegram', hosts: ['t.me', 'telegram.me'], skip: ['iv'] },
  { name: 'threads', hosts: ['threads.net', 'threads.com'], skip: [], posts: ['post'] },
  { name: 'snapchat', hosts: ['snapchat.com'], skip: ['lens', 'unlock'] },
  { name: 'bluesky', hosts: ['bsky.app'], skip: [], posts: ['post'] },
  { name: 'vk', hosts: ['vk.com', 'vk.ru', 'vk.me'], skip: ['js', 'widget', 'away.php', 'feed', 'video_ext.php'] },
  { name: 'ok', hosts: ['ok.ru'], skip: ['dk', 'video', 'videoembed', 'offer'] },
  { name: 'xing', hosts: ['xing.com', 'xing.to'], skip: ['spi', 'app', 'jobs'] },
  { name: 'line', hosts: ['line.me', 'lin.ee'], skip: ['social-plugins', 'lineit'], posts: ['msg', 'share'] },
  { name: 'viber', hosts: ['viber.com'], skip: ['download'] },
  { name: 'zalo', hosts: ['zalo.me'], skip: [] },
  { name: 'weibo', hosts: ['weibo.com', 'weibo.cn'], skip: [] },
  { name: 'kakao', hosts: ['pf.kakao.com', 'open.kakao.com', 'story.kakao.com'], skip: [] },
  { name: 'vimeo', hosts: ['vimeo.com'], skip: ['video', 'player', 'watch'] },
  { name: 'linktree', hosts: ['linktr.ee'], skip: [] },
]

/** Links of a network that hold a profile: buttons to follow, boxes, and sign-in before a profile. */
const WITHIN: readonly { hosts: readonly string[]; path: RegExp; parameter: string }[] = [
  { hosts: ['facebook.com'], path: /^\/(?:plugins\/(?:page|like|likebox|follow)\.php)\/?$/, parameter: 'href' },
  { hosts: ['facebook.com'], path: /^\/login(?:\.php)?\/?$/, parameter: 'next' },
  { hosts: ['instagram.com'], path: /^\/accounts\/login\/?$/, parameter: 'next' },
  { hosts: ['x.com', 'twitter.com'], path: /^\/intent\/(?:user|follow)\/?$/, parameter: 'screen_name' },
]

/** Returns the profile that a link of its network holds, else the link itself. */
export function profileWithin(url: URL): URL {
  const form = WITHIN.find(({ hosts, path, parameter }) => {
    return (
      hosts.some((host) => matchesHost(url.hostname, host)) &&
      path.test(url.pathname) &&
      url.searchParams.has(parameter)
    )
  })
  const profile = form && URL.parse(url.searchParams.get(form.parameter) ?? '', url.origin)
  return profile && /^https?:$/.test(profile.protocol) ? profile : url
}

/** First path segments for sharing, sign-in or search, on any network. */
export const NO_PROFILE: ReadonlySet<string> = new Set(
  'share sharer sharer.php share.php intent dialog login signup search hashtag explore'.split(' '),
)

/** Profiles of site builders and theme makers, which their templates link to. */
export const MAKERS: ReadonlySet<string> = new Set(
  `wix wixcom squarespace wordpress wordpressdotcom wordpressdotorg shopify jimdo webflow weebly godaddy elementor
  duda strato ionos yourpage yourprofile yourusername username`.split(/\s+/),
)
