import { exitWithError } from './cli/exitWithError.ts'
import { readConfig } from './config.ts'
import { serve } from './serve.ts'

/** Runs the server. `cli.ts` has the other commands of the operator. */
async function main(): Promise<void> {
  await serve(readConfig(process.env))
}

main().catch(exitWithError)
