#!/usr/bin/env node
import { runCommand } from './command/runCommand.ts'

process.exitCode = await runCommand(process.argv.slice(2), console.log)
