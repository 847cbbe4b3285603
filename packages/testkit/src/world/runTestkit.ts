import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from './replaceFile.ts'
import { startTestWorld } from './startTestWorld.ts'
import { worldFile, type TestWorldUrls } from './testWorldUrls.ts'

const usage = `Usage: npx @latchkey/testkit up [FILE]

Starts local chains, a relay, a mailbox and identity providers for tests, and prints their addresses. They are written to
FILE as JSON, ${worldFile} by default. Ctrl-C stops everything.`

/**
 * Runs a command line of the package.
 *
 * @param args the arguments after the name of the program
 * @param options.print receives the lines of output
 * @param options.stopped resolves when the world is to stop
 * @returns the exit code: 0 after `up` was stopped, 1 if a part failed, 2 for a wrong command line
 */
export async function runTestkit(
  args: readonly string[],
  { print, stopped }: { print(line: string): void; stopped: Promise<void> },
): Promise<number> {
  const [command, file = worldFile, ...rest] = args
  const isHelp = command === '--help' || command === '-h'
  if (command !== 'up' || rest.length > 0 || file.startsWith('-')) {
    print(usage)
    return isHelp ? 0 : 2
  }
  try {
    const world = await startTestWorld()
    try {
      await mkdir(dirname(file), { recursive: true })
      await replaceFile(file, `${JSON.stringify(world.urls, null, 2)}\n`)
      print(formatUrls(world.urls, file))
      await stopped
    } finally {
      await rm(file, { force: true })
      await world.close()
    }
    return 0
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    return 1
  }
}

function formatUrls(urls: TestWorldUrls, file: string): string {
  const rows = Object.entries(urls).flatMap(([name, url]) =>
    typeof url === 'string' ? [`  ${name.padEnd(9)}  ${url}`] : [],
  )
  return ['The test world is ready.', '', ...rows, '', `Addresses: ${file}. Press Ctrl-C to stop.`].join('\n')
}
