import { closeModal } from './navigation/openModal.ts'
import { fakeModalWorld } from './testing/fakeModalWorld.ts'
import { openModal } from './navigation/openModal.ts'
import { pair } from './pairing/pair.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, disconnect, getTokens, start, switchNetwork } from '@latchkey/core'
import { getRejection, fakeConnector, fakeStorage, flushTasks, type FakeConnectorOptions } from '@latchkey/core/fakes'

const unhandled: unknown[] = []
const recordUnhandled = (reason: unknown): void => void unhandled.push(reason)

beforeAll(() => void process.on('unhandledRejection', recordUnhandled))
afterAll(() => void process.off('unhandledRejection', recordUnhandled))

const remembered = { eip155: { connectorId: 'fake', account: 'eip155:1:0xfa4e', chainId: 'eip155:1' } }
const broken = new Error('broken')

/** Two turns of the event loop: Node.js reports unhandled rejections after the first. */
async function flushAllPromises(): Promise<void> {
  await flushTasks()
  await flushTasks()
}

test.each<FakeConnectorOptions>([
  { rejectWith: broken },
  { restores: broken },
  { restores: 'never responds', neverResponds: true },
  { neverResponds: true, ignoresAbort: true },
  { type: 'walletConnect', uris: ['wc:1'], rejectWith: broken },
  { type: 'walletConnect', uris: ['wc:1'], neverResponds: true, restores: broken },
])('a wallet like %j causes no unhandled rejection', async (options) => {
  const storage = fakeStorage({ values: { '@latchkey/connections': JSON.stringify(remembered) } })
  const connector = fakeConnector(options)
  connector.fail('disconnect', broken)
  connector.fail('switchNetwork', broken)
  const { latchkey, clock } = fakeModalWorld({ storage, connectors: [connector], server: 'http://127.0.0.1:1' })
  const stop = start(latchkey)
  await flushAllPromises()
  const attempt = new AbortController()
  const failure = getRejection(connect(latchkey, 'fake', { signal: attempt.signal }))
  attempt.abort()
  await failure
  connector.reject(broken)
  openModal(latchkey)
  pair(latchkey)
  pair(latchkey)
  await flushAllPromises()
  closeModal(latchkey)
  connector.reject(broken)
  pair(latchkey)
  await getRejection(disconnect(latchkey))
  await getRejection(switchNetwork(latchkey, 'eip155:2'))
  await getRejection(getTokens(latchkey))
  clock.advance(60_000)
  stop()
  await flushAllPromises()
  expect(unhandled).toEqual([])
})
