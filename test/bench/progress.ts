import { Presets, SingleBar } from 'cli-progress'

/** Shows the progress of a benchmark to a person. */
export type Progress = {
  begin(steps: number): void
  /** Names the current step. */
  now(what: string): void
  /** Counts a finished step. */
  done(): void
  end(): void
}

const SILENT: Progress = { begin: () => undefined, now: () => undefined, done: () => undefined, end: () => undefined }

/** Creates a progress bar on stderr. Shows nothing if stderr is not a terminal. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return SILENT
  const format = '{bar} {value}/{total} {what} ({duration_formatted})'
  const bar = new SingleBar({ format, stream, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
  return {
    begin: (steps) => bar.start(steps, 0, { what: '' }),
    now: (what) => bar.update({ what }),
    done: () => bar.increment(),
    end: () => bar.stop(),
  }
}
