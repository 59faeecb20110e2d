import { useHalfMinutes } from '../api/clock.ts'
import { useLanguage } from '../texts/language.ts'
import { fullTime, relativeTime } from './formats.ts'

/** A moment in the viewer's zone: how long ago it is, and in full when pointed at. */
export function Time({ at }: { at: string }) {
  const { language } = useLanguage()
  const now = useHalfMinutes()
  return (
    <time dateTime={at} title={fullTime(at, language)}>
      {relativeTime(new Date(at).getTime() - now, language) ?? fullTime(at, language)}
    </time>
  )
}

/** A moment in full, in the viewer's zone. */
export function FullTime({ at }: { at: string }) {
  const { language } = useLanguage()
  return <time dateTime={at}>{fullTime(at, language)}</time>
}
