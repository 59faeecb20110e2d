import { Pill, PillsInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'

const MAX_KEYWORDS = 5

type KeywordsInputProps = {
  keywords: string[]
  onChange(keywords: string[]): void
  error: string | undefined
  isRequired: boolean
}

/** Keywords as chips. Enter, a comma or leaving the field adds a keyword; Backspace removes the last one. */
export function KeywordsInput({ keywords, onChange, error, isRequired }: KeywordsInputProps) {
  const t = useTexts(newJobTexts)
  const [text, setText] = useState('')
  const isFull = keywords.length >= MAX_KEYWORDS
  const add = (typed: string) => {
    const keyword = typed.trim()
    const isNew = keyword !== '' && !keywords.includes(keyword)
    if (isNew && isFull) return // the field says why
    setText('')
    if (isNew) onChange([...keywords, keyword])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text === '') onChange(keywords.slice(0, -1))
    if (!['Enter', ','].includes(event.key) || event.nativeEvent.isComposing) return
    if (text.trim() === '' && event.key === 'Enter') return // Enter submits the form
    event.preventDefault()
    add(text)
  }
  return (
    <PillsInput
      label={t.keywords}
      description={t.keywordsHint}
      error={isFull && text.trim() !== '' ? t.keywordsFull : error}
      withAsterisk={isRequired}
    >
      <Pill.Group>
        {keywords.map((keyword) => (
          <Pill
            key={keyword}
            withRemoveButton
            onRemove={() => onChange(keywords.filter((one) => one !== keyword))}
            removeButtonProps={{ 'aria-label': t.removeKeyword(keyword), tabIndex: 0, 'aria-hidden': false }}
          >
            {keyword}
          </Pill>
        ))}
        <PillsInput.Field
          value={text}
          maxLength={200}
          onChange={({ currentTarget: { value } }) => setText(value)}
          onKeyDown={onKeyDown}
          onBlur={() => add(text)}
        />
      </Pill.Group>
    </PillsInput>
  )
}
