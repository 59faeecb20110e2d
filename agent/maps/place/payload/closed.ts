import type { Place } from '@placefleet/shared/place'
import { agreeing } from '../../answers/closed-words.ts'
import { integerAt, lineAt, listAt, textAt } from '../../answers/values.ts'

/** Codes of the edits that the site offers to suggest. */
const EDIT = 1
const REOPEN = 3

/** Reads whether a place is closed for good or for a time, and its status, which never says otherwise. */
export const readClosed = (node: unknown): Partial<Place> => agreeing(codeOf(node), statusOf(node))

const statusOf = (node: unknown): string | undefined => lineAt(node, 203, 1, 4, 0) ?? lineAt(node, 34, 4, 4)

// An open place has words of another kind at [88][0] ("Dogs allowed"). The codes of the hours tell nothing: a place
// that is closed for good keeps them.
function codeOf(node: unknown): Place['closed'] {
  const code = textAt(node, 88, 0)
  if (code === 'CLOSED_PERMANENTLY') return 'permanently'
  if (code === 'CLOSED_TEMPORARILY') return 'temporarily'
  if (integerAt(node, 23) === 1) return 'permanently'
  return byEdits(node) ?? (code === 'CLOSED' ? 'permanently' : undefined)
}

// Only a closed place can be reopened, and the details of one that is closed for good cannot be edited.
function byEdits(node: unknown): Place['closed'] {
  const codes = listAt(node, 96, 5).map((edit) => integerAt(edit, 6))
  if (!codes.includes(REOPEN)) return undefined
  return codes.includes(EDIT) ? 'temporarily' : 'permanently'
}
