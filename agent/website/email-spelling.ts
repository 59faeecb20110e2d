import { isOwnAddress, type OwnSites } from './email-address.ts'
import { decodeEscapes, plainText } from './email-codes.ts'
import { AT_PICTURE, MAX_PAGE_CHARACTERS } from './page.ts'

/** Words for the sign `@` in the languages of a job. Beside a domain they rarely mean anything else. */
const SIGN_WORDS =
  `arroba arrobase arobase arobas aroba chiocciola małpa malpa zavináč zavinac kukac собака собачка равлик
  маймунка кльомба snabel-?a apenstaartje apestaartje παπάκι παπακι krøllalfa krollalfa klammeraffe kanelbulle
  miukumauku 골뱅이 アットマーク アット あっと שטרודל`
    .split(/\s+/)
    .join('|')

/** Words for `@` in brackets. */
const BRACKETED_SIGNS = `at|ät|@|αt|et|ett|eta|afna|arond|a rond|at-sign|at-zeichen|艾特|${SIGN_WORDS}`

/** Words for the dot of a domain. */
const DOT_WORDS =
  `dot punkt punktum punto ponto point punt piste pont kropka tečka tecka točka tocka bodka pika punct точка
  крапка τελεία τελεια nokta taškas taskas punkts titik chấm ピリオド ドット どっと 点 點 점 닷 จุด نقطة נקודה`
    .split(/\s+/)
    .join('|')

/** Names of mailboxes that rarely come before "at" in an English sentence. */
const MAILBOXES =
  `info infos mail email e-mail kontakt contact contacto contatto contato office hello hallo hola hi sales support
  reservation reservations reservierung bestellung admin praxis kanzlei buero anfrage ciao bonjour recepcion reception
  rezeption biuro sekretariat zakaz enquiries inquiries`
    .split(/\s+/)
    .join('|')

/** Names of mailboxes that often come before "at" in a sentence: "order at …", "our team at …". */
const WORDY_MAILBOXES = 'service|team|post|booking|shop|welcome|order|orders|studio'

// A trap in capitals: infoNOSPAM@shop.de.
const TRAP =
  /(?<=[a-z0-9@._-])[-._]?(?:NO-?SPAM|REMOVE-?(?:THIS|ME)?|ENTFERNEN|DELETE-?(?:THIS|ME))[-._]?(?=[a-z0-9@.])/g

/** A possible address in two forms: as long as possible, and with only the ASCII beginning of its host. */
export type Candidate = readonly [longest: string, ascii: string]

const OPEN = `[[({<|*"“«‹【〔「『]`
const CLOSE = `[\\])}>|*"”»›】〕」』]`
const BRACKETED_AT = new RegExp(
  `\\s{0,3}(?:${OPEN}{1,2}\\s{0,3}-?(?:${BRACKETED_SIGNS})-?\\s{0,3}${CLOSE}{1,2}|_at_|(?<=\\s)-at-(?=\\s))\\s{0,3}`,
  'giu',
)
const BRACKETED_DOT = new RegExp(
  `\\s{0,3}(?:${OPEN}{1,2}\\s{0,3}-?(?:${DOT_WORDS}|\\.)-?\\s{0,3}${CLOSE}{1,2}|_dot_|(?<=\\s)-dot-(?=\\s))\\s{0,3}`,
  'giu',
)
// "(a)" also numbers paragraphs, so a domain must follow.
const SHORT_AT = /(?<=[a-z0-9_])\s{0,3}[[(]\s{0,3}a\s{0,3}[\])]\s{0,3}(?=[\p{L}\p{N}-]{2,63}\.[\p{L}\p{N}])(?!www\.)/giu

const DOTTED_DOMAIN = '[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,4}'
const spokenDot = (dot: string) => ` {1,3}(?:${dot}) {1,3}`
const spokenDomain = (dot: string) => `[a-z0-9-]{1,63}(?:${spokenDot(dot)}[a-z0-9-]{1,63}){1,4}`
const spoken = (at: string, dot: string) =>
  new RegExp(`(?<![a-z0-9._%+-])([a-z0-9._%+-]{1,64}) {1,3}(?:${at}) {1,3}(${spokenDomain(dot)})`, 'giu')
// "point" and "punto" are everyday words, so "at" is not enough before them: "look at my point de vue".
const SPOKEN = spoken('at|ät|@', 'dot|punkt')
const SPOKEN_SIGN = spoken(SIGN_WORDS, DOT_WORDS)
const SIGN_WORD = new RegExp(` (?:@|${SIGN_WORDS}) `, 'iu')
const SPOKEN_AFTER_AT = new RegExp(`(.?)@(${spokenDomain(DOT_WORDS)})`, 'giu')
const SPOKEN_DOT = new RegExp(spokenDot(DOT_WORDS), 'giu')
const MAILBOX_SIGN = new RegExp(
  `(?<![a-z0-9._%+@-])(${MAILBOXES}|${WORDY_MAILBOXES}) {1,3}(?:@|${SIGN_WORDS}) {1,3}(${DOTTED_DOMAIN})`,
  'giu',
)
// "More info at shop.de" is not an address: the name must begin a line or follow a label, and the domain must end the
// line.
const MAILBOX_AT = new RegExp(
  `(?<=(?:^|[:|]) {0,3})(${MAILBOXES}) {1,3}at {1,3}(${DOTTED_DOMAIN})(?=\\.? {0,3}(?:$|[|,;)]))`,
  'gimu',
)

