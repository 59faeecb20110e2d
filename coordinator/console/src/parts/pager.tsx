import { Pagination } from '@mantine/core'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

type PagerProps = { page: number; limit: number; total: number; onChange(page: number): void }

/** The navigation between pages. Shows nothing when there is only one. */
export function Pager({ page, limit, total, onChange }: PagerProps) {
  const t = useTexts(commonTexts)
  const pages = Math.ceil(total / limit)
  if (pages <= 1) return null
  return (
    <nav aria-label={t.pages}>
      <Pagination
        value={page}
        total={pages}
        onChange={onChange}
        getItemProps={(n) => ({ 'aria-label': t.page(n) })}
        getControlProps={(control) => ({ 'aria-label': control === 'previous' ? t.previous : t.next })}
      />
    </nav>
  )
}
