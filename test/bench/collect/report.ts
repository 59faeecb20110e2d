import type { Case } from '../collect.ts'
import type { Usage } from '../measure.ts'
import { type Aim, aimOf, median, type Report, type ReportTable } from '../report.ts'
import type { Commands } from './commands.ts'
import type { Traffic } from './site-process.ts'

/** The cost of one contender in one run of a case. */
export type Figures = Usage &
  Traffic & {
    readonly case: string
    readonly run: number
    readonly contender: string
    readonly places: number
    /** Database commands by kind. */
    readonly commands?: Commands
  }

/** The most CPU a place of each case, as a ratio to Crawlee. */
const CPU_OF_CRAWLEE: Record<string, number> = { http: 0.8, 'http-fast': 0.8, browser: 0.3, 'browser-fast': 0.8 }
/** The most database commands a place of the product, by the case. */
const COMMANDS: Record<string, number> = { http: 0.4, area: 0.5, 'http-fast': 0.05 }

const REMARKS = [
  'CPU counts all child processes, Chromium too, from the word "go" to the end, without the start of the process.',
  'Memory is the resident memory of the process and the proportional memory of its children, at its highest.',
  'Ours have worked once before, so Node has stored their compiled code. Crawlee runs as its users start it.',
  'Every contender returned exactly the places of the simulated city.',
]

const COLUMNS: Record<string, (one: Figures) => number> = {
  places: ({ places }) => places,
  seconds: ({ wallSeconds }) => wallSeconds,
  'places/s': ({ places, wallSeconds }) => places / wallSeconds,
  'CPU s per 1,000': ({ cpuSeconds, places }) => (cpuSeconds / places) * 1_000,
  'places a minute and core': ({ cpuSeconds, places }) => (60 * places) / cpuSeconds,
  'peak MB': ({ peakMegabytes }) => peakMegabytes,
  'requests a place': ({ requests, places }) => requests / places,
  'kB a place': ({ bytes, places }) => bytes / places / 1_000,
}

/** How good the first is beside the second in the same run. */
const RATIOS: Record<string, (ours: Figures, theirs: Figures) => number> = {
  'places/s': (ours, theirs) => theirs.wallSeconds / ours.wallSeconds,
  'CPU a place': (ours, theirs) => ours.cpuSeconds / theirs.cpuSeconds,
  'peak memory': (ours, theirs) => ours.peakMegabytes / theirs.peakMegabytes,
}

/** Returns medians over the runs, the ratio of the agent to Crawlee (the median of each run's ratio), and the aims. */
export function reportOf(cases: readonly Case[], figures: readonly Figures[]): Report {
  const runsOf = (name: string, contender = '') =>
    figures.filter((one) => one.case === name && one.contender === contender)
  const value = (name: string, contender: string, column: string) =>
    median(runsOf(name, contender).map(COLUMNS[column] ?? (() => Number.NaN)))
  const ratio = (name: string, ours: string, theirs: string, column: string) => {
    const others = runsOf(name, theirs)
    return median(
      runsOf(name, ours).flatMap((our) => {
        const their = others.find(({ run }) => run === our.run)
        return their ? (RATIOS[column]?.(our, their) ?? []) : []
      }),
    )
  }
  const contenders: ReportTable = {
    title: 'Collecting the same places',
    head: ['case', 'contender', ...Object.keys(COLUMNS)],
    rows: cases.flatMap(({ name, contenders }) =>
      contenders.map((one) => [name, one, ...Object.keys(COLUMNS).map((column) => value(name, one, column))]),
    ),
  }
  const rivals: ReportTable = {
    title: 'The agent as a multiple of Crawlee (less CPU and memory is better, more speed is)',
    head: ['case', ...Object.keys(RATIOS)],
    rows: cases.flatMap(({ name, contenders: [ours, theirs] }) =>
      theirs ? [[name, ...Object.keys(RATIOS).map((column) => ratio(name, ours, theirs, column))]] : [],
    ),
  }
  const aims = cases.flatMap(({ name, contenders: [ours, theirs] }): Aim[] => {
    const cpu = theirs ? ratio(name, ours, theirs, 'CPU a place') : Number.NaN
    const commands = median(runsOf(name, 'product').map((one) => commandsAPlace(one)))
    return [
      aimOf(`${name}, CPU a place to Crawlee`, 'at most', CPU_OF_CRAWLEE[name] ?? 0, cpu),
      aimOf(`${name}, the product: database commands a place`, 'at most', COMMANDS[name] ?? 0, commands),
    ]
  })
  const images = value('browser-images', 'agent', 'CPU s per 1,000') / value('browser', 'agent', 'CPU s per 1,000')
  const all = [
    ...aims,
    aimOf('plain HTTP', 'at least', 1_000, value('http', 'agent', 'places a minute and core'), 'places a minute'),
    aimOf('plain HTTP', 'at most', 150, value('http', 'agent', 'peak MB'), 'MB'),
    aimOf('Chromium with 6 images: times the CPU of none', 'at most', 1.3, images),
    aimOf('the product, plain HTTP', 'at least', 178, value('http', 'product', 'places/s'), 'places a second'),
    aimOf('the product, all processes', 'at most', 450, value('http', 'product', 'peak MB'), 'MB'),
    aimOf('the product: times the CPU of the agent', 'at most', 2, ratio('http', 'product', 'agent', 'CPU a place')),
  ]
  return {
    tables: [contenders, rivals, commandTable(figures)],
    aims: all.filter(({ reached }) => !reached.startsWith('-')), // without those of cases that did not run
    remarks: REMARKS,
  }
}

const commandsAPlace = ({ commands = {}, places }: Figures, names = Object.keys(commands)) =>
  names.reduce((sum, name) => sum + (commands[name] ?? 0), 0) / places

function commandTable(figures: readonly Figures[]): ReportTable {
  const own = figures.filter(({ commands }) => commands)
  const kinds = Object.keys(own[0]?.commands ?? {})
  return {
    title: 'Database commands a place',
    head: ['case', 'run', 'all', ...kinds],
    rows: own.map((one) => {
      const counts = kinds.map((kind) => commandsAPlace(one, [kind]))
      return [one.case, String(one.run + 1), commandsAPlace(one), ...counts]
    }),
  }
}
