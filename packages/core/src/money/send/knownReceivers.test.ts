import type { HistoryItem } from '@latchkey/protocol'
import { parseAccountId } from '@latchkey/protocol'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { disconnect } from '../../connection/disconnect.ts'
import { fakeAccount, fakeConnector, fakeWorld, type FakeWorld } from '../../testing/fakes.ts'
import { findSimilar, isKnownReceiver, learnReceivers, rememberReceiver } from './knownReceivers.ts'

const from = fakeAccount('eip155:1')
const { address: own } = parseAccountId(from)
const friend = '0xAbCd000000000000000000000000000000001234'

let server: Server
let scripted: { status: number; body: unknown }
let requests: number

beforeEach(async () => {
  requests = 0
  scripted = { status: 200, body: { data: [], next: null } }
  server = createServer((_request, response) => {
    requests += 1
    response.writeHead(scripted.status).end(JSON.stringify(scripted.body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function connectTestWallet(): Promise<FakeWorld> {
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const connectors = [fakeConnector({ accounts: [from] })]
  const world = fakeWorld({ server: `http://127.0.0.1:${port}`, projectId: '0'.repeat(32), connectors })
  await connect(world.latchkey, 'fake')
  return world
}

type Change = { sentFrom?: string; numeric?: string; status?: 'failed'; direction?: 'in'; counterparty?: string }

function createPayment(change: Change = {}): HistoryItem {
  const { sentFrom = own, numeric = '1.5', status = 'confirmed', direction = 'out', counterparty = friend } = change
  return {
    id: '1',
    metadata: {
      operationType: 'send',
      hash: '0x1',
      minedAt: '2026-01-02T03:04:05Z',
      sentFrom,
      sentTo: `0x${'9'.repeat(40)}`,
      status,
      nonce: 0,
      application: null,
      chain: 'eip155:1',
    },
    transfers: [
      {
        fungible_info: { name: 'Coin', symbol: 'COIN', icon: null },
        nft_info: null,
        direction,
        counterparty,
        quantity: { numeric },
        value: null,
        price: null,
      },
    ],
  }
}

async function learn(...data: readonly HistoryItem[]): Promise<FakeWorld> {
  scripted = { status: 200, body: { data, next: null } }
  const world = await connectTestWallet()
  await learnReceivers(world.latchkey, { from, chainId: 'eip155:1' })
  return world
}

test('known recipients stay when the account disconnects', async () => {
  const { latchkey } = await connectTestWallet()
  rememberReceiver(latchkey, from, friend)
  await disconnect(latchkey)
  expect(isKnownReceiver(latchkey, from, friend)).toBe(true)
})

test('findSimilar finds addresses that the UI shortens to the same text', async () => {
  const { latchkey } = await connectTestWallet()
  rememberReceiver(latchkey, from, friend)
  // The UI shows 0xAb…001234.
  expect(findSimilar(latchkey, from, `0xab${'f'.repeat(32)}001234`)).toBe(friend)
  expect(findSimilar(latchkey, from, `0xab${'f'.repeat(32)}011234`)).toBeUndefined()
})

test('learnReceivers knows the recipients of earlier payments, and their look-alikes', async () => {
  const { latchkey } = await learn(createPayment())
  expect(isKnownReceiver(latchkey, from, friend.toLowerCase())).toBe(true)
  expect(findSimilar(latchkey, from, `0xab${'f'.repeat(32)}001234`)).toBe(friend)
})

test.each<[string, Change]>([
  ['another account signed', { sentFrom: `0x${'7'.repeat(40)}` }],
  ['failed', { status: 'failed' }],
  ['moved nothing', { numeric: '0.00' }],
  ['came in', { direction: 'in' }],
])('learnReceivers ignores a transfer that %s', async (_what, change) => {
  const { latchkey } = await learn(createPayment(change))
  expect(isKnownReceiver(latchkey, from, friend)).toBe(false)
})

test('learnReceivers reads the history once, and again after a failure', async () => {
  scripted = { status: 503, body: {} }
  const { latchkey } = await connectTestWallet()
  const account = { from, chainId: 'eip155:1' } as const
  await learnReceivers(latchkey, account)
  expect(isKnownReceiver(latchkey, from, friend)).toBe(false)
  scripted = { status: 200, body: { data: [createPayment()], next: null } }
  await learnReceivers(latchkey, account)
  expect(isKnownReceiver(latchkey, from, friend)).toBe(true)
  const before = requests
  await learnReceivers(latchkey, account)
  expect(requests).toBe(before)
})

test('learnReceivers keeps at most a hundred recipients, those paid here first', async () => {
  const many = Array.from({ length: 50 }, (_, index) =>
    createPayment({ counterparty: `0x${String(index).padStart(40, 'a')}` }),
  )
  scripted = { status: 200, body: { data: many, next: null } }
  const { latchkey } = await connectTestWallet()
  for (let index = 0; index < 99; index += 1) {
    rememberReceiver(latchkey, from, `0x${String(index).padStart(40, 'b')}`)
  }
  await learnReceivers(latchkey, { from, chainId: 'eip155:1' })
  expect(isKnownReceiver(latchkey, from, `0x${'0'.padStart(40, 'b')}`)).toBe(true)
  expect(isKnownReceiver(latchkey, from, `0x${'0'.padStart(40, 'a')}`)).toBe(true)
  expect(isKnownReceiver(latchkey, from, `0x${'1'.padStart(40, 'a')}`)).toBe(false)
})
