import { requestFromWallet } from '@latchkey/core/internal'
import type { Connection, ConnectionListener, Connector } from '@latchkey/core'
import { getRejection, manualClock, flushTasks } from '@latchkey/core/testing'
import { RpcError } from '@latchkey/testkit'
import { describe, expect, test } from 'vitest'
import type { Eip1193Provider } from './eip1193Provider.ts'
import { injectedConnector } from './injectedConnector.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Responses = Record<string, () => unknown>

/** A wallet in the page with configured responses. It never responds to other methods. */
function setUp(overrides: Responses = {}) {
  const responses: Responses = {
    eth_requestAccounts: () => [alice],
    eth_accounts: () => [alice],
    eth_chainId: () => '0x1',
    wallet_getPermissions: createThrower(4200, 'No such method'),
    ...overrides,
  }
  const requests: string[] = []
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider: Eip1193Provider = {
    async request({ method }) {
      requests.push(method)
      return responses[method]?.() ?? new Promise<never>(() => {})
    },
    on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event, listener) => listeners.get(event)?.delete(listener),
  }
  const clock = manualClock()
  return {
    responses,
    requests,
    clock,
    connector: injectedConnector({ id: 'io.wallet', name: 'Wallet', provider }, clock),
    emit: (event: string, value?: unknown) => listeners.get(event)?.forEach((listener) => listener(value)),
  }
}

const request = { networks: [], signal: new AbortController().signal }

async function connectTestWallet(connector: Connector) {
  const [connection] = await connector.connect(request)
  return { connection, ...follow(connection) }
}

function follow(connection: Connection) {
  const events: unknown[][] = []
  const listener: ConnectionListener = {
    accountsChanged: (accounts) => void events.push(['accounts', ...accounts]),
    chainChanged: (chainId) => void events.push(['chain', chainId]),
    disconnected: (reason) => void events.push(reason === undefined ? ['disconnected'] : ['disconnected', reason]),
  }
  return { events, stop: connection.listen(listener) }
}

/** Something that a page cannot look at. */
const trap = {
  get parentCapability(): never {
    throw new Error('trap')
  },
}

function createThrower(code: number, message: string, data?: unknown): () => never {
  return () => {
    throw new RpcError(code, message, data)
  }
}

describe('connecting', () => {
  test.each([
    ['code 4001', 4001, 'No', undefined],
    ['code 4001 inside -32603', -32603, 'Internal error', { originalError: { code: 4001 } }],
    ['"User rejected"', -32000, 'User rejected the request', undefined],
    ['"user denied"', -32000, 'MetaMask: user denied account access', undefined],
    ['"Connection request reset"', -32000, 'Connection request reset. Please try again.', undefined],
  ])('rejects as declined if the wallet returns %s [R8.3.7]', async (_, code, message, data) => {
    const { connector } = setUp({ eth_requestAccounts: createThrower(code, message, data) })
    await expect(connector.connect(request)).rejects.toMatchObject({
      code: 'connection/rejected',
      context: { wallet: 'Wallet' },
    })
  })

  test('reports that an earlier request is still pending in the wallet', async () => {
    const { connector } = setUp({ eth_requestAccounts: createThrower(-32002, 'Already processing') })
    await expect(connector.connect(request)).rejects.toMatchObject({
      code: 'request/failed',
      message: expect.stringContaining('an earlier request is still open in the wallet'),
    })
  })

  test('rejects a response with throwing getters', async () => {
    const list: unknown[] = Object.defineProperty([alice], 0, { get: () => trap.parentCapability })
    const { connector } = setUp({ eth_requestAccounts: () => list })
    await expect(connector.connect(request)).rejects.toMatchObject({ code: 'wallet/invalid-response' })
  })

  test.each([[[]], [['no address']], [[alice, 7]], ['accounts'], [[alice.slice(2)]], [{}], [0]])(
    'rejects %j as accounts',
    async (response) => {
      const { connector } = setUp({ eth_requestAccounts: () => response })
      await expect(connector.connect(request)).rejects.toMatchObject({
        code: 'wallet/invalid-response',
        context: { method: 'eth_requestAccounts' },
      })
    },
  )

  test.each(['0x', '', '-1', '0x0', '1e3', {}, [], 1.5, '0xffffffffffffffffff'])(
    'rejects %j as a chain id',
    async (response) => {
      const { connector } = setUp({ eth_chainId: () => response })
      await expect(connector.connect(request)).rejects.toMatchObject({
        code: 'wallet/invalid-response',
        context: { method: 'eth_chainId' },
      })
    },
  )

  test.each(['0x89', '137', 137])('accepts %j as a chain id', async (response) => {
    const { connector } = setUp({ eth_chainId: () => response })
    const [connection] = await connector.connect(request)
    expect(connection).toMatchObject({ chainId: 'eip155:137', accounts: [`eip155:137:${alice}`] })
  })

  test('removes duplicate accounts', async () => {
    const { connector } = setUp({ eth_requestAccounts: () => [alice, bob, alice.toLowerCase()] })
    const [connection] = await connector.connect(request)
    expect(connection.accounts).toEqual([`eip155:1:${alice}`, `eip155:1:${bob}`])
  })

  test('sends no request if it was already aborted', async () => {
    const { connector, requests } = setUp()
    const failure = await getRejection(connector.connect({ ...request, signal: AbortSignal.abort() }))
    expect(failure).toMatchObject({ code: 'connection/aborted' })
    expect(requests).toEqual([])
  })

  test('rejects if the wallet never responds', async () => {
    const { connector, clock } = setUp({ eth_requestAccounts: () => undefined })
    const failure = getRejection(connector.connect(request))
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
    expect(clock.waiting()).toBe(0)
  })

  test('works with a wallet without events', async () => {
    const provider: Eip1193Provider = {
      request: async ({ method }) => (method === 'eth_chainId' ? '0x1' : [alice]),
      get on(): never {
        throw new Error('trap')
      },
      get removeListener(): never {
        throw new Error('trap')
      },
    }
    const { events, stop } = await connectTestWallet(injectedConnector({ id: 'a', name: 'A', provider }, manualClock()))
    stop()
    expect(events).toEqual([])
  })
})

