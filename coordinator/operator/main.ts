// npm run ops -- …: the operator's command line.
import { runOps } from './commands/run.ts'

// A reader such as `head` may close the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const code = await runOps(process.argv.slice(2), process.env)
// The NATS client leaves the socket to a frozen server open, so the process would not end by itself.
process.stdout.write('', () => process.exit(code))
