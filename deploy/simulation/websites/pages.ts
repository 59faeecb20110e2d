import type { Website } from '../map-site/city/website.ts'
import { escapeHtml } from '../map-site/pages/html.ts'
import { writeEmails } from './hide-email.ts'

type PageName = 'home' | 'contact' | 'imprint' | 'about'

const PATHS: Record<Website['language'], Record<Exclude<PageName, 'home'>, { path: string; label: string }>> = {
  en: {
    contact: { path: '/contact', label: 'Contact' },
    imprint: { path: '/legal', label: 'Legal notice' },
    about: { path: '/about-us', label: 'About us' },
  },
  de: {
    contact: { path: '/kontakt', label: 'Kontakt' },
    imprint: { path: '/impressum', label: 'Impressum' },
    about: { path: '/ueber-uns', label: 'Über uns' },
  },
  fr: {
    contact: { path: '/contact.html', label: 'Contactez-nous' },
    imprint: { path: '/mentions-legales', label: 'Mentions légales' },
    about: { path: '/a-propos', label: 'À propos' },
  },
}

const emailsOn = ({ method, emails }: Website, page: PageName): string => {
  const [first, second] = emails
  if (method === 'contact-page') return page === 'contact' ? writeEmails(method, emails) : ''
  if (method === 'imprint-page') return page === 'imprint' ? writeEmails(method, emails) : ''
  if (method !== 'two-pages') return page === 'home' ? writeEmails(method, emails) : ''
  if (page === 'home' && first) return writeEmails('mailto', [first])
  return page === 'imprint' && second ? writeEmails('imprint-page', [second]) : ''
}

// File names that look like email addresses.
const JUNK = `<img src="/assets/logo@2x.png" alt="logo"><img src="/assets/team@3x.webp" alt="">
<form action="/newsletter"><input type="email" name="e" placeholder="user@domain.com"><small>name@example.com</small></form>
<script>window.SENTRY_DSN="https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@o450512.ingest.sentry.io/4505";window.WIX="605a7baede844d278b89dc95ae0a9123@sentry.wixpress.com"</script>`

const footer = (site: Website) => {
  const links = Object.entries(site.socialLinks).map(([network, url]) => `<a href="${url}">${network}</a>`)
  const phone = site.phone ? `<a href="tel:${site.phone.replaceAll(' ', '')}">${site.phone}</a>` : ''
  return `<footer>${phone} ${links.join(' ')}</footer>`
}

const layout = (site: Website, title: string, page: PageName) => {
  const pages = PATHS[site.language]
  const nav = Object.values(pages).map(({ path, label }) => `<a href="${path}">${label}</a>`)
  return `<!DOCTYPE html><html lang="${site.language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><link rel="stylesheet" href="/assets/style.css"></head>
<body><nav><a href="/">${escapeHtml(title)}</a> ${nav.join(' ')} <a href="/blog/2024/05/news">News</a></nav><h1>${escapeHtml(title)}</h1><main>${emailsOn(site, page)}</main>
${page === 'home' ? JUNK : ''}${footer(site)}</body></html>`
}

/** Returns the page of a website at a path; undefined when there is none. `title`: the name of the business. */
export function pageAt(site: Website, title: string, path: string): string | undefined {
  const { contact, imprint, about } = PATHS[site.language]
  const names: Record<string, PageName> = {
    '/': 'home',
    [contact.path]: 'contact',
    [imprint.path]: 'imprint',
    [about.path]: 'about',
  }
  const name = names[path] ?? (path.startsWith('/blog/') ? 'about' : undefined)
  return name && layout(site, title, name)
}
