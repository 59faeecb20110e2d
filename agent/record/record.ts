import type { PathReport } from '@placefleet/shared/path-report'
import type { OnPath } from '../doctor/check-exit.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Bundle, Manifest } from './bundle.ts'
import { judge } from './judge.ts'
import { type DoorExchange, sanitize } from './sanitize.ts'

/** Keeps what a check of the paths sees, and makes a bundle of it that may be shown to others. */
type Recorder = {
  readonly onPath: OnPath
  bundle(report: PathReport, asked: Pick<Manifest, 'keyword' | 'language'>): Promise<Bundle>
}

export function createRecorder(): Recorder {
  const recording: Promise<DoorExchange | undefined>[] = []
  return {
    onPath({ rung, door }, exchanges) {
      for (const exchange of exchanges) {
        recording.push(exchange.answer.then((answer) => answer && { path: { rung, door }, exchange, answer }))
      }
    },
    async bundle(report, { keyword, language }) {
      const recorded = (await Promise.all(recording)).filter((pair) => pair !== undefined)
      const now = Date.parse(report.checked_at)
      const address = report.exits.find((exit) => exit.address !== undefined)?.address
      const { pairs, removed } = sanitize(recorded, now, address)
      const texts = new Map<string, string>()
      const named = pairs.map(({ text, ...pair }, at) => {
        const file = `${String(at + 1).padStart(3, '0')}.txt`
        texts.set(file, text)
        const { url, status } = pair.answer
        const { kind, verdict, fields } = judge({ url, status, text, scripts: pair.by === 'chromium' }, now)
        return { file, ...pair, read: { kind, verdict, fields: { ...fields } } }
      })
      const { version } = manifest
      const safe = { report: withoutExits(report), removed, pairs: named }
      return { manifest: { format: 1, version, recorded_at: report.checked_at, keyword, language, ...safe }, texts }
    },
  }
}

/** A report that names no proxy and no address. */
const withoutExits = (report: PathReport): PathReport => ({
  ...report,
  exits: report.exits.map(({ exit, paths, causes }, at) => ({
    exit: exit === 'own address' ? exit : `proxy ${at + 1}`,
    paths,
    causes,
  })),
})
