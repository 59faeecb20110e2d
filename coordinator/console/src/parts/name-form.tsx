import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Failure } from './data-states.tsx'

export type NameFormProps<Made> = {
  label: string
  button: string
  maxLength: number
  description?: string
  placeholder?: string
  /** Makes the thing of this name. What it throws is shown, at the field when it is about the name. */
  make(name: string): Promise<Made>
  onMade(made: Made): Promise<unknown>
}

/** A form of one field: the name of a new thing. The field is emptied once the thing is made. */
export function NameForm<Made>({ button, make, onMade, ...field }: NameFormProps<Made>) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => make(name),
    onSuccess: (made) => {
      setName('')
      return onMade(made)
    },
  })
  const detail = create.error instanceof ApiFailure ? create.error.detailOf('name') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            className="grows"
            {...field}
            value={name}
            error={detail}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={create.isPending}>
            {button}
          </Button>
        </Group>
        {detail === undefined && <Failure error={create.error} />}
      </Stack>
    </Paper>
  )
}
