import { notifications } from '@mantine/notifications'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../api/errors.ts'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

export function useFailureNotice(): (error: unknown) => void {
  const t = useTexts(commonTexts)
  return (error) => void notifications.show({ color: 'red', title: t.failed, message: messageOf(error, t) })
}

/** Calls the API to change something, then reloads the queries under `key`. Shows a failure as a notification. */
export function useAction<Input, Output>(run: (input: Input) => Promise<Output>, key: QueryKey) {
  const queries = useQueryClient()
  const onError = useFailureNotice()
  return useMutation({
    mutationFn: run,
    onError,
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
