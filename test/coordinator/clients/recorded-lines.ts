/** Returns the lines of a job's stream as a coordinator sends them, with a sign of life among them. */
export function recordedLines(places: number): string[] {
  const progress = (result_count: number) => ({ type: 'progress', status: 'running', result_count })
  const place = (position: number) => ({
    type: 'place',
    position,
    place: { id: position, title: `Café Süß ${position}` },
  })
  const numbers = Array.from({ length: places }, (_, index) => index + 1)
  const events = [progress(0), ...numbers.flatMap((n) => [place(n), progress(n)]), { type: 'end', status: 'completed' }]
  const lines = events.map((event) => `${JSON.stringify(event)}\n`)
  return lines.toSpliced(3, 0, '\n')
}
