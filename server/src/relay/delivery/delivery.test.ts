import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  connectRelayClient,
  createClientKey,
  startTestNats,
  startTestServer,
  type RelayClient,
  type RelayClientOptions,
  type TestNats,
} from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

describe.each([
  { name: 'in PostgreSQL', isInNats: false },
  { name: 'in NATS', isInNats: true },
])('with messages $name', ({ isInNats }) => {
  let nats: TestNats | undefined
  let server: Server
  let topic: string
  let lastTopic = 0
  let now = Date.now()
  const clients: RelayClient[] = []

  beforeAll(async () => {
    nats = isInNats ? await startTestNats() : undefined
    server = await startTestServer({ clock: { now: () => now }, relayStore: nats?.store })
  })
  afterAll(async () => {
    await server.close()
    await nats?.close()
  })
  beforeEach(() => {
    now = Date.now()
    topic = newTopic()
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })

  function newTopic(): string {
    lastTopic += 1
    return lastTopic.toString(16).padStart(64, '0')
  }

  async function connect(options?: RelayClientOptions): Promise<RelayClient> {
    const client = await connectRelayClient(server.relayUrl, options)
    clients.push(client)
    return client
  }

  function newMessage(message: string, change: object = {}): object {
    return { topic, message, ttl: 300, tag: 1108, ...change }
  }

  async function publish(client: RelayClient, message: string, change?: object): Promise<void> {
    expect(await client.request('irn_publish', newMessage(message, change))).toMatchObject({ result: true })
  }

  /** Waits until all earlier messages have arrived: they have, once a later message has. */
  async function settle(subscriber: RelayClient): Promise<void> {
    const last = newTopic()
    const other = await connect()
    await subscriber.request('irn_subscribe', { topic: last })
    await publish(other, `last of ${last}`, { topic: last })
    await subscriber.until(() => subscriber.messages().includes(`last of ${last}`))
  }

  describe('delivery', () => {
    test('a subscriber receives a published message unchanged', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      const { result: id } = await wallet.request('irn_subscribe', { topic })
      await publish(dapp, 'sealed', { attestation: 'who', prompt: true, tvf: { chainId: 'eip155:1' }, rpcMethods: [] })
      await wallet.until(() => wallet.pushes.length === 1)
      expect(wallet.pushes[0]).toEqual({
        id: 1,
        jsonrpc: '2.0',
        method: 'irn_subscription',
        params: { id, data: { topic, message: 'sealed', publishedAt: now, tag: 1108, attestation: 'who' } },
      })
    })

    test('a subscriber receives an empty attestation when the publisher sent none', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      await wallet.request('irn_subscribe', { topic })
      await publish(dapp, 'sealed')
      await wallet.until(() => wallet.pushes.length === 1)
      expect(wallet.pushes[0]?.params.data.attestation).toBe('')
    })

    test('a message is stored for later subscribers', async () => {
      const dapp = await connect()
      await publish(dapp, 'early')
      const wallet = await connect()
      await wallet.request('irn_subscribe', { topic })
      await wallet.until(() => wallet.pushes.length === 1)
      expect(wallet.messages()).toEqual(['early'])
      expect(wallet.frames[0]).toContain('"result"')
    })

    test('the publisher receives its response before subscribers receive the message, and no copy of its own message', async () => {
      const key = createClientKey()
      const [dapp, other] = [await connect({ key }), await connect({ key })]
      const wallet = await connect()
      await Promise.all([dapp, other, wallet].map((client) => client.request('irn_subscribe', { topic })))
      const order: string[] = []
      dapp.socket.on('message', () => order.push('answer'))
      wallet.socket.on('message', () => order.push('push'))
      await publish(dapp, 'one')
      await wallet.until(() => wallet.pushes.length === 1)
      expect(order[0]).toBe('answer')
      await settle(other)
      expect(dapp.messages()).toEqual([])
      expect(other.messages()).not.toContain('one')
    })

    test('a message reaches every connection of one client', async () => {
      const key = createClientKey()
      const tabs = [await connect({ key }), await connect({ key })]
      await Promise.all(tabs.map((tab) => tab.request('irn_subscribe', { topic })))
      await publish(await connect(), 'both')
      await Promise.all(tabs.map((tab) => tab.until(() => tab.pushes.length === 1)))
      expect(tabs.map((tab) => tab.messages())).toEqual([['both'], ['both']])
    })

    test('a client that subscribes twice gets one subscription id and each message once', async () => {
      const [dapp, wallet] = [await connect(), await connect({ acknowledges: false })]
      await publish(dapp, 'stored')
      const first = await wallet.request('irn_subscribe', { topic })
      const second = await wallet.request('irn_batchSubscribe', { topics: [topic, topic] })
      expect(second.result).toEqual([first.result, first.result])
      await publish(dapp, 'live')
      await wallet.until(() => wallet.messages().includes('live'))
      await settle(wallet)
      expect(wallet.messages().slice(0, 2)).toEqual(['stored', 'live'])
      expect(wallet.messages().filter((message) => message === 'stored' || message === 'live')).toHaveLength(2)
    })

    test('delivery stops after unsubscribing with any id', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      await wallet.request('irn_subscribe', { topic })
      expect(await wallet.request('irn_unsubscribe', { topic, id: 'my own' })).toMatchObject({ result: true })
      await publish(dapp, 'unheard')
      await settle(wallet)
      expect(wallet.messages()).not.toContain('unheard')
    })

    test('messages of one publisher arrive in order across stored and live delivery', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      const messages = Array.from({ length: 400 }, (_, index) => `message ${index}`)
      const early = messages.slice(0, 250).map((message) => publish(dapp, message))
      const subscribed = wallet.request('irn_subscribe', { topic })
      await Promise.all([...early, subscribed, ...messages.slice(250).map((message) => publish(dapp, message))])
      await wallet.until(() => wallet.pushes.length === messages.length)
      expect(wallet.messages()).toEqual(messages)
    })

    test('no message is lost when several publishers send batches and single messages concurrently', async () => {
      const wallet = await connect()
      await wallet.request('irn_subscribe', { topic })
      const publishers = await Promise.all(Array.from({ length: 6 }, () => connect()))
      const responses = publishers.flatMap((client, index) =>
        Array.from({ length: 10 }, (_, turn) => {
          const name = `${index} ${turn}`
          return index % 2 === 0
            ? client.request('irn_publish', newMessage(name))
            : client.request('irn_batchPublish', { messages: [newMessage(name), newMessage(`${name} b`)] })
        }),
      )
      await Promise.all(responses)
      await wallet.until(() => wallet.pushes.length === 90)
      await settle(wallet)
      expect(wallet.pushes).toHaveLength(91)
      for (const index of publishers.keys()) {
        const own = wallet.messages().filter((message) => message.startsWith(`${index} `) && !message.endsWith('b'))
        expect(own).toEqual(Array.from({ length: 10 }, (_, turn) => `${index} ${turn}`))
      }
    })

    test('a repeated publish returns true and the message is delivered once [R-07]', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      await wallet.request('irn_subscribe', { topic })
      await Promise.all(Array.from({ length: 1_000 }, () => publish(dapp, 'again')))
      await settle(wallet)
      expect(wallet.messages().filter((message) => message === 'again')).toHaveLength(1)
    })

    test('after a reconnect only unacknowledged messages are delivered again [R4.4.9] [R-06]', async () => {
      const key = createClientKey()
      const dapp = await connect()
      const messages = Array.from({ length: 100 }, (_, index) => `message ${index}`)
      await Promise.all(messages.map((message, index) => publish(dapp, message, { ttl: index % 4 === 0 ? 30 : 300 })))

      const before = await connect({ key, acknowledges: false })
      await before.request('irn_subscribe', { topic })
      await before.until(() => before.pushes.length === 100)
      for (const push of before.pushes.slice(0, 50)) before.acknowledge(push)
      await settle(before)
      await before.close()

      now += 31_000
      const after = await connect({ key })
      await after.request('irn_subscribe', { topic })
      const expected = messages.filter((_, index) => index >= 50 && index % 4 !== 0)
      await after.until(() => after.pushes.length >= expected.length)
      await settle(after)
      expect(after.messages().slice(0, expected.length)).toEqual(expected)
      expect(after.messages()).toHaveLength(expected.length + 1)
    })

    test('a push that the client responds to with an error is delivered again', async () => {
      const key = createClientKey()
      await publish(await connect(), 'refused')
      const before = await connect({ key, acknowledges: false })
      await before.request('irn_subscribe', { topic })
      await before.until(() => before.pushes.length === 1)
      before.socket.send(`{"id":${before.pushes[0]?.id},"jsonrpc":"2.0","error":{"code":1,"message":"no"}}`)
      await before.request('irn_unsubscribe', { topic })
      await before.close()
      const after = await connect({ key })
      await after.request('irn_subscribe', { topic })
      await after.until(() => after.pushes.length === 1)
      expect(after.messages()).toEqual(['refused'])
    })
  })

  describe('deliveries without an acknowledgement', () => {
    test(
      'a delivery that is not acknowledged is repeated on the same connection [R-18]',
      { tags: 'faults' },
      async () => {
        const [dapp, wallet] = [await connect(), await connect({ acknowledges: false })]
        await publish(dapp, 'stored')
        await wallet.request('irn_subscribe', { topic })
        await wallet.until(() => wallet.pushes.length === 1)
        await publish(dapp, 'live')
        await wallet.until(() => wallet.pushes.length === 2)
        now += 11_000
        await wallet.until(() => wallet.pushes.length === 4)
        expect(wallet.messages()).toEqual(['stored', 'live', 'stored', 'live'])
      },
    )
  })

  describe('fetching', () => {
    test('fetching returns stored messages once, in several pages if needed', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      const second = newTopic()
      const messages = Array.from({ length: 150 }, (_, index) => `message ${index}`)
      await Promise.all(messages.map((message) => publish(dapp, message)))
      await publish(dapp, 'elsewhere', { topic: second })
      const fetched: string[] = []
      for (let hasMore = true; hasMore;) {
        const { result } = await wallet.request('irn_batchFetchMessages', { topics: [topic, second, topic] })
        const page = result as { messages: Array<{ message: string }>; hasMore: boolean }
        fetched.push(...page.messages.map(({ message }) => message))
        hasMore = page.hasMore
      }
      expect(fetched.toSorted()).toEqual([...messages, 'elsewhere'].toSorted())
      expect(await wallet.request('irn_fetchMessages', { topic })).toMatchObject({
        result: { messages: [], hasMore: false },
      })
    })
  })

  describe('responses that get lost', () => {
    test('fetched messages are delivered again when the connection breaks before the client has the response', async () => {
      const key = createClientKey()
      const [dapp, wallet] = [await connect(), await connect({ key })]
      await publish(dapp, 'request')
      expect(await wallet.request('irn_batchFetchMessages', { topics: [topic] })).toMatchObject({
        result: { messages: [{ message: 'request' }] },
      })
      // The relay can't tell whether the response arrived: no frame follows it.
      wallet.socket.terminate()
      await wallet.closed
      const back = await connect({ key })
      await back.request('irn_subscribe', { topic })
      await back.until(() => back.messages().includes('request'))
    })

    test('a frame that the client sent before it had the response acknowledges nothing', async () => {
      const key = createClientKey()
      const [dapp, wallet] = [await connect(), await connect({ key })]
      await publish(dapp, 'request')
      const pipelined = newTopic()
      await dapp.request('irn_subscribe', { topic: pipelined })
      // The response is on its way while the client sends its next frame, and the connection breaks before it arrives.
      wallet.socket.pause()
      const lost = [wallet.request('irn_batchFetchMessages', { topics: [topic] })]
      await new Promise((resolve) => setTimeout(resolve, 300))
      lost.push(wallet.request('irn_publish', newMessage('next frame', { topic: pipelined })))
      await dapp.until(() => dapp.messages().includes('next frame'))
      wallet.socket.terminate()
      await Promise.allSettled(lost)
      const back = await connect({ key })
      await back.request('irn_subscribe', { topic })
      await back.until(() => back.pushes.length > 0)
      expect(back.messages()).toEqual(['request'])
    })
  })

  describe('batches', () => {
    test('the stored messages of a partly refused batch reach subscribers', { tags: 'faults' }, async () => {
      const small = await startTestServer({
        relayLimits: { mailbox: { messages: 2, bytes: 1_000, bytesPerPublisher: 10_000 } },
      })
      const wallet = await connectRelayClient(small.relayUrl, { acknowledges: false })
      const dapp = await connectRelayClient(small.relayUrl)
      await wallet.request('irn_subscribe', { topic })
      const messages = ['1', '2', '3'].map((message) => newMessage(message))
      expect(await dapp.request('irn_batchPublish', { messages })).toMatchObject({
        error: { data: 'MailboxLimitExceeded' },
      })
      await wallet.until(() => wallet.pushes.length === 2)
      expect(wallet.messages()).toEqual(['1', '2'])
      await Promise.all([wallet.close(), dapp.close()])
      await small.close()
    })

    test('a batch costs as much as its items [R-17]', async () => {
      // So slow that a busy machine does not refill it during the test.
      const strict = await startTestServer({ relayLimits: { items: { perSecond: 0.01, burst: 100 } } })
      const wallet = await connectRelayClient(strict.relayUrl)
      const topics = Array.from({ length: 60 }, newTopic)
      expect(await wallet.request('irn_batchFetchMessages', { topics })).toMatchObject({ result: { messages: [] } })
      for (const method of ['irn_batchFetchMessages', 'irn_batchSubscribe', 'irn_batchSubscribeBlocking']) {
        expect(await wallet.request(method, { topics })).toMatchObject({ error: { code: 3001 } })
      }
      await wallet.close()
      await strict.close()
    })
  })

  describe('sessions', () => {
    test('wc_proposeSession subscribes the proposer to the pairing topic and publishes the proposal there', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      const proposal = { pairingTopic: topic, sessionProposal: 'proposal', ttl: 300, attestation: '' }
      expect(await dapp.request('wc_proposeSession', proposal)).toMatchObject({ result: true })
      await wallet.request('irn_subscribe', { topic })
      await wallet.until(() => wallet.pushes.length === 1)
      expect(wallet.pushes[0]?.params.data).toMatchObject({ topic, message: 'proposal', tag: 1100 })
      await publish(wallet, 'rejected', { tag: 1120 })
      await dapp.until(() => dapp.pushes.length === 1)
      expect(dapp.messages()).toEqual(['rejected'])
    })

    test('wc_approveSession subscribes the approver to the session topic and publishes approval and settlement', async () => {
      const [dapp, wallet] = [await connect(), await connect()]
      const sessionTopic = newTopic()
      await dapp.request('irn_batchSubscribe', { topics: [topic, sessionTopic] })
      const approval = { sessionProposalResponse: 'approval', sessionSettlementRequest: 'settlement' }
      const topics = { pairingTopic: topic, sessionTopic, approvedChains: ['eip155:1'], sessionProperties: null }
      expect(await wallet.request('wc_approveSession', { ...topics, ...approval })).toMatchObject({ result: true })
      await dapp.until(() => dapp.pushes.length === 2)
      const pushed = dapp.pushes.map(({ params }) => [params.data.tag, params.data.topic, params.data.message])
      // Messages of different topics have no defined order.
      expect(pushed.toSorted()).toEqual([
        [1101, topic, 'approval'],
        [1102, sessionTopic, 'settlement'],
      ])
      await publish(dapp, 'settled', { topic: sessionTopic, tag: 1103 })
      await wallet.until(() => wallet.pushes.length === 1)
      expect(wallet.messages()).toEqual(['settled'])
    })

    test('session methods reject empty strings and identical pairing and session topics', async () => {
      const wallet = await connect()
      const approval = { sessionProposalResponse: 'a', sessionSettlementRequest: 's' }
      const refused = { error: { code: -32600, data: 'InvalidParams' } }
      const same = { pairingTopic: topic, sessionTopic: topic, ...approval }
      expect(await wallet.request('wc_approveSession', same)).toMatchObject(refused)
      for (const empty of [{ sessionProposal: '' }, { pairingTopic: '' }]) {
        const proposal = { pairingTopic: topic, sessionProposal: 'p', ...empty }
        expect(await wallet.request('wc_proposeSession', proposal)).toMatchObject(refused)
      }
      for (const empty of [{ sessionTopic: '' }, { sessionProposalResponse: '' }, { sessionSettlementRequest: '' }]) {
        const whole = { pairingTopic: topic, sessionTopic: 'e'.repeat(64), ...approval, ...empty }
        expect(await wallet.request('wc_approveSession', whole)).toMatchObject(refused)
      }
    })
  })
})
