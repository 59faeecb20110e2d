import type { Usage } from '../measure.ts'
import { type Aim, figure, median, type Report, type ReportTable } from '../report.ts'
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

/** The contenders of a case: ours, the one it is compared with, and others that are only shown. */
type Compared = { readonly name: string; readonly contenders: readonly [string, ...string[]] }

type Shown = ReturnType<typeof shownOf>
type Ratios = { readonly speed: number; readonly cpu: number; readonly memory: number }

/** The least places a minute on one core over plain HTTP. */
const PLACES_A_MINUTE = 1_000
/** The most memory of the agent over plain HTTP, in MB. */
const MEGABYTES = 150
/** The most CPU a place of each case, as a ratio to Crawlee. */
const CPU_OF_CRAWLEE = { http: 0.8, 'http-fast': 0.8, browser: 0.3, 'browser-fast': 0.8 }

/** The most CPU a place with images of the gallery, as a ratio to none. */
const CPU_OF_NO_IMAGES = 1.3

/** The aims of the whole product, some compared with the agent alone. */
const PRODUCT = { timesAgentCpu: 2, placesPerSecond: 178, megabytes: 450 }
/** The most database commands a place of the product, by the case. */
const COMMANDS: Record<string, number> = { http: 0.4, area: 0.5, 'http-fast': 0.05 }

/** Returns medians over the runs, the ratio of the agent to Crawlee (the median of each run's ratio), and the aims. */
export function reportOf(cases: readonly Compared[], figures: readonly Figures[]): Report {
  const shown = cases.flatMap(({ name, contenders }) => contenders.map((one) => shownOf(name, one, figures)))
  const ratios = Object.fromEntries(
    cases.flatMap(({ name, contenders: [a, b] }) => (b === undefined ? [] : [[name, ratiosOf(name, a, b, figures)]])),
  )
  const aims = [...aimsOf(shown, ratios), ...productAims(shown, figures)]
  return {
    figures: { bench: 'collect', contenders: shown, ratios, aims, runs: figures },
    tables: [contenderTable(shown), ratioTable(ratios), commandTable(figures)],
    aims,
    remarks: ['', ...REMARKS],
  }
}

const REMARKS = [
  'CPU counts all child processes, Chromium too, from the word "go" to the end, without the start of the process.',
  'Memory is the resident memory of the process and the proportional memory of its children, at its highest.',
  'Ours have worked once before, so Node has stored their compiled code. Crawlee runs as its users start it.',
  'Every contender returned exactly the places of the simulated city.',
]

function shownOf(name: string, contender: string, figures: readonly Figures[]) {
  const own = figures.filter((one) => one.case === name && one.contender === contender)
  const of = (pick: (one: Figures) => number) => median(own.map(pick))
  const cpuPer1000 = of(({ cpuSeconds, places }) => (cpuSeconds / places) * 1_000)
  return {
    case: name,
    contender,
    places: of(({ places }) => places),
    seconds: of(({ wallSeconds }) => wallSeconds),
    placesPerSecond: of(({ places, wallSeconds }) => places / wallSeconds),
    cpuSecondsPer1000: cpuPer1000,
    placesPerCoreMinute: 60_000 / cpuPer1000,
    peakMegabytes: of(({ peakMegabytes }) => peakMegabytes),
    requestsPerPlace: of(({ requests, places }) => requests / places),
    kilobytesPerPlace: of(({ bytes, places }) => bytes / places / 1_000),
  }
}

function ratiosOf(name: string, ours: string, theirs: string, figures: readonly Figures[]): Ratios {
  const pairs = figures
    .filter((one) => one.case === name && one.contender === ours)
    .flatMap((our) => {
      const their = figures.find((one) => one.case === name && one.run === our.run && one.contender === theirs)
      return their ? [{ our, their }] : []
    })
  const of = (pick: (one: Figures) => number) => median(pairs.map(({ our, their }) => pick(our) / pick(their)))
  return {
    speed: of(({ wallSeconds }) => 1 / wallSeconds),
    cpu: of(({ cpuSeconds }) => cpuSeconds),
    memory: of(({ peakMegabytes }) => peakMegabytes),
  }
}

