#!/usr/bin/env node
import { runTestkit } from './runTestkit.ts'

const orphanCheckMilliseconds = 500
const parent = process.ppid

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve())
  // A killed npx passes no signal on. Without npm, this process may outlive the shell that started it.
  const isUnderNpm = process.env['npm_command'] !== undefined
  const watch = setInterval(() => void (isUnderNpm && process.ppid !== parent && resolve()), orphanCheckMilliseconds)
  watch.unref()
})

// Exits even if a socket or a timer is still open.
process.exit(await runTestkit(process.argv.slice(2), { print: console.log, stopped }))
