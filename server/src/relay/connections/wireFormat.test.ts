import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectRelayClient, startTestRelay, type RelayClient } from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestRelay>>

const topic = 'a'.repeat(64)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const vectors = resolve(root, process.env['LATCHKEY_VECTORS'] ?? '../shared/vectors', 'json/test_parsing')

let server: Server
let client: RelayClient

beforeAll(async () => {
  server = await startTestRelay({ messageBytes: { others: 262_144, byTag: new Map([[1109, 98_304]]) } })
  client = await connectRelayClient(server.relayUrl)
})
afterAll(async () => {
  await client.close()
  await server.close()
})

const newMessage = (change: object): object => ({ topic, message: 'm', ttl: 300, tag: 1108, ...change })

describe('ids [R-11]', () => {
  const valid = ['1', '1700000000000000', '1234567890123456789', '9007199254740993', '18446744073709551615']
  test.each(valid)('the response repeats the id %s exactly', async (id) => {
    const params = `{"topic":"${topic}"}`
    const response = await client.sendText(
      `{"params":${params},"id" : ${id} ,"jsonrpc":"2.0","method":"irn_unsubscribe"}`,
    )
    expect(response).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
    const refusal = await client.sendText(`{"id":${id},"jsonrpc":"2.0","method":"irn_nothing","params":{}}`)
    expect(refusal).toMatch(new RegExp(`^{"id":${id},"jsonrpc":"2.0","error":{"code":-32600,`))
  })

  test('the response repeats a string id as a string', async () => {
    const id = '"1234567890123456789"'
    const response = await client.sendText(
      `{"id":${id},"jsonrpc":"2.0","method":"irn_unsubscribe","params":{"topic":"${topic}"}}`,
    )
    expect(response).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
  })

  const invalid = ['0', '-0', '-5', '1.5', '1e20', '1e400', '123456789012345678901', 'null', 'true', '{}', '[1]']
  const texts = ['""', '"0"', '"x"', '"1 "', '"-1"', '"123456789012345678901"']
  test.each([...invalid, ...texts])('the invalid id %s is rejected with id 0', async (id) => {
    const response = await client.sendText(`{"id":${id},"jsonrpc":"2.0","method":"irn_publish","params":{}}`)
    expect(JSON.parse(response)).toMatchObject({ id: 0, error: { code: -32600, data: 'InvalidRequestId' } })
  })

  test('a notification without an id is rejected', async () => {
    const response = await client.sendText(`{"jsonrpc":"2.0","method":"irn_publish","params":{}}`)
    expect(JSON.parse(response)).toMatchObject({ id: 0, error: { code: -32600, data: 'InvalidRequestId' } })
  })
})

