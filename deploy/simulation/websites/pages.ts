import type { EmailMethod, Website } from '../map-site/city/website.ts'
import { escapeHtml } from '../map-site/pages/html.ts'

type PageName = 'home' | 'contact' | 'imprint' | 'about'
type Link = readonly [path: string, label: string]

/** The pages beside the home page: contact, imprint and about. */
const PAGES: Record<Website['language'], readonly [contact: Link, imprint: Link, about: Link]> = {
  en: [
    ['/contact', 'Contact'],
    ['/legal', 'Legal notice'],
    ['/about-us', 'About us'],
  ],
  de: [
    ['/kontakt', 'Kontakt'],
    ['/impressum', 'Impressum'],
    ['/ueber-uns', 'Über uns'],
  ],
  fr: [
    ['/contact.html', 'Contactez-nous'],
    ['/mentions-legales', 'Mentions légales'],
    ['/a-propos', 'À propos'],
  ],
}

const KEY = 0x2a

/** Encodes an address as Cloudflare does: a key byte, then every byte of the address XORed with it. */
export const cloudflare = (email: string) =>
  Buffer.from([KEY, ...Buffer.from(email).map((byte) => byte ^ KEY)]).toString('hex')

const inWords = (email: string) => email.replaceAll('.', ' {dot} ').replace('@', ' [at] ')

const plainLink = (email: string) => `<a href="mailto:${email}">${email}</a>`

/** How a method writes an address. A method that only selects the page writes plain links. */
const WRITE: Partial<Record<EmailMethod, (email: string) => string>> = {
  'at-in-words': (email) => `<p>${inWords(email)}</p>`,
  cfemail: (email) => `<span class="__cf_email__" data-cfemail="${cloudflare(email)}">[email&#160;protected]</span>`,
  'json-ld': (email) =>
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'LocalBusiness', email })}</script>`,
  script: (email) => {
    const spelt = email.split('@').join(`' + '@' + '`)
    return `<script>document.write('<a href="mai' + 'lto:' + '${spelt}' + '">' + '${spelt}' + '</a>')</script>`
  },
  'imprint-page': (email) => `<p>E-Mail: ${email}.</p>`,
}

const writeEmails = (method: EmailMethod, emails: readonly string[]): string =>
  emails.map(WRITE[method] ?? plainLink).join(' ')

const emailsOn = ({ method, emails }: Website, page: PageName): string => {
  if (method === 'contact-page') return page === 'contact' ? writeEmails(method, emails) : ''
  if (method === 'imprint-page') return page === 'imprint' ? writeEmails(method, emails) : ''
  if (method !== 'two-pages') return page === 'home' ? writeEmails(method, emails) : ''
  if (page === 'home') return writeEmails('mailto', emails.slice(0, 1))
  return page === 'imprint' ? writeEmails('imprint-page', emails.slice(1)) : ''
}

// File names that look like email addresses.
const JUNK = `<img src="/assets/logo@2x.png" alt="logo"><img src="/assets/team@3x.webp" alt="">
<form action="/newsletter"><input type="email" name="e" placeholder="user@domain.com"><small>name@example.com</small></form>
<script>window.SENTRY_DSN="https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@o450512.ingest.sentry.io/4505";window.WIX="605a7baede844d278b89dc95ae0a9123@sentry.wixpress.com"</script>`

const footer = ({ socialLinks, phone }: Website) => {
  const links = Object.entries(socialLinks).map(([network, url]) => `<a href="${url}">${network}</a>`)
  return `<footer>${phone ? `<a href="tel:${phone.replaceAll(' ', '')}">${phone}</a>` : ''} ${links.join(' ')}</footer>`
}

/** Returns the page of a website at a path; undefined when there is none. `title`: the name of the business. */
export function pageAt(site: Website, title: string, path: string): string | undefined {
  const pages = PAGES[site.language]
  const [contact, imprint, about] = pages
  const names: Record<string, PageName> = {
    '/': 'home',
    [contact[0]]: 'contact',
    [imprint[0]]: 'imprint',
    [about[0]]: 'about',
  }
  const page = names[path] ?? (path.startsWith('/blog/') ? 'about' : undefined)
  const name = escapeHtml(title)
  const nav = pages.map(([href, label]) => `<a href="${href}">${label}</a>`)
  return (
    page &&
    `<!DOCTYPE html><html lang="${site.language}"><head><meta charset="utf-8"><title>${name}</title><link rel="stylesheet" href="/assets/style.css"></head>
<body><nav><a href="/">${name}</a> ${nav.join(' ')} <a href="/blog/2024/05/news">News</a></nav><h1>${name}</h1><main>${emailsOn(site, page)}</main>
${page === 'home' ? JUNK : ''}${footer(site)}</body></html>`
  )
}
