import { Alert } from '@mantine/core'
import { isRefusal } from '../api/errors.ts'
import { useStaleness } from '../api/staleness.ts'
import { clockTime } from '../parts/time-format.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'

/** Says since when the page shows old data, and why. */
export function StaleNotice() {
  const t = useTexts(shellTexts)
  const { language } = useLanguage()
  const staleness = useStaleness()
  return (
    <div role="status" className="stale-notice">
      {staleness && (
        <Alert color="orange" variant="light" title={t.notUpToDate(clockTime(staleness.since, language))} mb="md">
          {isRefusal(staleness.error) ? staleness.error.message : t.noAnswer} {t.triesAgain}
        </Alert>
      )}
    </div>
  )
}
