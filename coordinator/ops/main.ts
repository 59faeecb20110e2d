// npm run ops -- …: the operator's command line.
import { runOps } from './run.ts'

// Whoever reads may have enough, as `head` does: the command ends as it would have.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runOps(process.argv.slice(2), process.env)
