const MAX_LENGTH = 80

/** Control and format characters, including those of text direction, and the characters that file systems forbid. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu

/**
 * Returns the `Content-Disposition` of a download named after a job: an ASCII name for old clients, and the full name
 * in UTF-8 (RFC 6266). Both are safe in a header and in file systems for every job name.
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

/** Collapses white space, removes dots and spaces at the ends (hidden files, Windows), and limits the length. */
function tidy(name: string): string {
  const ends = /^[\s.]+|[\s.]+$/g
  const cut = [...name.replaceAll(/\s+/g, ' ').replaceAll(ends, '')].slice(0, MAX_LENGTH).join('')
  return cut.replaceAll(ends, '')
}

/** Percent-encodes a header parameter by RFC 8187, which allows fewer characters than `encodeURIComponent`. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
