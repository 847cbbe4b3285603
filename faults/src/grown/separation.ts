import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { nothingLost, openCase } from '../faultCase.ts'
import { assertLoggedIn, beginLogin, startTraffic, waitUntilAccepted, type GrownStage } from './grownStage.ts'

type Note = (text: string) => void

const separationMs = 30_000
const copyMs = 8_000

/** Separates one relay and one NATS node from the rest. Without namespaces, both are frozen instead. */
export async function splitNetwork({ grown, sites }: GrownStage, note: Note): Promise<void> {
  const fault = await openCase('grown-split')
  const load = await startTraffic(fault, grown)
  await sleep(3_000)
  const [relay, node] = [grown.relays[1], grown.nats[2]]
  if (relay === undefined || node === undefined) throw new Error('The layout has two relays and three nodes.')
  if ('cut' in sites) {
    await sites.cut()
    await sleep(separationMs)
    await sites.heal()
  } else {
    note(`replaced: relay-2 and nats-3 were frozen, because of ${sites.reason}`)
    relay.freeze()
    node.freeze()
    await sleep(separationMs)
    relay.thaw()
    node.thaw()
  }
  await sleep(copyMs)
  await waitUntilAccepted(relay)
  await load.stop()
  const verdict = await fault.verdict()
  expect(verdict).toMatchObject(nothingLost)
  note(`${verdict.confirmed} messages confirmed, 0 lost`)
}

/**
 * Kills the primary PostgreSQL under load, promotes the replica, and restarts the processes with its address, as
 * docs/operate.md says.
 */
export async function failOver(stage: GrownStage, note: Note): Promise<void> {
  const { grown } = stage
  const fault = await openCase('grown-failover')
  const load = await startTraffic(fault, grown)
  const confirmed: Awaited<ReturnType<typeof beginLogin>>['client'][] = []
  let isStopped = false
  /** Each login that is confirmed is a commit of the auth service. */
  const logIn = async (lane: number): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const email = `failover-${lane}-${count}-${fault.random.between(0, 1e9)}@example.org`
      const login = await beginLogin(stage, email).catch(() => undefined)
      const client = await login?.finish().catch(() => undefined)
      if (client !== undefined) confirmed.push(client)
    }
  }
  const lanes = [0, 1, 2].map(logIn)
  await expect.poll(() => confirmed.length, { timeout: 120_000 }).toBeGreaterThan(8)
  expect(await grown.postgres.query('primary', 'select sync_state from pg_stat_replication')).toBe('sync')
  await grown.postgres.primary.end('SIGKILL')
  const since = performance.now()
  await sleep(2_000)
  await grown.postgres.promote()
  await grown.writeDatabaseUrls()
  for (const server of [grown.auth, grown.shares, ...grown.relays, ...grown.apis]) {
    await server.end('SIGTERM')
    await server.restart()
  }
  for (const server of [grown.auth, grown.shares, ...grown.relays, ...grown.apis]) await waitUntilAccepted(server)
  const seconds = Math.round((performance.now() - since) / 1000)
  isStopped = true
  await Promise.all(lanes)
  for (const client of confirmed) await assertLoggedIn(client)
  await load.stop()
  const verdict = await fault.verdict()
  expect(verdict).toMatchObject(nothingLost)
  expect(await grown.postgres.query('replica', 'select pg_is_in_recovery()')).toBe('f')
  note(
    `${confirmed.length} confirmed logins kept, ${verdict.confirmed} messages confirmed, 0 lost, ${seconds} s in all`,
  )
}