// "info@ shop.de": a slip. A name on an own site or of a mailbox tells it from "follow us@ shop.de".
const SPLIT_AFTER_SIGN = new RegExp(`(?<![a-z0-9._%+@-])([a-z0-9._%+-]{1,64})@ (${DOTTED_DOMAIN})(?![a-z0-9@])`, 'giu')
const MAILBOX = new RegExp(`^(?:${MAILBOXES}|${WORDY_MAILBOXES})$`, 'iu')
// A picture counts as the sign only within an address: it also stands before one, as a label.
const SHOWN_AT = new RegExp(`(?<=[a-z0-9_])\\s{0,2}${AT_PICTURE}\\s{0,2}(?=${DOTTED_DOMAIN}(?![a-z0-9.-]*@))`, 'giu')
const OTHER_PICTURES = new RegExp(AT_PICTURE, 'g')

const LOCAL = /[a-z0-9._%+'&-]{0,65}$/i
const HOST = /^[a-z0-9.-]{0,253}/i
const WIDE_HOST = /^[\p{L}\p{N}\p{M}.-]{0,253}/u
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
const MAX_HOST = 253
const MAX_USER_PART = 160
const HOST_END = /[\s/?#\\<>"'|,;]/
// A page with more is an attack on the crawler's time.
const MAX_CANDIDATES = 20_000

/**
 * Rewrites disguised addresses in plain form: `info [at] shop {dot} de`, full-width, escaped and invisible letters.
 * `info at shop.de` counts only for the own sites, because elsewhere it is more often a sentence.
 */
export function plainSpelling(text: string, sites: OwnSites): string {
  const plain = plainText(decodeEscapes(text))
    .slice(0, MAX_PAGE_CHARACTERS) // one letter can become eighteen
    .replace(TRAP, '')
    .replace(SHOWN_AT, '@')
    .replace(OTHER_PICTURES, ' ')
    .replace(BRACKETED_AT, '@')
    .replace(BRACKETED_DOT, '.')
    .replace(SHORT_AT, '@')
  return SPELLED_OUT.reduce(
    (read, { mark, pattern, written }) =>
      mark.test(read)
        ? read.replace(pattern, (whole, local: string, domain: string) => written(local, domain, sites) ?? whole)
        : read,
    plain,
  )
}

/**
 * A way to spell an address out in words. `mark` is in each text that `pattern` finds, and is found twenty times as
 * fast: a pattern that begins with a name is tried at each word. `written`: the address; undefined if it is none.
 */
type Spelling = {
  readonly mark: RegExp
  readonly pattern: RegExp
  readonly written: (local: string, domain: string, sites: OwnSites) => string | undefined
}

const dotted = (local: string, domain: string) => `${local}@${domain.replace(SPOKEN_DOT, '.')}`

/** In the order in which they are rewritten. */
const SPELLED_OUT: readonly Spelling[] = [
  { mark: / (?:dot|punkt) /iu, pattern: SPOKEN, written: dotted },
  { mark: SIGN_WORD, pattern: SPOKEN_SIGN, written: dotted },
  { mark: /@/, pattern: SPOKEN_AFTER_AT, written: dotted },
  { mark: SIGN_WORD, pattern: MAILBOX_SIGN, written: (local, domain) => `${local}@${domain}` },
  {
    mark: /@ /,
    pattern: SPLIT_AFTER_SIGN,
    written: (local, domain, sites) =>
      MAILBOX.test(local) || mayBeOwn(domain, sites) ? `${local}@${domain}` : undefined,
  },
  {
    mark: / at /iu,
    pattern: MAILBOX_AT,
    written: (local, domain, sites) => (isOwnAddress(`${local}@${domain}`, sites) ? `${local}@${domain}` : undefined),
  },
]

// Without the list of public suffixes, which takes time.
const mayBeOwn = (domain: string, sites: OwnSites): boolean => sites.some((site) => domain.toLowerCase().endsWith(site))

/**
 * Finds the possible addresses in a text of plain spelling, each once. Reads at most the length of an address to both
 * sides of each `@`, so the time is linear in the length of the text. A host may have letters beyond ASCII. In Japanese
 * or Chinese the sentence may continue after the host without a space, so the ASCII beginning of the host is also a
 * candidate.
 */
export function candidatesIn(text: string): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (let at = text.indexOf('@'); at >= 0 && candidates.size < MAX_CANDIDATES; at = text.indexOf('@', at + 1)) {
    const local = localBefore(text, at)
    const after = text.slice(at + 1, at + 1 + MAX_HOST)
    const longest = WIDE_HOST.exec(after)?.[0] ?? ''
    if (local === '' || longest === '') continue
    candidates.set(`${local}@${longest}`, [`${local}@${longest}`, `${local}@${HOST.exec(after)?.[0] ?? ''}`])
  }
  return [...candidates.values()]
}

function localBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_USER_PART), at)
  // No more than can matter, because the time grows with the square of the length.
  const local = LOCAL.exec(before.slice(-66))?.[0] ?? ''
  const letter = before.at(-local.length - 1) ?? ''
  // An umlaut or a look-alike letter belongs to the name, and "@shop@social.net" is not a mailbox.
  return ALPHABETIC.test(letter) || letter === '@' || isUserPart(before) ? '' : local
}

// "https://user:password@shop.de" is not an address: nothing ends the host between the scheme and the "@".
function isUserPart(before: string): boolean {
  const scheme = before.lastIndexOf('://')
  return scheme >= 0 && !HOST_END.test(before.slice(scheme + 3))
}
