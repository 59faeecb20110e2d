// Draws the picture of the README from the demo's output:
//   npm run --silent demo -- --keyword bakery | node deploy/demo/picture.ts > deploy/demo/demo.svg
import { text } from 'node:stream/consumers'

const COLUMN = 7.8
const LINE = 17
const MARGIN = 20
const TITLE_BAR = 34

const escaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0')

/** Commands in green, tables in white, the rest in grey. */
function colorOf(line: string): string {
  if (line.startsWith('$')) return '#7ee787'
  return /^[│┌└]/.test(line) ? '#e6edf3' : '#9da7b3'
}

/** Returns a terminal window with these lines, as SVG. */
function terminal(lines: readonly string[]): string {
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * COLUMN + 2 * MARGIN)
  const height = TITLE_BAR + lines.length * LINE + MARGIN
  const rows = lines.map((line, index) => {
    const length = line === '' ? '' : ` textLength="${(line.length * COLUMN).toFixed(1)}"`
    return `<text x="${MARGIN}" y="${TITLE_BAR + (index + 1) * LINE}" fill="${colorOf(line)}"${length}>${escaped(line)}</text>`
  })
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, index) => `<circle cx="${MARGIN + index * 20}" cy="18" r="6" fill="${color}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${lights.join('')}
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13">
${rows.join('\n')}
</g>
</svg>
`
}

/** Returns the output without the directory of the CSV file, which differs between machines. */
const lines = (await text(process.stdin))
  .trimEnd()
  .replace(/CSV: .*\//, 'CSV: ')
  .split('\n')
process.stdout.write(terminal(['$ npm run demo -- --keyword bakery', '', ...lines]))
