import { pathToFileURL } from 'node:url'
import { findServer } from './findServer.ts'

/** The commands that the server runs, and their first words on its own command line. */
const forwarded: Readonly<Record<string, readonly string[]>> = {
  serve: [],
  project: ['projects'],
  projects: ['projects'],
  keys: ['keys'],
}

/** Is true if the installed server runs a command. */
export function isServerCommand(command: string): boolean {
  return Object.hasOwn(forwarded, command)
}

/**
 * Runs a command of the installed server in this process, so that signals, streams and the exit code are the server's own, on Windows
 * as well.
 *
 * @param args the command line: `serve` with a command of the server, or without one to run it; `projects …`; `keys …`
 * @param folder the working directory
 * @returns false if the server is not installed
 */
export async function runServer([command = '', ...words]: readonly string[], folder: string): Promise<boolean> {
  const program = await findServer(folder)
  if (program === undefined) return false
  // The program reads its command line as if Node.js had started it.
  process.argv.splice(1, Infinity, program, ...(forwarded[command] ?? []), ...words)
  await import(pathToFileURL(program).href)
  return true
}
