import { useRef } from 'react'

/**
 * Returns the opened item: as a list shows it now, else as it was when it was last there. So what is open stays open
 * while its list changes.
 */
export function useOpened<Item extends { id: string | number }>(
  items: readonly Item[],
  id: Item['id'] | undefined,
): Item | undefined {
  const last = useRef<Item>(undefined)
  const opened = items.find((item) => item.id === id) ?? (last.current?.id === id ? last.current : undefined)
  last.current = opened
  return opened
}
