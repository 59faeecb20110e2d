const MAX_LENGTH = 80

/** Control and format characters (text direction among them), and what some file system forbids. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu

/**
 * The `Content-Disposition` of a download named after a job: a plain name for old clients and the full one in UTF-8 (RFC
 * 6266), both safe in a header and on a disk, whatever the job is called.
 */
export function attachmentNamed(jobName: string, extension: string): string {
  const name = tidy(jobName.toWellFormed().normalize('NFC').replaceAll(UNSAFE, ' ')) || 'places'
  const plain = tidy(
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^\w .-]+/g, '_'),
  )
  const ascii = /[A-Za-z0-9]/.test(plain) ? plain : 'places'
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${encoded(name)}.${extension}`
}

/** White space in one piece, no dots or spaces at the ends (hidden files, Windows), not too long. */
function tidy(name: string): string {
  const ends = /^[\s.]+|[\s.]+$/g
  const cut = [...name.replaceAll(/\s+/g, ' ').replaceAll(ends, '')].slice(0, MAX_LENGTH).join('')
  return cut.replaceAll(ends, '')
}

/** RFC 8187: what `encodeURIComponent` leaves alone but a header parameter may not hold. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
