import type { Schemas } from '../api/client.ts'
import type { creditsTexts } from '../texts/credits.ts'

type Transaction = Pick<Schemas['CreditTransaction'], 'description' | 'reference_type'>

/** Says what a transaction was for in the language of some texts; reasons that an operator wrote stay as they are. */
export function whatFor(
  { description, reference_type }: Transaction,
  { descriptions }: Pick<(typeof creditsTexts)['en'], 'descriptions'>,
): string {
  const [, job, credits = ''] = /"(.*)"|(\d+\.\d+)/s.exec(description) ?? []
  const withoutNumbers = reference_type.replaceAll(/_\d+/g, '') // a second refund is `refund_2`
  return descriptions[withoutNumbers]?.(job ?? credits) ?? description
}
