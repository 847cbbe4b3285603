import { expect, test } from 'vitest'
import type { Connection } from '../contracts/connector.ts'
import { createLatchkey } from '../instance/latchkey.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import { getAccount } from '../state/getAccount.ts'
import { fakeAdapter } from '../testing/fakeAdapter.ts'
import { fakeConnector } from '../testing/fakeConnector.ts'
import { connect } from './connect.ts'
import { start } from './start.ts'
import { getRecentWallets } from '../storage/recentWallets.ts'

/** An app whose previous page sent a request to a phone wallet. `approve` approves it in the wallet. */
function setUpReload() {
  const phone = fakeConnector({ id: 'phone' })
  const other = fakeConnector({ id: 'other' })
  const storage = memoryStorage()
  let approve = async (): Promise<void> => {}
  let refuse = (): void => {}
  const granted = new Promise<readonly Connection[]>((resolve, reject) => {
    approve = async () => resolve(await phone.connect({ networks, signal: new AbortController().signal }))
    refuse = () => reject(new Error('no'))
  })
  const adapter = fakeAdapter()
  const { networks } = adapter
  let attempts = 0
  const resume = (): typeof granted => {
    attempts += 1
    return granted
  }
  const latchkey = createLatchkey({ adapters: [adapter], connectors: [{ ...phone, resume }, other], storage })
  return { latchkey, storage, approve: () => approve(), refuse: () => refuse(), attempts: () => attempts }
}

test('a discarded page connects when the user approves the request in the wallet', async () => {
  const { latchkey, approve, attempts } = setUpReload()
  const events: unknown[] = []
  latchkey.events.subscribe((event) => void events.push(event))
  start(latchkey)
  expect(attempts()).toBe(1)
  expect(getAccount(latchkey).status).toBe('disconnected')
  await approve()
  await expect.poll(() => getAccount(latchkey).status).toBe('connected')
  expect(events).toContainEqual(expect.objectContaining({ type: 'connect', connectorId: 'phone', restored: false }))
  expect(getRecentWallets(latchkey.internal.memory)).toMatchObject([{ id: 'phone' }])
})

test('a late approval does not replace another wallet', async () => {
  const { latchkey, approve } = setUpReload()
  start(latchkey)
  await connect(latchkey, 'other')
  await approve()
  await import('./resumeAttempt.ts')
  await new Promise((resolve) => setImmediate(resolve))
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', connectorId: 'other' })
})

test('a rejected request connects nothing', async () => {
  const { latchkey, refuse } = setUpReload()
  start(latchkey)
  refuse()
  await import('./resumeAttempt.ts')
  await new Promise((resolve) => setImmediate(resolve))
  expect(getAccount(latchkey).status).toBe('disconnected')
})
