import { Pill, PillsInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'

const MAX_KEYWORDS = 5

type KeywordsInputProps = { keywords: string[]; onChange(keywords: string[]): void; error: string | undefined }

/** Keywords as chips. Enter, a comma or leaving the field adds a keyword; Backspace removes the last one. */
export function KeywordsInput({ keywords, onChange, error }: KeywordsInputProps) {
  const t = useTexts(newJobTexts)
  const [text, setText] = useState('')
  const add = (typed: string) => {
    const keyword = typed.trim()
    setText('')
    if (keyword !== '' && !keywords.includes(keyword)) onChange([...keywords, keyword].slice(0, MAX_KEYWORDS))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text === '') onChange(keywords.slice(0, -1))
    if (!['Enter', ','].includes(event.key) || event.nativeEvent.isComposing) return
    if (text.trim() === '' && event.key === 'Enter') return // Enter submits the form
    event.preventDefault()
    add(text)
  }
  return (
    <PillsInput label={t.keywords} description={t.keywordsHint} error={error} withAsterisk>
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
