// npm run ops -- …: the operator's command line.
import { runOps } from './run.ts'

process.exitCode = await runOps(process.argv.slice(2), process.env)
