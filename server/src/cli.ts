import Fastify from 'fastify'
import { exitWithError } from './cli/exitWithError.ts'
import { runCommand } from './cli/runCommand.ts'
import { readConfig } from './config.ts'
import { serve } from './serve.ts'

/** Runs a command of the operator. */
async function main(): Promise<void> {
  const { log } = Fastify({ logger: { level: 'warn' } })
  await runCommand(process.argv.slice(2), {
    environment: process.env,
    print: console.log,
    log,
    serve: () => serve(readConfig(process.env)),
  })
}

main().catch(exitWithError)
