import { connectRelayClient, startTestPostgres, testProjectId, type RelayClient } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKillableServer, type KillableServer } from '../killableServer.ts'
import { runFuzz } from './runFuzz.ts'

const topic = 'ab'.repeat(32)
const rounds = Number(process.env['LATCHKEY_FUZZ_ROUNDS'] ?? 20_000)

let postgres: { url: string; close(): Promise<void> }
let server: KillableServer
let client: RelayClient | undefined
let inputs = 0
let responsesToInputs = 0

beforeAll(async () => {
  postgres = await startTestPostgres({ isDurable: false })
  server = await startKillableServer({ services: 'relay,api', env: { DATABASE_URL: postgres.url } })
})
afterAll(async () => {
  client?.socket.terminate()
  await server.close()
  await postgres.close()
})

/** Connects, also again after the relay has ended the connection. */
async function connected(): Promise<RelayClient> {
  if (client === undefined || client.socket.readyState !== client.socket.OPEN) {
    client = await connectRelayClient(`ws://${new URL(server.url).host}/relay`)
  }
  return client
}

const formatFrame = (method: string, params: object): string =>
  JSON.stringify({ id: 1_700_000_000_000_001, jsonrpc: '2.0', method, params })

/** Sends a text and a request behind it: the relay responds to the request, whatever came before. */
async function sendFrame(input: string): Promise<readonly string[]> {
  inputs += 1
  const relay = await connected()
  const before = relay.frames.length
  relay.socket.send(input)
  const marker = await relay.request('irn_unsubscribe', { topic }).catch(() => undefined)
  if (marker === undefined) return [`closed ${(await relay.closed).code}`]
  expect(marker).toMatchObject({ result: true })
  // A slow response to an earlier input may be among them.
  const responses = relay.frames.slice(before).filter((text) => !text.includes('irn_subscription'))
  responsesToInputs += responses.length - 1
  return responses.map((text) => {
    const { error } = JSON.parse(text) as { error?: { code: number; data?: string } }
    // An internal error is a defect: the input was not validated.
    expect(error?.code).not.toBe(-32603)
    return error === undefined ? 'ok' : `${error.code} ${error.data}`
  })
}

test('frames of the relay: each gets one response at most, and never an internal error [R-11]', async () => {
  const message = { topic, message: 'm', ttl: 300, tag: 1108, attestation: '', prompt: true }
  const starts = [
    formatFrame('irn_publish', message),
    formatFrame('irn_batchPublish', { messages: [message] }),
    formatFrame('irn_subscribe', { topic }),
    formatFrame('irn_batchSubscribe', { topics: [topic] }),
    formatFrame('irn_batchFetchMessages', { topics: [topic] }),
    formatFrame('irn_batchReceive', { receipts: [{ topic, message_id: 1 }] }),
    formatFrame('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'm' }),
    '{"id":1,"jsonrpc":"2.0","result":true}',
  ]
  const { size } = await runFuzz({ name: 'relay frames', starts, run: sendFrame }, { rounds })
  expect(size).toBeGreaterThan(5)
  expect(responsesToInputs).toBeLessThanOrEqual(inputs)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
}, 1_200_000)

test('names in paths of the API: no response is a server error [P-11]', async () => {
  const run = async (input: string): Promise<string> => {
    // A lone surrogate has no UTF-8, so no client can send it.
    const name = /\p{Surrogate}/u.test(input) ? '' : encodeURIComponent(input)
    const response = await fetch(`${server.url}/v1/profile/account/${name}?projectId=${testProjectId}&st=a&sv=b`)
    await response.arrayBuffer()
    expect(response.status).toBeLessThan(500)
    return String(response.status)
  }
  const starts = ['anna.example.eth', 'anna', 'ß.eth', 'xn--n28h.eth', '0x71C7656EC7ab88b098defB751B7401B5f6d8976F']
  await runFuzz({ name: 'names', starts, run }, { rounds: rounds / 4 })
}, 1_200_000)
