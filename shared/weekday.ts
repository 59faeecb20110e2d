/** The weekdays in English, Monday first: the stable keys of `open_hours` and `popular_times`, whatever the job's language. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export type Weekday = (typeof WEEKDAYS)[number]
