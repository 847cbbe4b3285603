import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  signToken,
  startTestServer,
  testProjectId,
  type RelayResponse,
} from '../../testing/index.ts'
import { parseSignedToken } from '../connections/clientToken.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let service: Server
let webhook: string
let bodies: AsyncIterator<string>

beforeAll(async () => {
  server = await startTestServer({ webhooks: 'any' })
  const stream = new TransformStream<string, string>()
  const writer = stream.writable.getWriter()
  bodies = stream.readable[Symbol.asyncIterator]()
  service = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      void writer.write(Buffer.concat(chunks as Buffer[]).toString())
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  webhook = `http://127.0.0.1:${(service.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
  await server.close()
})

const topic = 'a'.repeat(64)
const key = createClientKey()

/** Asks over HTTP, as services do that listen by webhook. */
async function sendRequest(method: string, params: object): Promise<RelayResponse> {
  const search = new URLSearchParams({ auth: signToken(key), projectId: testProjectId })
  const body = JSON.stringify({ id: 7, jsonrpc: '2.0', method, params })
  const response = await fetch(`${server.url}/rpc?${search}`, { method: 'POST', body })
  return (await response.json()) as RelayResponse
}

test('a service without a WebSocket registers, subscribes, receives events and sends receipts', async () => {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    act: 'irn_watchRegister',
    sub: 'https://service.example',
    whu: webhook,
    iat,
    exp: iat + 86_400,
    typ: 'subscriber',
    tag: [4000],
    sts: ['accepted'],
  }
  const registered = await sendRequest('irn_watchRegister', { registerAuth: signToken(key, { claims }) })
  const { relayId } = registered.result as { relayId: string }
  const publicKey = Buffer.from(await (await fetch(`${server.url}/public-key`)).text(), 'hex')
  expect(relayId).toBe(`did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...publicKey))}`)

  await sendRequest('irn_subscribe', { topic })
  const dapp = await connectRelayClient(server.relayUrl)
  await dapp.request('irn_publish', { topic, message: 'sealed', ttl: 300, tag: 4000 })
  const body = JSON.parse(String((await bodies.next()).value)) as { eventAuth: [string] }
  const signed = await parseSignedToken(body.eventAuth[0])
  const evt = { messageId: expect.any(Number) as unknown, status: 'accepted', topic, message: 'sealed' }
  expect(signed).toMatchObject({ issuer: relayId, claims: { act: 'irn_watchEvent', sub: key.clientId, evt } })

  // The claims that were checked above.
  const { claims: checked } = signed as unknown as { claims: { evt: { messageId: number } } }
  const { messageId } = checked.evt
  expect(await sendRequest('irn_batchReceive', { receipts: [{ topic, messageId }] })).toMatchObject({ result: true })
  expect(await sendRequest('irn_fetchMessages', { topic })).toMatchObject({ result: { messages: [], hasMore: false } })
  const unregisterAuth = signToken(key, { claims: { ...claims, act: 'irn_watchUnregister' } })
  expect(await sendRequest('irn_watchUnregister', { unregisterAuth })).toMatchObject({ result: true })
  await dapp.close()
})

test('a webhook in a private network is rejected unless allowed', async () => {
  const strict = await startTestServer({ databaseUrl: server.databaseUrl })
  const client = await connectRelayClient(strict.relayUrl)
  const claims = { act: 'irn_watchRegister', sub: 'https://service.example', exp: Date.now() / 1000 + 60 }
  const watch = { typ: 'subscriber', tag: [1], sts: ['accepted'] }
  for (const whu of [webhook, 'https://127.0.0.1/hook', 'https://169.254.169.254/latest/meta-data']) {
    const registerAuth = signToken(key, { claims: { ...claims, ...watch, whu } })
    const { error } = await client.request('irn_watchRegister', { registerAuth })
    expect(error).toMatchObject({ code: -32000, data: 'InvalidWebhookUrl' })
  }
  await client.close()
  await strict.close()
})