describe('restoring', () => {
  test.each([
    ['is unsupported', createThrower(4200, 'No such method')],
    ['returns no permission', () => []],
    ['returns malformed permissions', () => [null, 7, {}]],
    ['returns throwing getters', () => [trap]],
  ])('returns no connection without accounts if the permissions request %s', async (_, response) => {
    const { connector, requests } = setUp({ eth_accounts: () => [], wallet_getPermissions: response })
    expect(await connector.restore(request)).toEqual([])
    expect(requests).toEqual(['eth_accounts', 'wallet_getPermissions'])
  })

  test('waits half a second for a wallet that shares no account', async () => {
    const { connector, clock } = setUp({ eth_accounts: () => [], wallet_getPermissions: () => undefined })
    const restoring = connector.restore(request)
    await flushTasks()
    clock.advance(500)
    expect(await restoring).toEqual([])
  })

  test('rejects as locked if a permitted wallet shares no account', async () => {
    const permitted = [{ parentCapability: 'eth_accounts' }]
    const { connector } = setUp({ eth_accounts: () => [], wallet_getPermissions: () => permitted })
    await expect(connector.restore(request)).rejects.toMatchObject({ code: 'wallet/locked' })
  })

  test('rejects if the wallet does not respond, so that the consent is kept', async () => {
    const { connector, clock } = setUp({ eth_accounts: () => undefined })
    const failure = getRejection(connector.restore(request))
    clock.advance(10_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })

  test('rejects if the wallet reports that it is locked', async () => {
    const { connector } = setUp({ eth_accounts: createThrower(4100, 'Locked') })
    await expect(connector.restore(request)).rejects.toMatchObject({
      code: 'wallet/locked',
      context: { wallet: 'Wallet' },
    })
  })

  test('rejects an invalid response', async () => {
    const { connector } = setUp({ eth_accounts: () => 'nonsense' })
    await expect(connector.restore(request)).rejects.toMatchObject({ code: 'wallet/invalid-response' })
  })
})

describe('a request', () => {
  test('for a read times out and leaves no timer behind', async () => {
    const { connector, clock } = setUp()
    const { connection } = await connectTestWallet(connector)
    const failure = getRejection(requestFromWallet(connection, { method: 'eth_blockNumber' }))
    clock.advance(10_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
    expect(clock.waiting()).toBe(0)
  })

  test('for an approval without a response has an unknown outcome', async () => {
    const { connector, clock } = setUp()
    const { connection } = await connectTestWallet(connector)
    const failure = getRejection(requestFromWallet(connection, { method: 'personal_sign' }))
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'request/unknown', context: { method: 'personal_sign' } })
  })

  test.each([4900, 4901])('with code %i rejects as unreachable', async (code) => {
    const { connector } = setUp({ eth_sendTransaction: createThrower(code, 'Disconnected') })
    const { connection } = await connectTestWallet(connector)
    await expect(requestFromWallet(connection, { method: 'eth_sendTransaction' })).rejects.toMatchObject({
      code: 'wallet/unavailable',
    })
  })
})

