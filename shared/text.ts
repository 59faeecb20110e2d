import { z } from 'zod'

/** Number of characters as a person counts them: code points, so that an emoji is one. */
export const characters = (text: string): number => [...text].length

/**
 * A string of `min` to `max` characters that is safe to store and show: no NUL, no lone surrogate, and, when it may
 * not be empty, not only white space.
 */
export function textSchema({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .check((context) => {
      const fault = textFault(context.value, min, max)
      if (fault !== undefined) context.issues.push({ code: 'custom', input: context.value, message: fault })
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
}

function textFault(text: string, min: number, max: number): string | undefined {
  const length = characters(text)
  if (length > max) return `has ${length} characters; at most ${max} are allowed`
  if (!text.isWellFormed()) return 'contains half a surrogate pair; send well-formed Unicode'
  if (text.includes('\0')) return 'contains a NUL character; remove it'
  if (min > 0 && text.trim() === '') return 'is empty; write something'
  if (length < min) return `has ${length} characters; at least ${min} are needed`
  return undefined
}
