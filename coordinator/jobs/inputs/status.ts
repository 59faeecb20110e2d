import { keyOfNamed, readNamedPlace } from '@placefleet/shared/named-place'
import type { KnownInput } from '../../tasks/inputs.ts'
import type { JobInput } from './schema.ts'

/**
 * Returns the texts that name places by the keys of these places, each with the first text that names it, in the order
 * of the texts.
 */
export function inputsByKey(texts: readonly string[]): Map<string, string> {
  const inputs = new Map<string, string>()
  for (const text of texts) {
    const key = inputKey(text)
    if (!inputs.has(key)) inputs.set(key, text)
  }
  return inputs
}

/** Returns the key under which a job lists the place that a text names (`keyOfNamed`). */
export function inputKey(text: string): string {
  const named = readNamedPlace(text)
  return named ? keyOfNamed(named) : text // a request with another text is refused
}

/** What the inputs of a job have come to. */
export type InputsState = {
  /** By the keys of their references. */
  references: ReadonlyMap<string, Omit<KnownInput, 'place_key'>>
  /** The stored places by their keys. `input`: the text that brought the place; absent when a search did. */
  stored: ReadonlyMap<string, { _id: number; input?: string }>
  /** Whether the job has ended. */
  isOver: boolean
  /** Whether the task that collects the reference at this position has ended. */
  isTried(position: number): boolean
}

/**
 * Returns what became of an input. Nothing stores it: it follows from the stored places, the references and the open
 * tasks.
 * @param isFirst whether no text before it names the same place
 */
export function inputStatus(input: string, isFirst: boolean, state: InputsState): JobInput {
  const key = inputKey(input)
  const { found_key = key, missed, position } = state.references.get(key) ?? {}
  const place = state.stored.get(found_key)
  if (place) return { input, status: isFirst && place.input === input ? 'stored' : 'duplicate', result_id: place._id }
  if (!isFirst) return { input, status: 'duplicate' }
  if (!state.isOver && !(position !== undefined && state.isTried(position))) return { input, status: 'pending' }
  return { input, status: missed ?? 'failed' }
}
