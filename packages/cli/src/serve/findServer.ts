import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const name = '@latchkey/server'

/**
 * Finds the program of `@latchkey/server`: in a folder or above, next to this package, or among the global packages of npm. This
 * package does not depend on the server, which is many times larger.
 *
 * @param folder the working directory
 * @returns the path of the program, or `undefined` if the server is not installed
 */
export async function findServer(folder: string): Promise<string | undefined> {
  return (
    findProgram(join(folder, 'package.json')) ?? findProgram(fileURLToPath(import.meta.url)) ?? (await findGlobal())
  )
}

/** Finds the program as a module would find its package. */
function findProgram(module: string): string | undefined {
  try {
    return readProgram(createRequire(module).resolve(name))
  } catch {
    return undefined
  }
}

async function findGlobal(): Promise<string | undefined> {
  // On Windows, npm is a command file, which only a shell runs.
  const options = { shell: process.platform === 'win32' }
  const { stdout } = await run('npm', ['root', '--global'], options).catch(() => ({ stdout: '' }))
  const entry = join(stdout.trim(), name, 'package.json')
  return stdout !== '' && existsSync(entry) ? readProgram(entry) : undefined
}

/** Reads the path of the program from the nearest package.json above a file of the package. */
function readProgram(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) continue
    const manifest: { name?: string; bin?: Readonly<Record<string, string>> } = JSON.parse(readFileSync(path, 'utf8'))
    const program = manifest.bin?.['latchkey-server']
    if (manifest.name === name) return program === undefined ? undefined : join(folder, program)
  }
  return undefined
}
