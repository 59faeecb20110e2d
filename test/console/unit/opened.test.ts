// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { useOpened } from '../../../coordinator/console/src/parts/rows.ts'

describe('what is open', () => {
  type Item = { id: number; name: string }
  type Props = { items: Item[]; id: number | undefined }
  const one: Props = { items: [{ id: 1, name: 'one' }], id: 1 }
  const open = () => renderHook(({ items, id }: Props) => useOpened(items, id), { initialProps: one })
  afterEach(cleanup)

  test('follows its list, and stays when it leaves the list', () => {
    const { result, rerender } = open()
    rerender({ items: [{ id: 1, name: 'new' }], id: 1 })
    expect(result.current?.name).toBe('new')
    rerender({ items: [], id: 1 })
    expect(result.current?.name).toBe('new')
  })

  test('is nothing once it is closed, also when it is opened again without a list', () => {
    const { result, rerender } = open()
    rerender({ items: [], id: undefined })
    rerender({ items: [], id: 1 })
    expect(result.current).toBeUndefined()
  })
})
