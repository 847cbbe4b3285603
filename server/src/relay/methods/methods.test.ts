import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectRelayClient, startTestRelay, type RelayClient } from '../../testing/index.ts'
import { relayLimits } from '../relayVariables.ts'
import { dispatchRequest } from '../connections/dispatchRequest.ts'
import { RelayError } from '../errors.ts'
import { createRelayIdentity } from '../relayIdentity.ts'
import type { ClientSession } from '../connections/clientSession.ts'

let server: Awaited<ReturnType<typeof startTestRelay>>
let dapp: RelayClient
let wallet: RelayClient
let topic: string
let lastTopic = 0

const nextTopic = (): string => (lastTopic += 1).toString(16).padStart(64, '0')

beforeAll(async () => {
  server = await startTestRelay()
  dapp = await connectRelayClient(server.relayUrl)
  wallet = await connectRelayClient(server.relayUrl)
})
afterAll(async () => {
  await Promise.all([dapp.close(), wallet.close()])
  await server.close()
})
beforeEach(() => {
  topic = nextTopic()
})

describe('receipts', () => {
  const waiting = async (client: RelayClient, ofTopic: string): Promise<readonly string[]> => {
    const { result } = await client.request('irn_fetchMessages', { topic: ofTopic })
    return (result as { messages: Array<{ message: string }> }).messages.map(({ message }) => message)
  }
  const publish = (message: string, change: object = {}): Promise<unknown> =>
    dapp.request('irn_publish', { topic, message, ttl: 300, tag: 1108, ...change })

  /** Messages are numbered from one up as they come, in all topics together. */
  async function publishAround(): Promise<{ others: string; numbers: readonly number[] }> {
    const others = nextTopic()
    for (const message of ['one', 'two', 'three']) await publish(message)
    await publish('elsewhere', { topic: others })
    return { others, numbers: Array.from({ length: 2_000 }, (_, index) => index) }
  }

  test('receipts mark messages as delivered on the named topic only', async () => {
    const { others, numbers } = await publishAround()
    for (let start = 0; start < numbers.length; start += 500) {
      const receipts = numbers.slice(start, start + 500).map((messageId) => ({ topic, messageId }))
      expect(await wallet.request('irn_batchReceive', { receipts })).toMatchObject({ result: true })
    }
    expect(await waiting(wallet, topic)).toEqual([])
    expect(await waiting(wallet, others)).toEqual(['elsewhere'])
  })

  test('receipts count only for the client that sent them, with message_id and with messageId', async () => {
    const { numbers } = await publishAround()
    const other = await connectRelayClient(server.relayUrl)
    for (let start = 0; start < numbers.length; start += 500) {
      const receipts = numbers.slice(start, start + 500).map((number) => ({ topic, message_id: number }))
      await other.request('irn_batchReceive', { receipts })
    }
    expect(await waiting(other, topic)).toEqual([])
    expect(await waiting(wallet, topic)).toEqual(['one', 'two', 'three'])
    await other.close()
  })

  test.each([{ message_id: '1' }, { messageId: 1.5 }, { messageId: -1 }, { messageId: null }])(
    'a receipt with %o instead of a message number is rejected',
    async (receipt) => {
      const { error } = await wallet.request('irn_batchReceive', { receipts: [{ topic, ...receipt }] })
      expect(error).toMatchObject({ code: -32600, data: 'InvalidParams' })
    },
  )
})

describe('subscriptions', () => {
  test('wc_createTopic subscribes to the topic', async () => {
    await dapp.request('irn_publish', { topic, message: 'waits', ttl: 300, tag: 1 })
    expect(await wallet.request('wc_createTopic', { topic })).toMatchObject({ result: true })
    await wallet.until(() => wallet.messages().includes('waits'))
  })

  test('irn_batchSubscribeBlocking returns a result per topic, and an invalid topic does not affect the others', async () => {
    const { result } = await wallet.request('irn_batchSubscribeBlocking', { topics: [topic, 'nonsense', topic, 7] })
    const id = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown
    const error = {
      code: -32600,
      message: 'Invalid payload: a topic is 64 hexadecimal digits',
      data: 'InvalidTopic',
    }
    expect(result).toEqual([{ id }, { error }, { id }, { error }])
    await dapp.request('irn_publish', { topic, message: 'delivered', ttl: 300, tag: 1 })
    await wallet.until(() => wallet.messages().includes('delivered'))
  })

  test('irn_batchSubscribe makes all subscriptions or none', async () => {
    const client = await connectRelayClient(server.relayUrl)
    const topics = Array.from({ length: 1_000 }, () => nextTopic())
    await client.request('irn_batchSubscribe', { topics: topics.slice(0, 499) })
    await client.request('irn_batchSubscribe', { topics: topics.slice(499, 998) })
    const refused = await client.request('irn_batchSubscribe', {
      topics: [topics[0], nextTopic(), nextTopic(), nextTopic()],
    })
    expect(refused.error).toMatchObject({ code: -32000, data: 'SubscriberLimitExceeded' })
    expect((await client.request('irn_batchSubscribe', { topics: topics.slice(997) })).error).toBeUndefined()
    await dapp.request('irn_publish', { topic: topics[0], message: 'still delivered', ttl: 300, tag: 1 })
    await client.until(() => client.messages().includes('still delivered'))
    await client.close()
  })

  test('unsubscribing accepts any string as id and rejects a number', async () => {
    expect(await wallet.request('irn_unsubscribe', { topic, id: 'anything' })).toMatchObject({ result: true })
    const { error } = await wallet.request('irn_unsubscribe', { topic, id: 7 })
    expect(error).toMatchObject({ code: -32600, data: 'InvalidSubscriptionId' })
  })
})

