import { NativeSelect, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { Faults } from '../parts/faults.tsx'
import { weekdayName } from '../parts/formats.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import type { ScheduleDraft } from './schedule.ts'

type PartProps = { draft: ScheduleDraft; onChange(draft: ScheduleDraft): void }
type ScheduleFieldsProps = PartProps & { errorOf: Faults['of'] }

/** How often, and at what time, a monitor runs. */
export function ScheduleFields({ draft, errorOf, onChange }: ScheduleFieldsProps) {
  const t = useTexts(monitorsTexts)
  const { often } = draft
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NativeSelect
          label={t.often}
          value={often}
          data={(['day', 'week', 'hours', 'cron'] as const).map((value) => ({ value, label: t.howOften[value] }))}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, often: value as ScheduleDraft['often'] })}
        />
        {often === 'week' && <Weekday draft={draft} onChange={onChange} />}
        <When draft={draft} errorOf={errorOf} onChange={onChange} />
      </SimpleGrid>
      {often !== 'hours' && (
        <Text size="sm" c="dimmed">
          {t.inZone(draft.timezone)}
        </Text>
      )}
    </>
  )
}

/** The field that says when or how often, for the chosen kind of schedule. */
function When({ draft, errorOf, onChange }: ScheduleFieldsProps) {
  const t = useTexts(monitorsTexts)
  if (draft.often === 'hours') {
    return (
      <NumberInput
        label={t.hours}
        value={draft.hours}
        min={0.25}
        max={8_784}
        allowNegative={false}
        error={errorOf('schedule.every')}
        onChange={(value) => onChange({ ...draft, hours: typeof value === 'number' ? value : draft.hours })}
      />
    )
  }
  if (draft.often === 'cron') {
    return (
      <TextInput
        label={t.cron}
        description={t.cronHint}
        value={draft.cron}
        error={errorOf('schedule.cron')}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, cron: value })}
      />
    )
  }
  return (
    <TextInput
      type="time"
      label={t.time}
      value={draft.time}
      error={errorOf('schedule.cron') && t.timeFault}
      onChange={({ currentTarget: { value } }) => onChange({ ...draft, time: value })}
    />
  )
}

function Weekday({ draft, onChange }: PartProps) {
  const t = useTexts(monitorsTexts)
  const { language } = useLanguage()
  return (
    <NativeSelect
      label={t.weekday}
      value={String(draft.weekday)}
      data={[1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdayName(day, language) }))}
      onChange={({ currentTarget: { value } }) => onChange({ ...draft, weekday: Number(value) })}
    />
  )
}
