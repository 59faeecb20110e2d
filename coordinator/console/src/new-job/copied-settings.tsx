import { Input, Pill } from '@mantine/core'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { copiedSettings, type FieldsProps } from './draft.ts'

/** What was copied from another job and has no field. Each setting can be removed. */
export function CopiedSettings({ draft, change }: Pick<FieldsProps, 'draft' | 'change'>) {
  const t = useTexts(newJobTexts)
  const settings = copiedSettings(draft)
  if (settings.length === 0) return null
  return (
    <Input.Wrapper label={t.copied} description={t.copiedHint} labelElement="div">
      <Pill.Group mt={6}>
        {settings.map(([field, value]) => (
          <Pill
            key={field}
            withRemoveButton
            onRemove={() => change({ [field]: undefined })}
            removeButtonProps={{
              'aria-label': t.removeKeyword(t.copiedNames[field]),
              tabIndex: 0,
              'aria-hidden': false,
            }}
          >
            {t.copiedNames[field]}: {value}
          </Pill>
        ))}
      </Pill.Group>
    </Input.Wrapper>
  )
}
