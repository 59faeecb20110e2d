import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { detailOf } from '../api/client.ts'
import { Failure } from './data-states.tsx'

export type NameFormProps<Made> = {
  label: string
  button: string
  maxLength: number
  description?: string
  placeholder?: string
  /** Creates the item with this name. The form shows its error, at the field when the name is wrong. */
  make(name: string): Promise<Made>
  onMade(made: Made): Promise<unknown>
}

/** A form with one field, the name of a new item. Clears the field once the item is created. */
export function NameForm<Made>({ button, make, onMade, ...field }: NameFormProps<Made>) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => make(name),
    onSuccess: (made) => {
      setName('')
      return onMade(made)
    },
  })
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
            error={detailOf(create.error, 'name')}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={create.isPending}>
            {button}
          </Button>
        </Group>
        <Failure error={create.error} fields={['name']} />
      </Stack>
    </Paper>
  )
}
