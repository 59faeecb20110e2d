/** The ways to ask the map site, cheapest first: plain HTTP, HTTP with Chromium's cookies, the page in Chromium. */
export const RUNGS = ['http', 'cookies', 'browser'] as const
export type Rung = (typeof RUNGS)[number]

/** What is asked of the map site; each is served on rungs of its own. */
export type Subject = 'search' | 'place' | 'reviews' | 'photos'

/**
 * What was learned of a subject: the rung to begin at; `proven`, that this rung gives everything, so that what is missing
 * from an answer is missing from the place; `failedClimbs`, how many climbs to the top brought no complete answer.
 */
export type Lesson = { readonly rung: Rung; readonly proven: boolean; readonly failedClimbs: number }

/** What a task knows of its ladder. */
export type LadderMemory = {
  of(subject: Subject): Lesson
  learn(subject: Subject, lesson: Lesson): void
}

/** What an agent remembers over its tasks, for a while. */
export type LadderHints = {
  /** The memory of a new task. Tasks over users' proxies and tasks without are different sessions to the site. */
  forTask(proxied: boolean): LadderMemory
}

/** The site may relax, and cheap rungs are worth trying again. */
const REMEMBERED_MS = 300_000

const NOTHING: Lesson = { rung: 'http', proven: false, failedClimbs: 0 }

/** Hints that are empty; `now` is the clock in milliseconds. */
export function createLadderHints(now: () => number = Date.now): LadderHints {
  const hints = new Map<string, { lesson: Lesson; until: number }>()
  return {
    forTask(proxied) {
      const lessons = new Map<Subject, Lesson>()
      const hinted = (subject: Subject) => {
        const hint = hints.get(`${subject} ${proxied}`)
        return hint && hint.until > now() ? hint.lesson : NOTHING
      }
      return {
        of: (subject) => lessons.get(subject) ?? hinted(subject),
        learn(subject, lesson) {
          const before = lessons.get(subject) ?? hinted(subject)
          if (same(before, lesson)) return // a hint is not renewed by following it, or it would never be tested
          lessons.set(subject, lesson)
          hints.set(`${subject} ${proxied}`, { lesson, until: now() + REMEMBERED_MS })
        },
      }
    },
  }
}

function same(a: Lesson, b: Lesson): boolean {
  return a.rung === b.rung && a.proven === b.proven && a.failedClimbs === b.failedClimbs
}
