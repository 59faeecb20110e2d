/** A text with the decimal digits of some scripts in ASCII, each script named by its zero; in Unicode a script's ten stand in a row. */
export function asciiDigits(text: string, zeros: readonly number[]): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}
