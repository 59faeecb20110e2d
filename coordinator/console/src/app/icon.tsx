/** The paths of the icons, 24 by 24 units. */
const STROKES = {
  jobs: 'M4 6h16M4 12h16M4 18h10',
  newJob: 'M12 5v14M5 12h14',
  monitors: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 3.500V12l3 2',
  knownPlaces: 'M12 21s7-6.200 7-11a7 7 0 1 0-14 0c0 4.800 7 11 7 11ZM9.200 10l2 2 3.600-3.600',
  keys: 'M14.5 9.5a4.5 4.5 0 1 0-4.3 4.5L12 16h2v2h2v2h4v-3.5l-5.7-5.7a4.4 4.4 0 0 0 .2-1.3ZM9 9.5h.01',
  credits:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm3 5.5A4 4 0 0 0 12 7c-2 0-3 1-3 2.4 0 3.6 6.2 1.6 6.2 5.1 0 1.5-1.2 2.5-3.2 2.5a4.2 4.2 0 0 1-3.3-1.5M12 5v2m0 10v2',
  webhooks:
    'M9 7.5a3.5 3.5 0 1 1 5.6 2.8l2.4 4.2M14 4.5M12 7.5l-3.6 7M6.5 13.2A3.5 3.5 0 1 0 10 17h7m0-3.5a3.5 3.5 0 1 1-2.6 5.8',
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM5 20c.6-3.4 3.4-5 7-5s6.400 1.600 7 5',
  support:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-2.500 6.500a2.500 2.500 0 1 1 3.600 2.200c-.8.400-1.100 1-1.100 1.800M12 16.500h.01',
  fleet: 'M4 5h16v5H4zM4 14h16v5H4zM7.500 7.500h.01M7.500 16.500h.01',
  operations: 'M3 12h4l3-7 4 14 3-7h4',
} as const

export type IconName = keyof typeof STROKES

/** A decorative icon beside a text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width={18}
      height={18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={STROKES[name]} />
    </svg>
  )
}
