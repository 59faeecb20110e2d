import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement, type ReactNode } from 'react'
import { create } from 'react-test-renderer'
import { onTestFinished } from 'vitest'

/** A hook in a component of its own, without a browser. */
export type RenderedHook<Result, Props> = {
  /** What the hook returned last. */
  result: () => Result
  render(props: Props): Promise<void>
  act(change: () => unknown): Promise<void>
}

/** Runs a hook until the end of the test. */
export async function renderHook<Result, Props>(
  hook: (props: Props) => Result,
  props: Props,
  queries?: QueryClient,
): Promise<RenderedHook<Result, Props>> {
  const results: Result[] = []
  function Probe({ props }: { props: Props }): ReactNode {
    results.push(hook(props))
    return null
  }
  const within = (next: Props) => {
    const probe = createElement(Probe, { props: next })
    return queries ? createElement(QueryClientProvider, { client: queries }, probe) : probe
  }
  const root = await acting(() => create(within(props)))
  onTestFinished(() => acting(() => root.unmount()))
  return {
    result() {
      const last = results.at(-1)
      if (last === undefined) throw new Error('the hook has returned nothing yet')
      return last
    },
    render: (next) => acting(() => root.update(within(next))),
    act: async (change) => void (await acting(change)),
  }
}

const MARK = 'IS_REACT_ACT_ENVIRONMENT'

/** Makes a change as React's tests do. React looks for the mark in the global object. */
async function acting<Result>(change: () => Result): Promise<Awaited<Result>> {
  const before: unknown = Reflect.get(globalThis, MARK)
  Reflect.set(globalThis, MARK, true)
  try {
    return await act(async () => change())
  } finally {
    Reflect.set(globalThis, MARK, before)
  }
}
