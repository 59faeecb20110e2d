import { rot13 } from '@placefleet/agent/website/email-codes'

/** A made page of a small business, its domain, and the addresses that a person reads on it. */
export type GeneratedPage = { system: string; domain: string; html: string; emails: string[] }

/** Returns numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const list = (text: string): string[] => text.trim().split(/\s+/)
const NAMES = list('meier nowak rossi dubois garcia silva novak jansen kaya papadopoulos andersson horvat')
const TRADES = list('praxis hotel cafe salon garage studio bakery florist atelier clinic bistro optik')
const ENDINGS = list('de com fr it es nl pl cz co.uk com.br pt at ch se gr eu')
const BOXES = list('info kontakt office contact hello reservation booking biuro contacto contatto praxis mail team')
const FREE = list('gmail.com web.de yahoo.fr hotmail.it outlook.com gmx.at seznam.cz wp.pl')
const LABELS = ['E-Mail', 'Email:', 'Mail ', 'Courriel : ', 'Correo: ', 'E-mail:', 'Kontakt', '✉ ', 'e-mail – ']
const PHONES = ['030 123 45', '+49 30 1234567', '01 42 68 53 00', '(020) 7946 0018', '+48 22 123 45 67']

type Writer = {
  random: () => number
  pick<Item>(items: readonly Item[]): Item
  chance(share: number): boolean
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const entities = (text: string) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join('')
const halves = (email: string): [string, string] => [
  email.slice(0, email.indexOf('@')),
  email.slice(email.indexOf('@') + 1),
]

function cloudflare(email: string, { random }: Writer): string {
  const key = 1 + Math.floor(random() * 254)
  const hex = (byte: number) => byte.toString(16).padStart(2, '0')
  const code = hex(key) + [...Buffer.from(email)].map((byte) => hex(byte ^ key)).join('')
  return `<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${code}">[email&#160;protected]</a>`
}

/** Rotates as TYPO3 does, within rings of signs and digits, capitals, and small letters. */
function typo3(email: string, by: number): string {
  const rings = [
    [0x2b, 0x3a],
    [0x40, 0x5a],
    [0x61, 0x7a],
  ] as const
  return [...`mailto:${email}`]
    .map((letter) => {
      const code = letter.charCodeAt(0)
      const ring = rings.find(([first, last]) => code >= first && code <= last)
      if (!ring) return letter
      const size = ring[1] - ring[0] + 1
      return String.fromCharCode(ring[0] + ((code - ring[0] + by) % size))
    })
    .join('')
}

function emailEncoder(email: string, { chance }: Writer): string {
  if (chance(0.3))
    return `<a class="mail-link" href="javascript:;" data-enc-email="${rot13(email.replace('@', '[at]')).replace('[ng]', '[at]')}">write</a>`
  if (chance(0.5)) return `<span class="eeb eeb-rtl">${[...email].reverse().join('')}</span>`
  const code = encodeURIComponent(`<a href="mailto:${email}">${email}</a>`)
  const letters = [...new Set(code)].join('')
  const places = [...code].map((letter) => String.fromCharCode(letters.indexOf(letter) + 48)).join('')
  return `<span id="eeb-1"></span><script>(function(){var ml="${letters}",mi="${places.replaceAll('\\', '\\\\')}",o="";for(var j=0,l=mi.length;j<l;j++){o+=ml.charAt(mi.charCodeAt(j)-48);}document.getElementById("eeb-1").innerHTML=decodeURIComponent(o);}());</script>`
}

function joomla3(email: string): string {
  const [local, host] = halves(email)
  return `<span id="cloak1">Diese E-Mail-Adresse ist vor Spambots geschützt!</span><script>var prefix = '&#109;a' + 'i&#108;' + '&#116;o';
    var addy1 = '${entities(local)}' + '&#64;';
    addy1 = addy1 + '${entities(host)}';
    document.getElementById('cloak1').innerHTML += '<a href="' + prefix + ':' + addy1 + '">' + addy1 + '</a>';</script>`
}

function handMade(email: string, { pick }: Writer): string {
  const [local, host] = halves(email)
  return pick([
    `${local} [at] ${host.replaceAll('.', ' [dot] ')}`,
    `${local}(at)${host}`,
    `${local}<img src="/images/at.gif" alt="@">${host}`,
    `<font>${local}</font>&#64;<font>${host}</font>`,
    `${local}<i class="fa fa-at"></i>${host}`,
    `<span style="unicode-bidi:bidi-override;direction:rtl">${[...email].reverse().join('')}</span>`,
  ])
}

function dataPairs(email: string, { pick }: Writer): string {
  const [local, host] = halves(email)
  return pick([
    `<a href="#" data-u="${local}" data-d="${host}">Write us</a>`,
    `<span class="js-mail" data-first="${local}" data-second="${host}"></span>`,
    `<a href="#" data-left="${base64(local)}" data-right="${base64(host)}">Mail</a>`,
    `<a href="#" class="email" data-email="${base64(email)}">Mail</a>`,
    `<a href="javascript:void(0)" data-domain="${host}" data-mailbox="${local}">Mail</a>`,
  ])
}

