import type { Place } from '@placefleet/shared/place'
import { filledFields, fitLine, lineAt, paragraphAt } from '../../answers/fit.ts'
import { textAt } from '../../answers/index-path.ts'

/** The account that answers for a place, and the description: the editorial text, else the owner's. */
export function readOwner(node: unknown): Pick<Place, 'owner' | 'description'> {
  const id = ownerId(node)
  return {
    owner: filledFields({
      id,
      name: lineAt(node, 57, 1),
      link: id === undefined ? undefined : `https://www.google.com/maps/contrib/${id}`,
    }),
    description: paragraphAt(node, 32, 1, 1) ?? paragraphAt(node, 32, 0, 1) ?? paragraphAt(node, 154, 0, 0),
  }
}

/** Whether somebody claimed the place. A name alone says nothing: unclaimed places have one too. */
export const isClaimed = (node: unknown): boolean => ownerId(node) !== undefined

function ownerId(node: unknown): string | undefined {
  const id = fitLine(textAt(node, 57, 2))
  return id !== undefined && /^\d{1,30}$/.test(id) ? id : undefined
}