describe('method names', () => {
  test.each(['irn', 'iridium', 'waku'])('method names with the prefix %s_ are accepted', async (prefix) => {
    expect(await wallet.request(`${prefix}_unsubscribe`, { topic })).toMatchObject({ result: true })
  })

  test.each(['irn_nothing', 'wc_', 'iridium_wc_createTopic', 'toString', ''])(
    'the unknown method "%s" is rejected',
    async (name) => {
      const { error } = await wallet.request(name, {})
      expect(error).toEqual({ code: -32600, message: 'Invalid payload: unknown method', data: 'InvalidMethod' })
    },
  )
})

test('publish accepts request metadata flat and nested, and does not forward it to subscribers', async () => {
  const facts = { correlationId: 1, chainId: 'eip155:1', rpcMethods: ['m'], txHashes: ['0x'], contractAddresses: [] }
  await wallet.request('irn_subscribe', { topic })
  for (const [message, extra] of Object.entries({ flat: facts, nested: { tvf: facts } })) {
    await dapp.request('irn_publish', { topic, message, ttl: 300, tag: 1, prompt: true, unknown: {}, ...extra })
    await wallet.until(() => wallet.messages().includes(message))
    const data = wallet.pushes.findLast((push) => push.params.data.message === message)?.params.data
    expect(Object.keys(data ?? {}).toSorted()).toEqual(['attestation', 'message', 'publishedAt', 'tag', 'topic'])
  }
})

describe('method errors', () => {
  const proposal = { pairingTopic: 'a'.repeat(64), sessionProposal: 'sealed' }
  const approval = {
    pairingTopic: 'a'.repeat(64),
    sessionTopic: 'b'.repeat(64),
    sessionProposalResponse: 'sealed',
    sessionSettlementRequest: 'sealed',
  }
  const full = new RelayError(-32050, 'mailbox full', 'MailboxLimitExceeded')
  const tooMany = new RelayError(-32000, 'Internal error: too many subscriptions', 'SubscriberLimitExceeded')

  const session: ClientSession = {
    clientId: 'client',
    limits: relayLimits('local'),
    watches: {
      identity: createRelayIdentity(new Uint8Array(32)),
      register: async () => {},
      unregister: async () => {},
    },
    publish: async () => undefined,
    broadcast: () => {},
    attest: () => '',
    checkItems: () => {},
    subscribe: () => 'id',
    deliverUndelivered: () => {},
    redeliver: () => {},
    resume: () => {},
    unsubscribe: () => {},
    isSubscribed: () => false,
    fetchUndelivered: async () => ({ messages: [], hasMore: false }),
    acknowledge: () => {},
    acknowledgeAll: async () => {},
    end: () => {},
  }
  const failing = (error: Error): Partial<ClientSession> => ({
    publish: async () => {
      throw error
    },
    fetchUndelivered: async () => {
      throw error
    },
  })
  const crowded: Partial<ClientSession> = {
    subscribe: () => {
      throw tooMany
    },
  }

  const cases: Array<[string, object, Partial<ClientSession>, object]> = [
    ['wc_createTopic', { topic: 'a'.repeat(64) }, crowded, { message: tooMany.message, data: 'CreateTopicFailed' }],
    ['wc_proposeSession', proposal, crowded, { message: tooMany.message, data: 'SubscribeFailed' }],
    ['wc_approveSession', approval, crowded, { message: tooMany.message, data: 'SubscribeFailed' }],
    ['wc_proposeSession', proposal, failing(full), { message: 'Internal error: mailbox full', data: 'PublishFailed' }],
    ['wc_approveSession', approval, failing(full), { message: 'Internal error: mailbox full', data: 'PublishFailed' }],
  ]
  test.each(cases)('%s returns the error of the step that failed: %o', async (method, params, part, error) => {
    const request = { idToken: '7', method, params: { ...params } }
    const { text } = await dispatchRequest({ ...session, ...part }, request, () => {})
    expect(JSON.parse(text)).toEqual({ id: 7, jsonrpc: '2.0', error: { code: -32000, ...error } })
  })

  test('an internal error is returned without its message and is reported', async () => {
    const fault = new Error('password of the database')
    const faults: unknown[] = []
    const request = { idToken: '7', method: 'irn_fetchMessages', params: { topic: 'a'.repeat(64) } }
    const { text } = await dispatchRequest({ ...session, ...failing(fault) }, request, (error) => faults.push(error))
    expect(JSON.parse(text)).toEqual({
      id: 7,
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Internal error', data: 'Unknown' },
    })
    expect(faults).toEqual([fault])
  })
})
