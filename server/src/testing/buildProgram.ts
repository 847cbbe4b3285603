import { fork, type ChildProcess } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** A program of the server, put together for tests: Node.js runs no TypeScript. */
export type BuiltProgram = {
  path: string
  /** Starts it in a process of its own. */
  start(environment: Record<string, string>, args?: readonly string[]): ProgramRun
  remove(): Promise<void>
}

/** A running program. */
export type ProgramRun = {
  child: ChildProcess
  /** Resolves with the address once the process listens; rejects if it exits first. */
  ready: Promise<string>
  /** The output so far. */
  output(): string
  ended: Promise<{ code: number | null; output: string }>
}

/**
 * Bundles a program into a folder with the packages that it imports.
 *
 * @param entry the file of the program in `server/src`, such as `main.ts`
 */
export async function buildProgram(entry: string): Promise<BuiltProgram> {
  const name = `${entry.replace(/\W/g, '-')}-${process.pid}-${Math.random().toString(36).slice(2)}`
  const folder = fileURLToPath(new URL(`../../.latchkey/${name}`, import.meta.url))
  const path = join(folder, 'program.mjs')
  const packageFile = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  type Versions = Record<string, string>
  const { dependencies, optionalDependencies } = JSON.parse(packageFile) as {
    dependencies: Versions
    optionalDependencies: Versions
  }
  await build({
    entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (each) => !each.startsWith('@latchkey/'),
    ),
    plugins: [ownUrls],
  })
  return {
    path,
    start: (environment, args = []) => startProgram(path, environment, args),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Lets modules find the files next to their sources. */
const ownUrls: Plugin = {
  name: 'own URLs',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]server[/\\]src[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }))
  },
}

function startProgram(path: string, environment: Record<string, string>, args: readonly string[]): ProgramRun {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const child = fork(path, [...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  const ready = new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url))
    void ended.then(() => reject(new Error(`The server ended: ${output}`)))
  })
  ready.catch(() => undefined)
  return { child, ready, output: () => output, ended }
}