describe('requests [R-11]', () => {
  const values = ['null', 'true', '1', '"text"', '[]', '[{"id":1,"jsonrpc":"2.0"}]']
  test.each(values)('the frame %s is rejected as an invalid request', async (frame) => {
    expect(JSON.parse(await client.sendText(frame))).toMatchObject({
      id: 0,
      error: { code: -32600, data: 'Serialization' },
    })
  })

  test('an empty object is rejected', async () => {
    expect(JSON.parse(await client.sendText('{}'))).toMatchObject({ id: 0, error: { code: -32600 } })
  })

  test.each(['', '{', '{"id":1,}', 'undefined', '{"id":1}{"id":2}'])(
    'the frame "%s" is rejected with a parse error',
    async (frame) => {
      expect(JSON.parse(await client.sendText(frame))).toMatchObject({
        id: 0,
        error: { code: -32700, data: 'Serialization' },
      })
    },
  )

  const requests: Array<[string, string]> = [
    ['{"id":7,"method":"irn_publish","params":{}}', 'InvalidJsonRpcVersion'],
    ['{"id":7,"jsonrpc":2.0,"method":"irn_publish","params":{}}', 'InvalidJsonRpcVersion'],
    ['{"id":7,"jsonrpc":"2.0","params":{}}', 'InvalidMethod'],
    ['{"id":7,"jsonrpc":"2.0","method":7,"params":{}}', 'InvalidMethod'],
    ['{"id":7,"jsonrpc":"2.0","method":"toString","params":{}}', 'InvalidMethod'],
    ['{"id":7,"jsonrpc":"2.0","method":"__proto__","params":{}}', 'InvalidMethod'],
    ['{"id":7,"jsonrpc":"2.0","method":"irn_publish"}', 'InvalidParams'],
    ['{"id":7,"jsonrpc":"2.0","method":"irn_publish","params":[]}', 'InvalidParams'],
    ['{"id":7,"jsonrpc":"2.0","method":"irn_publish","params":null}', 'InvalidParams'],
  ]
  test.each(requests)('the request %s is rejected with %s', async (frame, data) => {
    expect(JSON.parse(await client.sendText(frame))).toMatchObject({ id: 7, error: { code: -32600, data } })
  })

  test('the older method names are accepted', async () => {
    expect(await client.request('iridium_unsubscribe', { topic })).toMatchObject({ result: true })
  })

  test('values nested ten thousand levels deep are rejected without a crash', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    expect(JSON.parse(await client.sendText(deep))).toMatchObject({ id: 0, error: { code: -32600 } })
    const frame = `{"id":7,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":${deep}}}`
    expect(JSON.parse(await client.sendText(frame))).toMatchObject({ id: 7, error: { data: 'InvalidTopic' } })
  })

  test('responses to unknown pushes are ignored, and responses with an invalid id are rejected', async () => {
    client.socket.send('{"id":99999,"jsonrpc":"2.0","result":true}')
    client.socket.send('{"id":99999,"jsonrpc":"2.0","error":{}}')
    const response = await client.sendText('{"id":"a","jsonrpc":"2.0","result":true}')
    expect(JSON.parse(response)).toMatchObject({ id: 0, error: { data: 'InvalidRequestId' } })
  })

  // The vectors are public (JSONTestSuite) and are expected next to the repository, or in the folder that LATCHKEY_VECTORS names.
  const bodies = existsSync(vectors) ? readdirSync(vectors) : []
  const state = bodies.length > 0 ? '' : ' (NOT TRIED: there is no JSONTestSuite next to the repository)'
  test(`every JSONTestSuite body is rejected with the expected error code${state}`, async () => {
    const wrong: string[] = []
    for (const name of bodies) {
      const response = await client.sendText(readFileSync(resolve(vectors, name)).toString('utf8'))
      const { id, error } = JSON.parse(response) as { id: unknown; error: { code: number } }
      const expected = name.startsWith('n_') ? [-32700] : name.startsWith('y_') ? [-32600] : [-32600, -32700]
      if (id !== 0 || !expected.includes(error.code)) wrong.push(name)
    }
    expect(wrong).toEqual([])
  })
})

describe('parameters', () => {
  const refusals: Array<[string, string, object, string]> = [
    ['a topic in capitals', 'irn_publish', newMessage({ topic: 'A'.repeat(64) }), 'InvalidTopic'],
    ['a topic that is too short', 'irn_subscribe', { topic: 'a'.repeat(63) }, 'InvalidTopic'],
    ['a topic that is a number', 'irn_subscribe', { topic: 7 }, 'InvalidTopic'],
    ['an empty message', 'irn_publish', newMessage({ message: '' }), 'InvalidParams'],
    ['a message that is not a string', 'irn_publish', newMessage({ message: { a: 1 } }), 'InvalidParams'],
    ['a message with a NUL character', 'irn_publish', newMessage({ message: 'a\0b' }), 'InvalidParams'],
    ['a lone surrogate', 'irn_publish', newMessage({ message: 'a\ud800b' }), 'InvalidParams'],
    ['an attestation with NUL', 'irn_publish', newMessage({ attestation: '\0' }), 'InvalidParams'],
    ['an attestation that is not a string', 'irn_publish', newMessage({ attestation: 7 }), 'InvalidParams'],
    ['a ttl of 0', 'irn_publish', newMessage({ ttl: 0 }), 'TtlTooShort'],
    ['a negative ttl', 'irn_publish', newMessage({ ttl: -1 }), 'TtlTooShort'],
    ['a ttl of more than 30 days', 'irn_publish', newMessage({ ttl: 30 * 86_400 + 1 }), 'TtlTooLong'],
    ['a fractional ttl', 'irn_publish', newMessage({ ttl: 1.5 }), 'InvalidParams'],
    ['a ttl as text', 'irn_publish', newMessage({ ttl: '300' }), 'InvalidParams'],
    ['a negative tag', 'irn_publish', newMessage({ tag: -1 }), 'InvalidParams'],
    ['a tag of 33 bits', 'irn_publish', newMessage({ tag: 2 ** 32 }), 'InvalidParams'],
    ['no tag', 'irn_publish', newMessage({ tag: undefined }), 'InvalidParams'],
    ['an empty batch', 'irn_batchSubscribe', { topics: [] }, 'BatchEmpty'],
    [
      'a batch of 501',
      'irn_batchSubscribe',
      { topics: Array.from({ length: 501 }, () => topic) },
      'BatchLimitExceeded',
    ],
    [
      'a batch of 51 messages',
      'irn_batchPublish',
      { messages: Array.from({ length: 51 }, (_, index) => newMessage({ message: `${index}` })) },
      'BatchLimitExceeded',
    ],
    ['a batch that is not a list', 'irn_batchSubscribe', { topics: topic }, 'InvalidParams'],
    ['a batch with one bad topic', 'irn_batchFetchMessages', { topics: [topic, 'b'] }, 'InvalidTopic'],
    ['a receipt without a message', 'irn_batchReceive', { receipts: [{ topic }] }, 'InvalidParams'],
    ['a receipt that is null', 'irn_batchReceive', { receipts: [null] }, 'InvalidParams'],
  ]
  test.each(refusals)('a request with %s is rejected', async (_what, method, params, data) => {
    expect((await client.request(method, params)).error?.data).toBe(data)
  })

  test('the shortest and longest ttl and the greatest tag are accepted', async () => {
    for (const change of [{ ttl: 1 }, { ttl: 30 * 86_400 }, { tag: 2 ** 32 - 1 }, { attestation: null }]) {
      const published = await client.request('irn_publish', newMessage({ ...change, message: JSON.stringify(change) }))
      expect(published).toMatchObject({ result: true })
    }
  })

  test('a batch of 500 topics is accepted', async () => {
    const topics = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(64, '0'))
    const { result } = await client.request('irn_batchSubscribe', { topics })
    expect(new Set(result as string[]).size).toBe(500)
    const subscriptions = topics.map((item) => ({ topic: item, id: '' }))
    expect(await client.request('irn_batchUnsubscribe', { subscriptions })).toMatchObject({ result: true })
  })

  test('irn_batchSubscribeBlocking returns one object per topic', async () => {
    const { result: id } = await client.request('irn_subscribeBlocking', { topic })
    expect((await client.request('irn_batchSubscribeBlocking', { topics: [topic] })).result).toEqual([{ id }])
  })

  test('receipts are accepted with message_id and with messageId', async () => {
    const receipts = [
      { topic, message_id: 1 },
      { topic, messageId: 2 },
    ]
    expect(await client.request('irn_batchReceive', { receipts })).toMatchObject({ result: true })
  })
})