function aimsOf(shown: readonly Shown[], ratios: Record<string, Ratios>): Aim[] {
  const http = shown.find(({ case: name, contender }) => name === 'http' && contender === 'agent')
  const httpAims = http && [
    {
      aim: `plain HTTP: at least ${PLACES_A_MINUTE} places a minute on one core`,
      reached: `${Math.round(http.placesPerCoreMinute)}`,
      met: http.placesPerCoreMinute >= PLACES_A_MINUTE,
    },
    {
      aim: `plain HTTP: within ${MEGABYTES} MB`,
      reached: `${Math.round(http.peakMegabytes)} MB`,
      met: http.peakMegabytes <= MEGABYTES,
    },
  ]
  const cpuAims = Object.entries(CPU_OF_CRAWLEE).flatMap(([name, most]) => {
    const cpu = ratios[name]?.cpu
    if (cpu === undefined) return []
    return [{ aim: `${name}: at most ${most} of Crawlee's CPU a place`, reached: cpu.toFixed(2), met: cpu <= most }]
  })
  return [...(httpAims ?? []), ...cpuAims, ...imagesAim(shown)]
}

function imagesAim(shown: readonly Shown[]): Aim[] {
  const cpuOf = (name: string) => shown.find((one) => one.case === name && one.contender === 'agent')?.cpuSecondsPer1000
  const [none, six] = [cpuOf('browser'), cpuOf('browser-images')]
  if (none === undefined || six === undefined) return []
  return [aim('Chromium with 6 images: times the CPU of none', 'at most', CPU_OF_NO_IMAGES, six / none)]
}

// Speed, memory and CPU are those of the pages of places. An area searches far more, and fast mode has no pages.
function productAims(shown: readonly Shown[], figures: readonly Figures[]): Aim[] {
  return shown.flatMap(({ case: name, contender, placesPerSecond, peakMegabytes }) => {
    const own = figures.filter((one) => one.case === name && one.contender === contender && one.commands)
    if (own.length === 0) return []
    const commands = median(own.map((one) => commandsPerPlace(one)))
    const most = COMMANDS[name]
    const commandsAims =
      most === undefined ? [] : [aim(`${name}, the product: database commands a place`, 'at most', most, commands)]
    if (name !== 'http') return commandsAims
    const { cpu } = ratiosOf(name, contender, 'agent', figures)
    return [
      ...commandsAims,
      aim(`${name}, the product: places a second`, 'at least', PRODUCT.placesPerSecond, placesPerSecond),
      aim(`${name}, the product: MB of all processes`, 'at most', PRODUCT.megabytes, peakMegabytes),
      aim(`${name}, the product: times the CPU of the agent`, 'at most', PRODUCT.timesAgentCpu, cpu),
    ]
  })
}

const aim = (what: string, side: 'at most' | 'at least', bound: number, value: number): Aim => ({
  aim: `${what}, ${side} ${bound}`,
  reached: figure(value),
  met: side === 'at most' ? value <= bound : value >= bound,
})

const commandsPerPlace = ({ commands = {}, places }: Figures, names = Object.keys(commands)) =>
  names.reduce((sum, name) => sum + (commands[name] ?? 0), 0) / places

function commandTable(figures: readonly Figures[]): ReportTable {
  const own = figures.filter(({ commands }) => commands)
  const kinds = Object.keys(own[0]?.commands ?? {})
  return {
    title: 'Database commands a place',
    head: ['case', 'run', 'all', ...kinds],
    rows: own.map((one) => [
      one.case,
      String(one.run + 1),
      commandsPerPlace(one),
      ...kinds.map((kind) => commandsPerPlace(one, [kind])),
    ]),
  }
}

function contenderTable(shown: readonly Shown[]): ReportTable {
  return {
    title: 'Collecting the same places',
    head: [
      'case',
      'contender',
      'places',
      'seconds',
      'places/s',
      'CPU s per 1,000',
      'places a minute and core',
      'peak MB',
      'requests a place',
      'kB a place',
    ],
    rows: shown.map((one) => Object.values(one)),
  }
}

function ratioTable(ratios: Record<string, Ratios>): ReportTable {
  return {
    title: 'The agent as a multiple of Crawlee (less CPU and memory is better, more speed is)',
    head: ['case', 'places/s', 'CPU a place', 'peak memory'],
    rows: Object.entries(ratios).map(([name, { speed, cpu, memory }]) => [name, speed, cpu, memory]),
  }
}
