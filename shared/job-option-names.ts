import type { SentJobRequest } from './job.ts'

type OptionNames = Readonly<Record<string, keyof SentJobRequest>>

/**
 * The options of `placefleet run` that set a field of a job with another name. All others have the name of their field.
 */
export const RENAMED_OPTIONS: OptionNames = {
  max: 'max_results',
  emails: 'include_emails',
  reviews: 'max_reviews',
  images: 'max_images',
  fast: 'fast_mode',
}

/** The options without a value that set a field of a job to false. */
export const NEGATED_OPTIONS: OptionNames = { anonymous_reviews: 'reviewer_names', no_phone: 'has_phone' }
