import { readOptions, UsageError } from './arguments.ts'
import { CALM, CASES, type Case } from './hostile/cases.ts'
import { type Figures, runCase } from './hostile/run-case.ts'
import type { Aim, Report } from './report.ts'

type Judged = Figures & Case

/**
 * Collects one search and its places on a site in each mode alone and in several together. Reports the found share of
 * the truth, the cost, and both compared with a calm site. `--only TEXT`, also repeated, selects the cases with this
 * text in their name.
 */
export async function benchHostile(args: string[], say: (step: string) => void): Promise<Report> {
  const [only = ['']] = readOptions(args, {}, ['only']).texts
  const chosen = CASES.filter(({ name }) => only.some((text) => name.includes(text)))
  if (chosen.length === 0) throw new UsageError(`--only: no case has "${only.join('" or "')}" in its name`)
  const all: Judged[] = []
  for (const one of [CALM, ...chosen]) {
    say(one.name)
    all.push({ ...one, ...(await runCase(one)) })
  }
  const calm = all[0]?.requests ?? Number.NaN
  return {
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
        ],
        rows: all.map((one) => [
          one.name,
          `${one.places}/${one.truth}`,
          one.whole,
          `${one.reviews}/${one.reviewsTruth}`,
          one.requests,
          one.requestsAPlace,
          one.requests / calm,
          one.refused,
          one.needless,
          one.snoozes,
          one.seconds,
        ]),
      },
    ],
    aims: aimsOf(all),
  }
}

function aimsOf(all: readonly Judged[]): Aim[] {
  const given = all.filter(({ gives }) => gives !== 'less')
  const everything = given.filter(({ gives }) => gives === 'everything')
  const badDay = all.filter(({ name }) => name === 'a bad day')
  const resting = all.filter(({ climbs }) => !climbs)
  return [
    none('every place where the site gives it', given, ({ places, truth }) => places < truth),
    none('every field where the site gives it', everything, ({ whole, truth }) => whole < truth),
    none('98 % of the reviews where the site gives them', everything, (one) => one.reviews < 0.98 * one.reviewsTruth),
    none('no refusal during a rest', resting, ({ needless }) => needless > 0),
    none('98 % of the places on a bad day', badDay, ({ places, truth }) => places < 0.98 * truth),
    none('at most 2.5 requests a place on a bad day, without reviews', badDay, (one) => one.requestsAPlace > 2.5),
    none('no attempt spent on a block', all, ({ spent }) => spent > 0),
  ]
}

/** An aim that no case may miss. */
function none(aim: string, cases: readonly Judged[], misses: (one: Judged) => boolean): Aim {
  const missed = cases.filter(misses).map(({ name }) => name)
  const reached = `${cases.length - missed.length} of ${cases.length}${missed.length > 0 ? `, not ${missed.join('; ')}` : ''}`
  return { aim, reached, met: missed.length === 0 }
}
