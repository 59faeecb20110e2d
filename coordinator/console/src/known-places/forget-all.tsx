import { Button } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../parts/confirm.tsx'
import { knownPlacesTexts } from '../texts/known-places.ts'
import { useTexts } from '../texts/language.ts'
import { useForgetAll } from './known-place-queries.ts'

/** A button that forgets all known places, once the user has confirmed it. */
export function ForgetAll() {
  const t = useTexts(knownPlacesTexts)
  const [asked, setAsked] = useState(false)
  const forget = useForgetAll()
  const close = () => setAsked(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t.forget}
      </Button>
      <Confirm
        opened={asked}
        title={t.forgetSure}
        hint={t.forgetHint}
        action={t.forget}
        cancelLabel={t.keep}
        pending={forget.isPending}
        onClose={close}
        onConfirm={() => forget.mutate(undefined, { onSettled: close })}
      />
    </>
  )
}