/** How ten content systems write an address. */
const SYSTEMS: Readonly<Record<string, (email: string, writer: Writer) => string>> = {
  wordpress: (email, { chance }) =>
    `<a href="${entities(`mailto:${email}`)}">${chance(0.5) ? entities(email) : 'write'}</a>`,
  'wordpress with Email Encoder': emailEncoder,
  'joomla 3': joomla3,
  'joomla 5': (email) => {
    const [local, host] = halves(email)
    return `<joomla-hidden-mail is-link="1" is-email="1" first="${base64(local)}" last="${base64(host)}" text="${base64(email)}" base="">Diese Adresse ist geschützt.</joomla-hidden-mail>`
  },
  'typo3 10': (email) =>
    `<a href="javascript:linkTo_UnCryptMailto('${typo3(email, 1).replaceAll('/', '\\/')}');">${email.replace('@', '(at)')}</a>`,
  'typo3 13': (email, { pick }) => {
    const by = pick([1, 2, 3, 5])
    return `<a href="#" data-mailto-token="${typo3(email, by)}" data-mailto-vector="${by}">E-Mail schreiben</a>`
  },
  drupal: (email, { chance }) => {
    const [local, host] = halves(email)
    if (chance(0.5))
      return `<a href="/contact" data-mail-to="${rot13(local)}/at/${rot13(host).replaceAll('.', '/dot/')}" data-replace-inner="@">@</a>`
    return `<span class="spamspan"><span class="u">${local}</span> [at] <span class="d">${host.replaceAll('.', ' [dot] ')}</span></span>`
  },
  cloudflare,
  'made by hand': handMade,
  'data attributes': dataPairs,
}

/** What pages have beside their addresses, and no address of the business comes from. */
function traps({ pick, chance, random }: Writer, domain: string): string {
  const number = Math.floor(random() * 1e6)
  const all = [
    `<img src="logo@2x.png" srcset="logo@2x.png 2x, logo@3x.png 3x" alt="logo">`,
    `<script src="https://cdn.example.net/npm/swiper@${1 + (number % 9)}.2.0/swiper.js"></script>`,
    `<script>Sentry.init({dsn:"https://${number.toString(16).padStart(32, 'a')}@o${number}.ingest.sentry.io/1"})</script>`,
    `<input type="email" placeholder="${pick(['your@email.com', 'name@example.com', 'ihre@email.de', 'votre@email.fr'])}">`,
    `<p>${pick(['hello@reallygreatsite.com', 'info@yourdomain.com', 'email@tudominio.com', 'contact@votresite.fr', 'info@twojadomena.pl', 'seuemail@gmail.com'])}</p>`,
    `<p>Follow @${domain.split('.')[0]} on Instagram</p>`,
    `<footer>${pick(['Webdesign by', 'Realisierung:', 'Powered by', 'Hosting:'])} <a href="https://agency.example/">Agency</a> info@agency-${number}.com</footer>`,
    `<div data-host="${domain}" data-id="${number}" data-lang="de"></div>`,
    `<p>noreply@${domain}</p>`,
    `<script defer data-domain="${domain}" data-api="/api/event" src="/js/script.js"></script>`,
    `<p>Order at ubereats.com or call us at noon.</p>`,
    `<a href="https://user:secret@${domain}/files">Files</a>`,
  ]
  return all.filter(() => chance(0.4)).join('\n')
}

/** Makes pages of each content system. The same seed makes the same pages. */
export function generatedPages(seed: number, pagesPerSystem: number): GeneratedPage[] {
  const random = randomOf(seed)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const writer: Writer = { random, pick, chance: (share) => random() < share }
  return Object.entries(SYSTEMS).flatMap(([system, write]) =>
    Array.from({ length: pagesPerSystem }, () => generatedPage(system, write, writer)),
  )
}

function generatedPage(
  system: string,
  write: (email: string, writer: Writer) => string,
  writer: Writer,
): GeneratedPage {
  const { pick, chance } = writer
  const domain = `${pick(TRADES)}-${pick(NAMES)}.${pick(ENDINGS)}`
  const emails = new Set([
    `${pick(BOXES)}@${chance(0.75) ? domain : pick(FREE)}`.replace(/^(?:mail|team)@(?!.*-)/, 'praxis@'),
  ])
  if (chance(0.3)) emails.add(`${pick(NAMES)}@${domain}`)
  const blocks = [...emails].map((email) => {
    const label = pick(LABELS)
    const written = write(email, writer)
    return pick([
      `<p><strong>${label}</strong><span>${written}</span></p>`,
      `<p><b>${pick(PHONES)}</b><em>${written}</em></p>`,
      `<table><tr><td>${label}</td><td>${written}</td></tr></table>`,
      `<p>${label} ${written}<br>Tel. ${pick(PHONES)}</p>`,
      `<ul><li><i class="icon-mail"></i> ${written}</li><li>${pick(PHONES)}</li></ul>`,
    ])
  })
  const html = `<!doctype html><html><head><title>${domain}</title></head><body><nav><a href="/kontakt">Kontakt</a></nav>
    ${traps(writer, domain)}<main>${blocks.join('\n')}</main>${traps(writer, domain)}</body></html>`
  return { system, domain, html, emails: [...emails] }
}