describe('sizes [R-09]', () => {
  test('a message one byte over the limit is rejected and the connection stays open', async () => {
    const longest = newMessage({ message: 'a'.repeat(98_304), tag: 1109 })
    expect(await client.request('irn_publish', longest)).toMatchObject({ result: true })
    const { error } = await client.request('irn_publish', newMessage({ message: 'é'.repeat(49_152) + 'a', tag: 1109 }))
    expect(error).toEqual({
      code: -32600,
      message: 'Payload size limit exceeded. Maximum size for tag 1109 is 98304',
      data: 'PayloadSizeExceeded',
    })
    expect(await client.request('irn_unsubscribe', { topic })).toMatchObject({ result: true })
  })

  test('messages of other tags are accepted up to the size limit of their tag', async () => {
    expect(await client.request('irn_publish', newMessage({ message: 'b'.repeat(262_144) }))).toMatchObject({
      result: true,
    })
    const { error } = await client.request('irn_publish', newMessage({ message: 'b'.repeat(262_145) }))
    expect(error?.message).toBe('Payload size limit exceeded. Maximum size for tag 1108 is 262144')
  })

  test('a frame of more than 1 MiB closes the connection with 1009', async () => {
    const greedy = await connectRelayClient(server.relayUrl)
    await greedy.sendText(' '.repeat(1024 * 1024))
    greedy.socket.send(' '.repeat(1024 * 1024 + 1))
    expect((await greedy.closed).code).toBe(1009)
  })

  test('a binary frame closes the connection with 1003', async () => {
    const binary = await connectRelayClient(server.relayUrl)
    binary.socket.send(Buffer.from('{}'), { binary: true })
    expect((await binary.closed).code).toBe(1003)
  })

  test('a frame with invalid UTF-8 closes the connection with 1007', async () => {
    const broken = await connectRelayClient(server.relayUrl)
    broken.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect((await broken.closed).code).toBe(1007)
  })

  test('a frame sent in thousands of fragments closes the connection', async () => {
    const shredder = await connectRelayClient(server.relayUrl)
    for (let piece = 0; piece < 5_000; piece += 1) shredder.socket.send('', { fin: false })
    expect([1006, 1008, 1009]).toContain((await shredder.closed).code)
    expect(await client.request('irn_unsubscribe', { topic })).toMatchObject({ result: true })
  })
})
