import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { isRefusal } from '../api/errors.ts'
import { SESSION_KEY } from '../api/queries.ts'
import { useTexts } from '../texts/language.ts'
import { signInTexts } from '../texts/sign-in.ts'
import { claim } from './sign-in-api.ts'

/** The form in which the first operator enters ADMIN_TOKEN. */
export function Claim() {
  const t = useTexts(signInTexts)
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [token, setToken] = useState('')
  const claiming = useMutation({
    mutationFn: claim,
    onSuccess: () => {
      navigate('/')
      return queries.invalidateQueries({ queryKey: SESSION_KEY })
    },
  })
  const texts: Record<number, string> = { 401: t.claimWrong, 404: t.claimNotSet, 429: t.claimTooOften }
  const { error } = claiming
  const failure = error && ((isRefusal(error) && texts[error.status]) || t.claimFailed)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        claiming.mutate(token.trim())
      }}
    >
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t.claimTitle}
        </Title>
        <Text size="sm">{t.claimHint}</Text>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <PasswordInput
          label={t.claimToken}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
          required
        />
        <Button type="submit" loading={claiming.isPending}>
          {t.claim}
        </Button>
      </Stack>
    </form>
  )
}
