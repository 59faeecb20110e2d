#!/usr/bin/env node
// npm run placefleet -- …: the client's command line.
import { runCli } from './run.ts'
import { processTerminal } from './terminal.ts'

// A reader such as `head` may close the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCli(process.argv.slice(2), process.env, processTerminal())
