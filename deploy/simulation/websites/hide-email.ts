import type { EmailMethod } from '../map-site/city/website.ts'

const KEY = 0x2a

/** Encodes an address as Cloudflare does: a key byte, then every byte of the address XORed with it. */
export const cloudflare = (email: string) =>
  Buffer.from([KEY, ...Buffer.from(email).map((byte) => byte ^ KEY)]).toString('hex')

const inWords = (email: string) => {
  const [user, domain = ''] = email.split('@')
  return `${user} [at] ${domain.replaceAll('.', ' {dot} ')}`
}

const inScript = (email: string) => {
  const [user, domain] = email.split('@')
  return `<script>document.write('<a href="mai' + 'lto:' + '${user}' + '@' + '${domain}' + '">' + '${user}' + '@' + '${domain}' + '</a>')</script>`
}

const plainLink = (email: string) => `<a href="mailto:${email}">${email}</a>`

const WRITE: Partial<Record<EmailMethod, (email: string) => string>> = {
  'at-in-words': (email) => `<p>${inWords(email)}</p>`,
  cfemail: (email) => `<span class="__cf_email__" data-cfemail="${cloudflare(email)}">[email&#160;protected]</span>`,
  'json-ld': (email) =>
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'LocalBusiness', email })}</script>`,
  script: inScript,
  'imprint-page': (email) => `<p>E-Mail: ${email}.</p>`,
}

/** Returns the addresses as HTML. A method that only selects the page gives plain links. */
export const writeEmails = (method: EmailMethod, emails: readonly string[]): string =>
  emails.map(WRITE[method] ?? plainLink).join(' ')
