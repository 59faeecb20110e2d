import { Alert, Button, Stack, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { detailOf } from '../api/errors.ts'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'
import { Failure } from './data-states.tsx'

/** A form as it was last sent, e.g. a mutation whose variables are its draft. */
type Sent<Draft> = { error: unknown; variables: Draft | undefined }

/** What is right in a field, or how to say it with the message of the API. */
type FaultText = string | ((message: string) => string)

/** The fields of a request, each with the parts of the draft that decide whether it is right. */
type Fields<Draft> = Readonly<Record<string, readonly (keyof Draft)[]>>

/** What is wrong with a form. */
export type Faults = {
  error: unknown
  /** The fields that show their own faults. */
  fields: readonly string[]
  /** The number of fields that are still as they were refused. */
  count: number
  /** Returns what is wrong with a field, in the language of the console. */
  of(field: string): string | undefined
  /** The form. When it is refused, its first wrong field gets the focus. */
  form: RefObject<HTMLFormElement | null>
}

/**
 * Returns the faults that the API found in a form. A fault lasts until its field is changed. Its text says what is
 * right, so that one text does for every fault of the field. A field with several lines also needs the message of the
 * API, which names the line.
 */
export function useFaults<Draft, Table extends Fields<Draft>>(
  { error, variables: sent }: Sent<Draft>,
  draft: Draft,
  fields: Table,
  texts: Record<keyof Table & string, FaultText>,
): Faults {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) focusFirstFault(form.current)
  }, [error])
  const isAsSent = (part: keyof Draft) => JSON.stringify(draft[part]) === JSON.stringify(sent?.[part])
  const open = new Map(
    Object.entries(fields)
      .filter(([, parts]) => parts.every(isAsSent))
      .flatMap(([field]): [string, string][] => {
        const [message, text] = [detailOf(error, field), texts[field]]
        if (message === undefined || text === undefined) return []
        return [[field, typeof text === 'string' ? text : text(message)]]
      }),
  )
  return { error, form, fields: Object.keys(fields), count: open.size, of: (field) => open.get(field) }
}

function focusFirstFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  if (!field) return
  const closed = field.closest('details')
  if (closed) closed.open = true
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}

/** Stands at the button of a form: how many fields are wrong, and a failure that belongs to no field. */
export function FormFailure({ faults: { error, fields, count } }: { faults: Faults }) {
  const t = useTexts(commonTexts)
  return (
    <>
      {count > 0 && (
        <Text size="sm" fw={600} ta="end" c="var(--mantine-color-error)" role="alert">
          {t.corrections(count)}
        </Text>
      )}
      <Failure error={error} fields={fields} />
    </>
  )
}

/** Says that somebody else changed the same fields of a draft while the user edited them. */
export function ConflictNotice({ conflicts, onReset }: { conflicts: readonly unknown[]; onReset(): void }) {
  const t = useTexts(commonTexts)
  if (conflicts.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="alert" title={t.changedElsewhere}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.changedElsewhereHint}</Text>
        <Button size="xs" variant="default" onClick={onReset}>
          {t.takeTheirs}
        </Button>
      </Stack>
    </Alert>
  )
}
