import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installProgram, type Program } from '@latchkey/devnet'

/** A ClickHouse engine for tests. */
export type TestClickHouse = {
  /** Gets the URL of an empty database. */
  createDatabase(): Promise<string>
  /** Ends the engine without warning. */
  kill(): Promise<void>
  /** Starts the engine again, at the same address and on the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

/** The engine has 543 MB, so that it has its own folder outside of the workspaces. */
const clickHouseProgram: Program = {
  folder: fileURLToPath(new URL('../../../clickhouse/', import.meta.url)),
  name: 'ClickHouse engine of the tests (543 MB)',
  duration: 'about a minute',
}
const [user, password] = ['latchkey', "p'ss/w?rd"]

/**
 * Starts ClickHouse's engine behind its HTTP interface, and installs it first if it is missing. For long tests only.
 *
 * @throws Error with a sentence if it cannot be installed
 * @example const engine = await startTestClickHouse()
 */
export async function startTestClickHouse(): Promise<TestClickHouse> {
  await installProgram(clickHouseProgram, { onProgress: console.error })
  const data = await mkdtemp(join(tmpdir(), 'latchkey-clickhouse-'))
  let child = await startEngine(data, 0)
  const { port } = child
  let created = 0
  return {
    async createDatabase() {
      const name = `test_${(created += 1)}`
      const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
      const options = { method: 'POST', headers, body: `create database ${name}` }
      const response = await fetch(`http://127.0.0.1:${port}/`, options)
      if (!response.ok) throw new Error(await response.text())
      return `clickhouse://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`
    },
    kill: () => child.kill(),
    async start() {
      child = await startEngine(data, port)
    },
    async close() {
      await child.kill()
      await rm(data, { recursive: true, force: true })
    },
  }
}

type Engine = { port: number; kill(): Promise<void> }

async function startEngine(data: string, wantedPort: number): Promise<Engine> {
  const args = [data, user, password, String(wantedPort)]
  const child = fork(join(clickHouseProgram.folder, 'server.mjs'), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const [message] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The ClickHouse engine ended at its start.'))),
  ])
  // The program sends this message once it listens.
  const { port } = message as { port: number }
  return {
    port,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}
