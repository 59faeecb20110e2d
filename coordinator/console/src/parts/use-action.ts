import { notifications } from '@mantine/notifications'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'
import { messageOf } from './failure-text.ts'

/** Calls the API to change something, then reloads the queries under `key`. Shows a failure as a notification. */
export function useAction<Input, Output>(run: (input: Input) => Promise<Output>, key: QueryKey) {
  const t = useTexts(commonTexts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onError: (error) => notifications.show({ color: 'red', title: t.failed, message: messageOf(error, t) }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
