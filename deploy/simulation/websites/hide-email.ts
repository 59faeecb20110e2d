import type { EmailMethod } from '../map-site/city/website.ts'

const codes = (text: string) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join('')

const KEY = 0x2a

/** Encodes an address as Cloudflare does: a key byte, then every byte of the address XORed with it. */
export const cloudflare = (email: string) =>
  Buffer.from([KEY, ...Buffer.from(email).map((byte) => byte ^ KEY)]).toString('hex')

const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

const inWords = (email: string) => {
  const [user, domain = ''] = email.split('@')
  return `${user} [at] ${domain.replaceAll('.', ' {dot} ')}`
}

const inScript = (email: string) => {
  const [user, domain] = email.split('@')
  return `<script>document.write('<a href="mai' + 'lto:' + '${user}' + '@' + '${domain}' + '">' + '${user}' + '@' + '${domain}' + '</a>')</script>`
}

const plainLink = (email: string) => `<a href="mailto:${email}">${email}</a>`

const WRITE: Partial<Record<EmailMethod, (emails: readonly string[]) => string>> = {
  'mailto-list': (emails) => `<a href="MAILTO:${emails.map(encodeURIComponent).join(',')}?subject=Hello%20there">✉</a>`,
  entity: ([email = '']) => `<a href="${codes(`mailto:${email}`)}">${codes(email)}</a>`,
  text: ([email = '']) => `<p>E-Mail: ${email}.</p>`,
  'at-in-words': ([email = '']) => `<p>${inWords(email)}</p>`,
  cfemail: ([email = '']) =>
    `<span class="__cf_email__" data-cfemail="${cloudflare(email)}">[email&#160;protected]</span>`,
  'cfemail-link': ([email = '']) => `<a href="/cdn-cgi/l/email-protection#${cloudflare(email)}">✉</a>`,
  'json-ld': ([email = '']) =>
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'LocalBusiness', email })}</script>`,
  meta: ([email = '']) => `<meta itemprop="email" content="${email}">`,
  'soft-hyphen': ([email = '']) => `<p>${email.replace('@', '&shy;@&#8203;')}</p>`,
  reversed: ([email = '']) =>
    `<span style="direction: rtl; unicode-bidi: bidi-override">${[...email].reverse().join('')}</span>`,
  script: ([email = '']) => inScript(email),
  rot13: ([email = '']) => `<a class="rot13" href="${rot13(`mailto:${email}`)}">${rot13(email)}</a>`,
  none: () => '',
}

/** Returns the addresses as HTML, obfuscated by a method. A method that only selects the page gives plain links. */
export const writeEmails = (method: EmailMethod, emails: readonly string[]): string =>
  (WRITE[method] ?? ((all) => all.map(plainLink).join(' ')))(emails)