describe('following', () => {
  test('ends once when the wallet stops sharing accounts', async () => {
    const { connector, emit } = setUp()
    const { events } = await connectTestWallet(connector)
    emit('accountsChanged', [])
    emit('accountsChanged', [])
    emit('disconnect')
    await flushTasks()
    expect(events).toEqual([['disconnected']])
  })

  test.each([
    ['locked', [{ parentCapability: 'eth_accounts' }]],
    ['account-removed', []],
  ])('reports the reason %s when the wallet stops sharing accounts', async (reason, permissions) => {
    const { connector, emit } = setUp({ wallet_getPermissions: () => permissions })
    const { events } = await connectTestWallet(connector)
    emit('accountsChanged', [])
    emit('chainChanged', '0x89')
    await flushTasks()
    expect(events).toEqual([['disconnected', reason]])
  })

  test('reports nothing after it was stopped during a check of the wallet', async () => {
    const { connector, emit } = setUp({ wallet_getPermissions: () => [] })
    const { events, stop } = await connectTestWallet(connector)
    emit('accountsChanged', [])
    stop()
    await flushTasks()
    expect(events).toEqual([])
  })

  test('ignores malformed events', async () => {
    const { connector, emit } = setUp()
    const { events } = await connectTestWallet(connector)
    for (const value of [undefined, null, 'garbage', [7], {}, -1]) {
      emit('accountsChanged', value)
      emit('chainChanged', value)
    }
    await flushTasks()
    expect(events).toEqual([])
  })

  test('reports a new chain and its accounts', async () => {
    const { connector, responses, emit } = setUp()
    const { events } = await connectTestWallet(connector)
    responses['eth_accounts'] = () => [bob]
    emit('chainChanged', '0x89')
    await flushTasks()
    expect(events).toEqual([
      ['chain', 'eip155:137'],
      ['accounts', `eip155:137:${bob}`],
    ])
  })

  test('stays connected if the wallet reports a disconnect but still responds', async () => {
    const { connector, emit } = setUp()
    const { connection, events } = await connectTestWallet(connector)
    const signing = requestFromWallet(connection, { method: 'personal_sign' })
    const signed = Promise.race([signing, flushTasks().then(() => 'still waits')])
    emit('disconnect', new RpcError(1013, 'Disconnected'))
    expect(await signed).toBe('still waits')
    expect(events).toEqual([['accounts', `eip155:1:${alice}`]])
  })

  test('rejects pending reads and leaves signatures unknown when the wallet is gone', async () => {
    const { connector, responses, clock, emit } = setUp()
    const { connection, events } = await connectTestWallet(connector)
    const signing = getRejection(requestFromWallet(connection, { method: 'personal_sign' }))
    const reading = getRejection(requestFromWallet(connection, { method: 'eth_blockNumber' }))
    responses['eth_accounts'] = () => undefined
    emit('disconnect')
    clock.advance(2_000)
    expect(await signing).toMatchObject({ code: 'request/unknown' })
    expect(await reading).toMatchObject({ code: 'wallet/unavailable' })
    await flushTasks()
    expect(events).toEqual([['disconnected']])
    expect(clock.waiting()).toBe(0)
  })

  test('reports nothing after it was stopped, despite a pending response', async () => {
    const { connector, emit } = setUp()
    const { events, stop } = await connectTestWallet(connector)
    emit('chainChanged', '0x89')
    stop()
    emit('accountsChanged', [bob])
    await flushTasks()
    expect(events).toEqual([['chain', 'eip155:137']])
  })
})

describe('disconnecting', () => {
  test('revokes the permission if the wallet supports it', async () => {
    const { connector, requests, clock } = setUp({ wallet_revokePermissions: () => null })
    const ended = connector.disconnect()
    clock.advance(1_000)
    await ended
    expect(requests).toEqual(['wallet_revokePermissions'])
  })

  test.each([
    ['does not support revocation', createThrower(-32601, 'No such method')],
    ['never responds', () => undefined],
  ])('resolves if the wallet %s', async (_, response) => {
    const { connector, clock } = setUp({ wallet_revokePermissions: response })
    const ended = connector.disconnect()
    clock.advance(1_000)
    await expect(ended).resolves.toBeUndefined()
  })
})
