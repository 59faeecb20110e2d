/** The collections that a backup leaves out, and why. */
export const LEFT_OUT: Record<string, string> = {
  sessions: 'people sign in again',
  sign_in_links: 'they are valid for 15 minutes',
  sign_in_flows: 'they are valid for minutes',
  used_logout_tokens: 'they are valid for minutes',
  user_buckets: 'rate limits fill up within seconds',
  webhook_windows: 'rate limits of an hour',
  open_streams: 'streams end with the coordinators',
  coordinators: 'they announce themselves',
  agents: 'they announce themselves',
}

/** The documents of the collection `deployment` that concern this database alone. */
export const MARKS = ['removal_pause', 'restore', 'doctor']
