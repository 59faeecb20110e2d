import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Failure } from './data-states.tsx'
import { useFaults } from './faults.tsx'

type NameFormProps<Made> = {
  label: string
  button: string
  maxLength: number
  /** Says which names are right. */
  fault: string
  description?: string
  placeholder?: string
  /** Creates the item with this name. The form shows its error, at the field when the name is wrong. */
  make(name: string): Promise<Made>
  onMade(made: Made): Promise<unknown>
}

const FIELDS = { name: ['name'] } as const

/** A form with one field, the name of a new item. Clears the field once the item is created. */
export function NameForm<Made>({ button, fault, make, onMade, ...field }: NameFormProps<Made>) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: (sent: { name: string }) => make(sent.name),
    onSuccess: (made) => {
      setName('')
      return onMade(made)
    },
  })
  const faults = useFaults(create, { name }, FIELDS, { name: fault })
  const wrong = faults.of('name')
  const faultId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name })
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            className="grows"
            data-autofocus
            {...field}
            value={name}
            error={wrong !== undefined}
            aria-errormessage={wrong === undefined ? undefined : faultId}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={create.isPending}>
            {button}
          </Button>
        </Group>
        {wrong !== undefined && ( // below both, so that the button stays beside the field
          <Text id={faultId} size="sm" c="var(--mantine-color-error)" role="alert">
            {wrong}
          </Text>
        )}
        <Failure error={create.error} fields={faults.fields} />
      </Stack>
    </Paper>
  )
}
