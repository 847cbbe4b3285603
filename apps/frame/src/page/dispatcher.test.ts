import { frameRequest } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { rpcErrors, RpcError } from '../chain/rpcError.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { createDispatcher, type Handlers } from './dispatcher.ts'

type SentMessage = { type: string; id?: string; payload?: { message?: string; code?: number } }

/** A dispatcher whose requests wait until the test releases them. */
function start() {
  const sent: SentMessage[] = []
  const waiting = new Map<string, { end(result: unknown): void; fail(error: unknown): void; signal: AbortSignal }>()
  let time = 0
  const wait = (name: string) => (_: unknown, signal: AbortSignal) =>
    new Promise<never>((end, fail) => waiting.set(name, { end: (choice) => end(choice as never), fail, signal }))
  const names = ['RPC_REQUEST', 'IS_CONNECTED', 'OPEN_SCREEN', 'GET_USER', 'SIGN_OUT'] as const
  // Unused handlers are omitted.
  const handlers = Object.fromEntries(names.map((name) => [name, wait(name)])) as unknown as Handlers
  const dispatcher = createDispatcher({
    handlers,
    send: (message) => sent.push(message as SentMessage),
    localizeFailure: (error) => (error instanceof ServiceRefusal ? `${error.message} (auf Deutsch)` : undefined),
    now: () => time,
  })
  return { sent, waiting, ...dispatcher, pass: (milliseconds: number) => (time += milliseconds) }
}

const flushPromises = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve))
const createRpcRequest = (id: string, method: string) => frameRequest('RPC_REQUEST', id, { method })

describe('a request', () => {
  test('gets one response with its result', async () => {
    const { receive, waiting, sent } = start()
    receive(frameRequest('IS_CONNECTED', 'one', undefined))
    waiting.get('IS_CONNECTED')?.end({ isConnected: true })
    await flushPromises()
    expect(sent).toEqual([{ type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: 'one', payload: { isConnected: true } }])
  })

  test('that is malformed gets the reason, and one without an id gets no response [I-05]', () => {
    const { receive, sent } = start()
    receive({ type: '@w3m-app/RPC_REQUEST', id: 'bad', payload: { method: 7 } })
    receive({ type: '@w3m-app/GET_SEED', id: 'what' })
    receive('noise')
    expect(sent.map(({ type, id }) => [type, id])).toEqual([['@w3m-frame/RPC_REQUEST_ERROR', 'bad']])
  })

  test('with the id of a pending request is refused, and the pending one continues [I-05]', async () => {
    const { receive, waiting, sent } = start()
    receive(frameRequest('IS_CONNECTED', 'one', undefined))
    receive(frameRequest('GET_USER', 'one', undefined))
    expect(sent.map(({ type }) => type)).toEqual(['@w3m-frame/GET_USER_ERROR'])
    waiting.get('IS_CONNECTED')?.end({ isConnected: false })
    await flushPromises()
    expect(sent.at(-1)?.type).toBe('@w3m-frame/IS_CONNECTED_SUCCESS')
  })

  test('is refused while thirty-two are pending [I-05]', () => {
    const { receive, sent } = start()
    for (let at = 0; at < 33; at += 1) receive(createRpcRequest(`open-${at}`, 'eth_call'))
    expect(sent.map(({ id, payload }) => [id, payload?.message])).toEqual([['open-32', 'Too many open requests.']])
  })

  test('is refused after a burst of forty until a second has passed [I-05]', async () => {
    const { receive, sent, pass, waiting } = start()
    const request = async (id: string): Promise<void> => {
      receive(frameRequest('IS_CONNECTED', id, undefined))
      waiting.get('IS_CONNECTED')?.end({ isConnected: false })
      await flushPromises()
    }
    for (let at = 0; at < 41; at += 1) await request(`at-${at}`)
    const late = sent.filter(({ type }) => type.endsWith('_ERROR'))
    expect(late.map(({ id }) => id)).toEqual(['at-40'])
    pass(1_000)
    for (let at = 0; at < 21; at += 1) await request(`later-${at}`)
    expect(sent.filter(({ type }) => type.endsWith('_ERROR')).map(({ id }) => id)).toEqual(['at-40', 'later-20'])
  })

  test('that fails returns public errors only, no messages of libraries [I-08]', async () => {
    const { receive, waiting, sent } = start()
    receive(createRpcRequest('refused', 'personal_sign'))
    waiting.get('RPC_REQUEST')?.fail(new RpcError(4001, 'User rejected the request'))
    await flushPromises()
    receive(createRpcRequest('broken', 'personal_sign'))
    waiting.get('RPC_REQUEST')?.fail(new Error('invalid private key: 0x1234'))
    await flushPromises()
    expect(sent.map(({ payload }) => payload)).toEqual([
      { message: 'User rejected the request', code: 4001 },
      { message: 'Something went wrong' },
    ])
  })

  test('that a service refuses returns its message and a localized one', async () => {
    const { receive, waiting, sent } = start()
    receive(createRpcRequest('refused', 'personal_sign'))
    waiting.get('RPC_REQUEST')?.fail(new ServiceRefusal(401, 'code', 'This code is wrong.'))
    await flushPromises()
    expect(sent.map(({ payload }) => payload)).toEqual([
      { message: 'This code is wrong.', localizedMessage: 'This code is wrong. (auf Deutsch)' },
    ])
  })

  test('that fails without a network returns that reason, even if a library wrapped it [I-12]', async () => {
    const { receive, waiting, sent } = start()
    receive(createRpcRequest('wrapped', 'personal_sign'))
    const away = rpcErrors.unreachable('Some Network')
    waiting.get('RPC_REQUEST')?.fail(new Error('call to 0x1234 failed', { cause: new Error('no', { cause: away }) }))
    await flushPromises()
    expect(sent.map(({ payload }) => payload)).toEqual([
      { message: 'Some Network cannot be reached. Try again.', code: -32_603 },
    ])
  })
})

describe('an aborted request', () => {
  test('gets its response at once, and a later result is dropped [I-12]', async () => {
    const { receive, waiting, sent } = start()
    receive(createRpcRequest('one', 'personal_sign'))
    const given = waiting.get('RPC_REQUEST')
    receive(frameRequest('RPC_ABORT', 'abort', { id: 'one' }))
    expect(given?.signal.aborted).toBe(true)
    given?.end('0xsignature')
    await flushPromises()
    expect(sent.map(({ type, id }) => [type, id])).toEqual([
      ['@w3m-frame/RPC_REQUEST_ERROR', 'one'],
      ['@w3m-frame/RPC_ABORT_SUCCESS', 'abort'],
    ])
  })

  test('without an id aborts all requests that wait for the user, and reads continue [I-12]', async () => {
    const { receive, sent } = start()
    receive(createRpcRequest('sign', 'personal_sign'))
    receive(createRpcRequest('read', 'eth_call'))
    receive(frameRequest('OPEN_SCREEN', 'screen', { screen: 'devices' }))
    receive(frameRequest('RPC_ABORT', 'abort', undefined))
    await flushPromises()
    expect(sent.map(({ id }) => id)).toEqual(['sign', 'screen', 'abort'])
    receive(createRpcRequest('sign', 'personal_sign'))
    expect(sent).toHaveLength(3)
  })
})
