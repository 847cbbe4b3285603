import { setTimeout as sleep } from 'node:timers/promises'
import type { GrownProcess } from '@latchkey/devnet'
import { expect } from 'vitest'
import { nothingLost, openCase } from '../faultCase.ts'
import { assertLoggedIn, beginLogin, startTraffic, waitUntilAccepted, watchApi, type GrownStage } from './grownStage.ts'

type Note = (text: string) => void

/** A killed NATS node copies what it has missed. A second loss before would leave no majority. */
const copyMs = 8_000
const outageMs = 4_000
const natsName = /^nats/

/** Kills one process under load, restarts it, and checks messages and logins. */
export async function killUnderLoad(stage: GrownStage, victim: GrownProcess, note: Note): Promise<void> {
  const fault = await openCase(`grown-kill-${victim.name}`)
  const { grown } = stage
  const email = `${victim.name}-${fault.random.between(0, 1e9)}@example.org`
  const session = await (await beginLogin(stage, email)).finish()
  const started = await beginLogin(stage, `other-${email}`)
  const load = await startTraffic(fault, grown)
  await sleep(2_000)
  const api = watchApi(grown)
  await victim.end('SIGKILL')
  await sleep(outageMs)
  const { requests, failures } = await api.stop()
  await victim.restart()
  await (natsName.test(victim.name) ? sleep(copyMs) : waitUntilAccepted(victim))
  // Both were confirmed before the loss.
  await assertLoggedIn(session)
  await assertLoggedIn(await started.finish())
  await load.stop()
  const verdict = await fault.verdict()
  expect(verdict).toMatchObject(nothingLost)
  note(`${verdict.confirmed} messages confirmed, 0 lost`)
  if (victim.name.startsWith('api')) note(`${failures.length} of ${requests} API requests failed in the meantime`)
}

/** Reloads HAProxy under load: the old worker keeps its connections for a while, the new one accepts others. */
export async function reloadProxy({ grown }: GrownStage, note: Note): Promise<void> {
  const fault = await openCase('grown-reload')
  const load = await startTraffic(fault, grown)
  const api = watchApi(grown)
  await sleep(2_000)
  grown.proxy.reload()
  // Longer than the old worker may stay.
  await sleep(25_000)
  const { requests, failures } = await api.stop()
  await load.stop()
  expect(await fault.verdict()).toMatchObject(nothingLost)
  expect(failures).toEqual([])
  note(`${requests} API requests, none failed`)
}

/** Restarts each process in turn, as for a new release, under load. */
export async function rollRelease(stage: GrownStage, note: Note): Promise<void> {
  const { grown } = stage
  const fault = await openCase('grown-roll')
  const session = await (await beginLogin(stage, `roll-${fault.random.between(0, 1e9)}@example.org`)).finish()
  const load = await startTraffic(fault, grown)
  const api = watchApi(grown)
  for (const server of [...grown.relays, ...grown.apis, grown.auth, grown.shares]) {
    expect(await server.end('SIGTERM')).toBe(0)
    await server.restart()
    await waitUntilAccepted(server)
  }
  const { requests, failures } = await api.stop()
  await assertLoggedIn(session)
  await load.stop()
  const verdict = await fault.verdict()
  expect(verdict).toMatchObject(nothingLost)
  note(`${verdict.confirmed} messages confirmed, 0 lost; ${failures.length} of ${requests} API requests failed`)
  expect(failures).toEqual([])
}
