import { parseArgs } from 'node:util'
import { UsageError } from './arguments.ts'
import { CALM, CASES, type Case } from './hostile/cases.ts'
import { type Figures, runCase } from './hostile/run-case.ts'
import type { Progress } from './progress.ts'
import { type Aim, figure, type Report } from './report.ts'

type Judged = Figures & Pick<Case, 'gives' | 'climbs'>

/**
 * Collects one search and its places on a site in each mode alone and in several together. Reports the found share of
 * the truth, the cost, and both compared with a calm site. `--only TEXT`, also repeated, selects the cases with this
 * text in their name.
 */
export async function benchHostile(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', multiple: true, default: [''] } } })
  const chosen = CASES.filter(({ name }) => values.only.some((text) => name.includes(text)))
  if (chosen.length === 0) throw new UsageError(`--only: no case has "${values.only.join('" or "')}" in its name`)
  progress.begin(chosen.length + 1)
  const figures: Judged[] = []
  for (const one of [CALM, ...chosen]) {
    progress.now(one.name)
    figures.push({ ...(await runCase(one)), gives: one.gives, climbs: one.climbs ?? false })
    progress.done()
  }
  return reportOf(figures)
}

function reportOf(figures: readonly Judged[]): Report {
  const aims = aimsOf(figures)
  const [calm] = figures
  const ratio = (one: Figures, of: 'requests' | 'seconds') => one[of] / (calm?.[of] ?? Number.NaN)
  return {
    figures: { bench: 'hostile', cases: figures, aims },
    tables: [
      {
        title: 'One keyword, its places and up to 30 reviews of each; one request at a time, first rest 0.5 to 1 s',
        head: [
          'site',
          'places',
          'whole',
          'reviews',
          'requests',
          'a place',
          'ratio',
          'refused',
          'in a rest',
          'waits',
          's',
          'ratio',
        ],
        rows: figures.map((one) => [
          one.name,
          `${one.places}/${one.truth}`,
          one.whole,
          `${one.reviews}/${one.reviewsTruth}`,
          one.requests,
          one.requestsAPlace,
          ratio(one, 'requests'),
          one.refused,
          one.needless,
          one.snoozes,
          one.seconds,
          ratio(one, 'seconds'),
        ]),
      },
    ],
    aims,
    remarks: [],
  }
}

function aimsOf(figures: readonly Judged[]): Aim[] {
  const given = figures.filter(({ gives }) => gives !== 'less')
  const everything = given.filter(({ gives }) => gives === 'everything')
  return [
    none('every place where the site gives it', given, ({ places, truth }) => places < truth),
    none('every field where the site gives it', everything, ({ whole, truth }) => whole < truth),
    none(
      '98 % of the reviews where the site gives them',
      everything,
      ({ reviews, reviewsTruth }) => reviews < 0.98 * reviewsTruth,
    ),
    none(
      'no refusal during a rest',
      figures.filter(({ climbs }) => !climbs),
      ({ needless }) => needless > 0,
    ),
    none(
      'at most 2.5 requests a place, without those for reviews, and 98 % of the places on a bad day',
      figures.filter(({ name }) => name === 'a bad day'),
      ({ requestsAPlace, places, truth }) => requestsAPlace > 2.5 || places < 0.98 * truth,
    ),
    none('no attempt spent on a block', figures, ({ spent }) => spent > 0),
  ]
}

/** An aim that no case may miss. */
function none(aim: string, cases: readonly Judged[], misses: (one: Judged) => boolean): Aim {
  const missed = cases.filter(misses).map(({ name }) => name)
  const reached = `${figure(cases.length - missed.length)} of ${cases.length}${missed.length > 0 ? `, not ${missed.join('; ')}` : ''}`
  return { aim, reached, met: missed.length === 0 }
}
