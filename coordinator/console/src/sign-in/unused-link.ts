import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useTexts } from '../texts/language.ts'
import { signInTexts } from '../texts/sign-in.ts'
import { forgetLinkToken, useLinkToken } from './sign-in-api.ts'

/**
 * Leaves a sign-in link unused while somebody is signed in with this address, and says so. Otherwise a page of a stranger could switch the
 * user to the account of the stranger.
 */
export function useUnusedLink(email: string | undefined): void {
  const t = useTexts(signInTexts)
  const token = useLinkToken()
  useEffect(() => {
    if (token === undefined || email === undefined) return
    forgetLinkToken()
    notifications.show({ title: t.linkUnused(email), message: t.linkUnusedHint, autoClose: 15_000 })
  }, [token, email, t])
}
