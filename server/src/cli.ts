#!/usr/bin/env node
import Fastify from 'fastify'
import { exitWithError } from './cli/exitWithError.ts'
import { runCommand } from './cli/runCommand.ts'
import { readConfig } from './config.ts'

/** Runs a command of the operator. */
async function main(): Promise<void> {
  const { log } = Fastify({ logger: { level: 'warn' } })
  await runCommand(process.argv.slice(2), {
    environment: process.env,
    print: console.log,
    log,
    // Most commands need a small part of the server, and the health check runs often.
    async serve() {
      const { serve } = await import('./serve.ts')
      await serve(readConfig(process.env))
    },
  })
}

main().catch(exitWithError)
