import type { Enrolment } from './identities.ts'

/** What an operator wants of an enrolled agent: to take tasks, to take no new ones, to go. */
export type AgentOrder = 'work' | 'drain' | 'leave'

/** A registration stream: the enrolled agent on it, and how to give it an order. An order may be given again. */
export type Registration = { enrolment: Enrolment; order(order: AgentOrder): void }

/** The registration streams of enrolled agents that are open on this coordinator. */
export type Registrations = {
  /** Adds a stream; call what it gives when the stream has ended. */
  add(registration: Registration): () => void
  /** Gives an order to all processes that came with the token of an enrolment. */
  order(enrolment: Enrolment, order: AgentOrder): void
  /** Whose streams are open, one for each stream. */
  enrolments(): Enrolment[]
}

/** No registrations yet. */
export function createRegistrations(): Registrations {
  const open = new Set<Registration>()
  return {
    add(registration) {
      open.add(registration)
      return () => open.delete(registration)
    },
    order({ hash }, order) {
      for (const registration of open) if (registration.enrolment.hash === hash) registration.order(order)
    },
    enrolments: () => [...open].map(({ enrolment }) => enrolment),
  }
}
