import { Button, Checkbox, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { AreaFields } from '../new-job/area-fields.tsx'
import { CopiedSettings } from '../new-job/copied-settings.tsx'
import type { FieldsProps } from '../new-job/draft.ts'
import { OptionFields } from '../new-job/option-fields.tsx'
import { WhatFields } from '../new-job/what-fields.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { newJobTexts } from '../texts/new-job.ts'

type JobFieldsProps = FieldsProps & {
  /** Whether the fields are there from the start. */
  isOpen: boolean
}

/** What the runs of a monitor search for, and where. */
export function JobFields({ isOpen, ...fields }: JobFieldsProps) {
  const t = useTexts(monitorsTexts)
  const texts = useTexts(newJobTexts)
  const [opened, setOpened] = useState(isOpen)
  if (!opened) {
    return (
      <div>
        <Button variant="default" onClick={() => setOpened(true)}>
          {t.changeJob}
        </Button>
      </div>
    )
  }
  return (
    <Stack gap="md">
      <Title order={2} size="h4">
        {texts.what}
      </Title>
      <WhatFields {...fields} />
      <Title order={2} size="h4">
        {texts.where}
      </Title>
      <AreaFields {...fields} />
      <CopiedSettings {...fields} />
      <OptionFields {...fields} ofMonitor />
    </Stack>
  )
}

/** Whether each run collects only new places: cheaper, but without the changes of the others. */
export function OnlyNew({ draft, change }: Pick<FieldsProps, 'draft' | 'change'>) {
  const t = useTexts(monitorsTexts)
  return (
    <Checkbox
      label={t.onlyNew}
      description={t.onlyNewHint}
      checked={draft.only_new}
      onChange={({ currentTarget: { checked } }) => change({ only_new: checked })}
    />
  )
}
