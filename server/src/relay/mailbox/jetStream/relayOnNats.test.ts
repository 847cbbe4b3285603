import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWebPushReceiver, type WebPushReceiver } from '../../push/testing/webPushReceiver.ts'
import {
  connectRelayClient,
  createClientKey,
  signToken,
  testProjectId,
  startTestNats,
  startTestServer,
  type RelayClient,
  type TestNats,
} from '../../../testing/index.ts'

let nats: TestNats
let receiver: WebPushReceiver
let server: Awaited<ReturnType<typeof startTestServer>>
let dapp: RelayClient

beforeAll(async () => {
  nats = await startTestNats()
  receiver = await startWebPushReceiver()
  const push = { contact: 'mailto:push@example.org', hosts: 'any', fcm: undefined, apns: undefined } as const
  server = await startTestServer({ relayStore: nats.store, webhooks: 'any', push })
  dapp = await connectRelayClient(server.relayUrl)
})
afterAll(async () => {
  await dapp.close()
  await server.close()
  await receiver.close()
  await nats.close()
})

const topic = 'e'.repeat(64)
const publish = (message: string, change: object = {}): ReturnType<RelayClient['request']> =>
  dapp.request('irn_publish', { topic, message, ttl: 300, tag: 1108, ...change })

test.each(['>', '*', 'a.b', `${'a'.repeat(62)}.*`, 'A'.repeat(64), `${'a'.repeat(63)}\n`, ''])(
  'a topic that means something to NATS is refused: %j [R-11]',
  async (hostile) => {
    expect((await publish('x', { topic: hostile })).error).toMatchObject({ data: 'InvalidTopic' })
    expect((await dapp.request('irn_subscribe', { topic: hostile })).error).toMatchObject({ data: 'InvalidTopic' })
  },
)

test('a watch is refused, because its webhook would never be called', async () => {
  const { error } = await dapp.request('irn_watchRegister', { registerAuth: 'token' })
  expect(error).toMatchObject({ code: -32601 })
})

test('a wallet that sleeps is woken, although the message is not in the database', async () => {
  const key = createClientKey()
  const pushTopic = 'd'.repeat(64)
  const browser = receiver.subscribe()
  const body = JSON.stringify({ client_id: key.clientId, type: 'web', token: browser.token })
  const headers = { authorization: `Bearer ${signToken(key)}` }
  await fetch(`${server.url}/${testProjectId}/clients`, { method: 'POST', headers, body })
  const wallet = await connectRelayClient(server.relayUrl, { key })
  await wallet.request('irn_subscribe', { topic: pushTopic })
  await publish('acknowledged', { topic: pushTopic, prompt: true })
  await wallet.until(() => wallet.pushes.length === 1)
  await wallet.close()
  await publish('missed', { topic: pushTopic, prompt: true })
  const [request] = await receiver.received(1)
  expect(browser.decrypt(request as NonNullable<typeof request>)).toMatchObject({ topic: pushTopic, message: 'missed' })
})

test(
  'a message that is published while NATS restarts is confirmed and delivered once [R-02]',
  { tags: 'faults' },
  async () => {
    const wallet = await connectRelayClient(server.relayUrl)
    await wallet.request('irn_subscribe', { topic })
    const [node] = nats.servers
    await node?.kill()
    const published = publish('during the restart')
    await node?.start()
    expect(await published).toMatchObject({ result: true })
    await vi.waitFor(() => expect(wallet.messages()).toEqual(['during the restart']), 60_000)
    await wallet.close()
  },
)

test(
  'a publish fails while NATS stays unreachable, and works again when it is back [R-02]',
  { tags: 'faults' },
  async () => {
    const [node] = nats.servers
    await node?.kill()
    expect((await publish('lost')).error).toMatchObject({ data: 'StorageError' })
    await node?.start()
    await vi.waitFor(async () => expect(await publish('back')).toMatchObject({ result: true }), 60_000)
  },
)
