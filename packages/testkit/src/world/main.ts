#!/usr/bin/env node
import { runTestkit } from './runTestkit.ts'

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve())
})

// Exits even if a socket or a timer is still open.
process.exit(await runTestkit(process.argv.slice(2), { print: console.log, stopped }))
