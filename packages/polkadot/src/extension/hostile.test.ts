import { memoryStorage, type Connection, type Connector } from '@latchkey/core'
import { getRejection, manualClock, flushTasks, type ManualClock } from '@latchkey/core/testing'
import { createSimulatedPolkadotExtension, putInjectedWeb3, type SimulatedPolkadotExtension } from '@latchkey/testkit'
import { describe, expect, test } from 'vitest'
import { polkadotMainnet } from '../chain/polkadotNetworks.ts'
import { polkadot } from '../polkadot.ts'

const request = { networks: [polkadotMainnet], signal: new AbortController().signal }

function discover(page: EventTarget, clock: ManualClock = manualClock()): Connector[] {
  const found: Connector[] = []
  polkadot({ page, clock, storage: memoryStorage() }).discover?.((connector) => found.push(connector))
  return found
}

function setUp(): { extension: SimulatedPolkadotExtension; connector: Connector; clock: ManualClock } {
  const [page, clock] = [new EventTarget(), manualClock()]
  const extension = createSimulatedPolkadotExtension({ accounts: [{ seed: '09'.repeat(32) }], name: 'honest' })
  putInjectedWeb3(extension, page)
  const [connector] = discover(page, clock)
  if (connector === undefined) throw new Error('The extension was not found.')
  return { extension, connector, clock }
}

async function connectTestWallet(): Promise<{
  extension: SimulatedPolkadotExtension
  connection: Connection
  clock: ManualClock
}> {
  const { extension, connector, clock } = setUp()
  const [connection] = await connector.connect(request)
  return { extension, connection, clock }
}

describe('a hostile page', () => {
  const enable = async (): Promise<object> => ({})
  const trap = {
    get enable(): never {
      throw new Error('trap')
    },
  }

  const objects: Readonly<Record<string, unknown>> = {
    'a number': 7,
    'a string': 'text',
    nothing: null,
    'a list of traps': [trap],
    'things other than extensions': { trap, none: null, text: 'text', number: { enable: 7 } },
  }
  test.each(Object.keys(objects))('has no extensions in %s', (name) => {
    expect(discover(Object.assign(new EventTarget(), { injectedWeb3: objects[name] }))).toEqual([])
  })

  test('with throwing getters causes no error', () => {
    const page = Object.defineProperty(new EventTarget(), 'injectedWeb3', {
      get(): never {
        throw new Error('trap')
      },
    })
    expect(discover(page)).toEqual([])
  })

  test('lists no extensions with malformed names', () => {
    const injectedWeb3 = { '<b>bold</b>': { enable }, ['x'.repeat(100)]: { enable }, '': { enable }, good: { enable } }
    const found = discover(Object.assign(new EventTarget(), { injectedWeb3 }))
    expect(found.map(({ name }) => name)).toEqual(['good'])
  })

  test('with a late extension lists it after the next scan', () => {
    const [page, clock] = [new EventTarget(), manualClock()]
    const found = discover(page, clock)
    Object.assign(page, { injectedWeb3: { 'polkadot-js': { enable } } })
    clock.advance(300)
    expect(found.map(({ id, name }) => [id, name])).toEqual([['polkadot:polkadot-js', 'Polkadot.js']])
  })
})

describe('an extension', () => {
  test('that never responds is unavailable', async () => {
    const { extension, connector, clock } = setUp()
    extension.neverRespondNext()
    const failure = getRejection(connector.connect(request))
    await expect.poll(() => extension.requests.length).toBe(1)
    await flushTasks()
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })

  test('that stops responding leaves a signature with an unknown outcome', async () => {
    const { extension, connection, clock } = await connectTestWallet()
    extension.neverRespondNext()
    const failure = getRejection(polkadot().signMessage(connection, connection.accounts[0], 'Hello'))
    await expect.poll(() => extension.requests.at(-1)?.method).toBe('signRaw')
    await flushTasks()
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'request/unknown' })
  })

  test.each([null, {}, { signature: 7 }, { signature: '0x' }, { signature: '0x00' }, { signature: 'z'.repeat(128) }])(
    'rejects the signature %j',
    async (value) => {
      const { extension, connection } = await connectTestWallet()
      extension.faults.set('signRaw', { kind: 'response', value })
      const signing = polkadot().signMessage(connection, connection.accounts[0], 'Hello')
      expect(await getRejection(signing)).toMatchObject({ code: 'wallet/invalid-response' })
    },
  )

  test('that is locked shares no accounts, and the connection ends once', async () => {
    const { extension, connection } = await connectTestWallet()
    let departures = 0
    connection.listen({ accountsChanged() {}, chainChanged() {}, disconnected: () => void (departures += 1) })
    extension.lock()
    extension.unlock()
    extension.revoke()
    expect(departures).toBe(1)
  })

  test('that removes an account reports the remaining ones', async () => {
    const { extension, connection } = await connectTestWallet()
    const events: string[] = []
    connection.listen({
      accountsChanged: (accounts) => void events.push(...accounts),
      chainChanged() {},
      disconnected() {},
    })
    extension.setAccounts([{ seed: '0a'.repeat(32), type: 'ecdsa' }])
    expect(events).toEqual([...connection.accounts])
    expect(events).toHaveLength(1)
  })
})
