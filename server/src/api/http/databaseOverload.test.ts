import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../testing/index.ts'

const projectId = 'ab'.repeat(16)
const account = 'eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** Two rounds are more than the statements that may wait for a connection. */
const [rounds, readsPerRound] = [10, 60]

test('while the database is stuck, new reads are refused at once, and requests without the database continue', async () => {
  const server = await startTestServer({ services: ['api'] })
  const locker = new pg.Client({ connectionString: server.databaseUrl })
  await locker.connect()
  onTestFinished(async () => {
    await locker.end()
    await server.close()
  })
  const read = async (): Promise<string> => {
    const { status, headers } = await fetch(`${server.url}/v1/sessions/${account}?projectId=${projectId}`)
    return `${status} ${headers.get('retry-after')}`
  }
  expect(await read()).toBe('200 null')

  await locker.query('begin')
  await locker.query('lock table smart_session in access exclusive mode')
  const stuck: Promise<string>[] = []
  for (let round = 0; round < rounds; round += 1) {
    stuck.push(...Array.from({ length: readsPerRound }, read))
    await sleep(100)
  }
  const wallets = await fetch(`${server.url}/getWallets?projectId=${projectId}&page=1&entries=1`)
  expect(wallets.status).toBe(200)
  await locker.query('commit')

  expect(await Promise.all(stuck)).toContain('503 2')
  expect(await read()).toBe('200 null')
})
