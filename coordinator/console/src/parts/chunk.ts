import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const RELOADED = 'placefleet-reloaded'
const LOOK_AGAIN_MS = 2_000

/** What the loader needs of the browser. */
export type Tab = {
  /** The name of this build of the console. */
  build: string
  /** Returns whether the server answers. */
  isReachable(): Promise<boolean>
  wait(ms: number): Promise<void>
  reload(): void
  storage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Loads a part of the console. While the server is away, it waits. A part that the server does not have belongs to an
 * older build than the server's: the page is loaded anew, once a build.
 * @throws the failure when a new load of the page did not help.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>, tab: Tab): Promise<Chunk> {
  try {
    return await load()
  } catch {
    while (!(await tab.isReachable())) await tab.wait(LOOK_AGAIN_MS)
    return await load().catch((failure) => loadPageAnew(failure, tab))
  }
}

function loadPageAnew(failure: unknown, { build, reload, storage }: Tab): Promise<never> {
  if (storage.getItem(RELOADED) === build) throw failure
  storage.setItem(RELOADED, build)
  reload()
  return new Promise(() => undefined) // the page goes away
}

const thisTab = (): Tab => ({
  build: import.meta.url,
  isReachable: () =>
    fetch('/livez', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  reload: () => location.reload(),
  storage: sessionStorage,
})

/** Loads code in a chunk of its own. */
export const loadPart = <Part>(load: () => Promise<Part>): Promise<Part> => loadChunk(load, thisTab())

/** A component in a chunk of its own. */
// biome-ignore lint/suspicious/noExplicitAny: as the type of `lazy`
export const lazyChunk = <Component extends ComponentType<any>>(
  load: () => Promise<{ default: Component }>,
): LazyExoticComponent<Component> => lazy(() => loadPart(load))
