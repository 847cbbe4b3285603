import { once } from 'node:events'
import { connect as connectTcp, Socket, type LookupFunction } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { peerPairs } from './peerPairs.ts'
import { accounts, connect, waitForNextRequest, createStage, signing } from './stage.ts'

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
})

afterEach(() => void vi.restoreAllMocks())

afterAll(() => server.close(), 60_000)

/** The hosts and addresses that sockets of this process connect to, TLS and HTTP included. */
function watchDialling(): Set<string> {
  const dialled = new Set<string>()
  const { connect: dial } = Socket.prototype
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...target: unknown[]) {
    this.on('lookup', (_error, _address, _family, host) => dialled.add(host))
    this.on('connectionAttempt', (address: string) => dialled.add(address))
    // The spy accepts the arguments of the original, which has many overloads.
    return Reflect.apply(dial, this, target) as Socket
  })
  return dialled
}

test('the clients of the matrix connect to no host other than the relay', async (context) => {
  const dialled = watchDialling()
  for (const pair of peerPairs) {
    const stage = await createStage(pair, server.relayUrl, context)
    const topic = await connect(stage)
    const response = stage.dapp.peer.request(topic, signing)
    await (await waitForNextRequest(stage)).respond('0xsigned')
    await response
    await stage.wallet.peer.update(topic, accounts)
    await stage.dapp.peer.disconnect(topic)
  }
  expect([...dialled]).toEqual(['127.0.0.1'])
})

const elsewhere = {
  host: 'elsewhere.example',
  port: 443,
  lookup: ((_name, _options, done): void => done(new Error('no such host'), '')) satisfies LookupFunction,
}

test.each([
  ['TCP', () => connectTcp(elsewhere)],
  ['TLS', () => connectTls(elsewhere)],
])('a connection to another host over %s is detected', async (_, dial) => {
  const dialled = watchDialling()
  await once(dial(), 'error')
  expect([...dialled]).toEqual(['elsewhere.example'])
})
