import type { Connection, Connector } from '@latchkey/core'
import { getRejection, manualClock, flushTasks, type ManualClock } from '@latchkey/core/testing'
import {
  createSimulatedBitcoinWallet,
  putSatsProvider,
  registerStandardWallet,
  type SimulatedBitcoinWallet,
} from '@latchkey/testkit'
import { describe, expect, test } from 'vitest'
import { bitcoin } from '../bitcoin.ts'
import { bitcoinMainnet } from '../chain/bitcoinNetworks.ts'
import { bitcoinTestnet } from '../chain/bitcoinTestnet.ts'

const networks = [bitcoinMainnet, bitcoinTestnet] as const
const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
const request = { networks, signal: new AbortController().signal }

function walletOf(): SimulatedBitcoinWallet {
  return createSimulatedBitcoinWallet({ privateKeys: ['77'.repeat(32)], name: 'Honest' })
}

function discover(page: EventTarget, clock: ManualClock = manualClock()): Connector[] {
  const found: Connector[] = []
  bitcoin({ networks, page, clock }).discover?.((connector) => found.push(connector))
  return found
}

/** A connector of an honest wallet with configurable errors. */
function setUp(): { wallet: SimulatedBitcoinWallet; connector: Connector; clock: ManualClock } {
  const [page, wallet, clock] = [new EventTarget(), walletOf(), manualClock()]
  putSatsProvider(wallet, page)
  const [connector] = discover(page, clock)
  if (connector === undefined) throw new Error('The wallet was not found.')
  return { wallet, connector, clock }
}

async function connectTestWallet(): Promise<{
  wallet: SimulatedBitcoinWallet
  connection: Connection
  clock: ManualClock
}> {
  const { wallet, connector, clock } = setUp()
  const [connection] = await connector.connect(request)
  return { wallet, connection, clock }
}

const trap = {
  get name(): never {
    throw new Error('trap')
  },
  get request(): never {
    throw new Error('trap')
  },
}

describe('a hostile page', () => {
  const objects: Readonly<Record<string, object>> = {
    'lists nothing that is a list': { btc_providers: 7 },
    'lists traps': {
      btc_providers: [trap, null, undefined, 'text', {}, { id: 7, name: 'Seven' }, { id: 'a.b', name: 'N' }],
    },
    'injects something other than a wallet': { unisat: 'text' },
    'injects a function': { okxwallet: () => {} },
    'injects traps': { unisat: trap, LeatherProvider: trap },
  }
  test.each(Object.keys(objects))('%s, and honest wallets are found', (name) => {
    const page = Object.assign(new EventTarget(), objects[name])
    registerStandardWallet(walletOf(), page)
    expect(discover(page).map((connector) => connector.name)).toContain('Honest')
  })

  test('registers hostile wallets, and honest wallets are still found', () => {
    const page = new EventTarget()
    const hostile = [trap, { name: 'No features' }, { features: trap }, undefined, { name: 7, features: {} }]
    page.addEventListener('wallet-standard:app-ready', (event) => {
      Reflect.get(event, 'detail').register(...hostile)
    })
    registerStandardWallet(walletOf(), page)
    const found = discover(page)
    for (const detail of [undefined, 7, trap, () => expect.fail('No listener receives it.')]) {
      page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
    }
    expect(found.map(({ name }) => name)).toEqual(['Honest'])
  })

  test.each([
    'https://example.com/i.png',
    'javascript:alert(1)',
    'data:text/html,<script>',
    `data:image/png,${'x'.repeat(300_000)}`,
    7,
  ])('gets no icon from %.40s', (bad) => {
    const page = new EventTarget()
    const listed = [
      { id: 'w', name: 'W', icon: bad },
      { id: 'v', name: 'V', icon },
    ]
    Object.assign(page, { btc_providers: listed, w: { request: () => {} }, v: { request: () => {} } })
    expect(discover(page).map((connector) => connector.icon)).toEqual([undefined, icon])
  })

  test('gets the icon that Leather names svg, as an image that browsers draw', () => {
    const page = Object.assign(new EventTarget(), {
      btc_providers: [{ id: 'w', name: 'W', icon: 'data:image/svg;base64,PHN2Zy8+' }],
      w: { request: () => {} },
    })
    expect(discover(page).map((connector) => connector.icon)).toEqual(['data:image/svg+xml;base64,PHN2Zy8+'])
  })

  test('gets shortened names', () => {
    const page = new EventTarget()
    Object.assign(page, { btc_providers: [{ id: 'w', name: 'W'.repeat(5_000) }], w: { request: () => {} } })
    expect(discover(page)[0]?.name).toHaveLength(60)
  })
})

describe('a wallet with invalid responses', () => {
  test.each([
    null,
    7,
    {},
    { addresses: 'many' },
    { addresses: [] },
    { addresses: [{ address: 'nonsense', purpose: 'payment' }], network: { bitcoin: { name: 'Mainnet' } } },
    { addresses: [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', purpose: 'stacks' }] },
  ])('rejects the accounts %j', async (value) => {
    const { wallet, connector } = setUp()
    wallet.faults.set('wallet_connect', { kind: 'response', value })
    expect(await getRejection(connector.connect(request))).toMatchObject({ code: 'wallet/invalid-response' })
  })

  test.each([null, {}, { signature: 7 }, { signature: '' }, { signature: 'short' }, { signature: '!'.repeat(88) }])(
    'rejects the signature %j',
    async (value) => {
      const { wallet, connection } = await connectTestWallet()
      wallet.faults.set('signMessage', { kind: 'response', value })
      const signing = bitcoin().signMessage(connection, connection.accounts[0], 'Hello')
      expect(await getRejection(signing)).toMatchObject({ code: 'wallet/invalid-response' })
    },
  )

  test('passes on its own code and reason', async () => {
    const { wallet, connection } = await connectTestWallet()
    wallet.faults.once('signMessage', { kind: 'fail', code: -32_603, message: 'Ledger is asleep' })
    const signing = bitcoin().signMessage(connection, connection.accounts[0], 'Hello')
    expect(await getRejection(signing)).toMatchObject({
      code: 'request/failed',
      context: { code: -32_603, reason: 'Ledger is asleep' },
    })
  })
})

describe('a wallet that does not respond', () => {
  test('makes connect time out', async () => {
    const { wallet, connector, clock } = setUp()
    wallet.neverRespondNext()
    const failure = getRejection(connector.connect(request))
    await expect.poll(() => wallet.requests.length).toBe(1)
    await flushTasks()
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })

  test('makes restore reject as unavailable after ten seconds', async () => {
    const { wallet, connector, clock } = setUp()
    wallet.uninstall()
    const failure = getRejection(connector.restore(request))
    await expect.poll(() => wallet.requests.length).toBe(1)
    await flushTasks()
    clock.advance(10_000)
    expect(await failure).toMatchObject({ code: 'wallet/unavailable' })
  })

  test('leaves a signature with an unknown outcome', async () => {
    const { wallet, connection, clock } = await connectTestWallet()
    wallet.neverRespondNext()
    const failure = getRejection(bitcoin().signMessage(connection, connection.accounts[0], 'Hello'))
    await expect.poll(() => wallet.requests.at(-1)?.method).toBe('signMessage')
    await flushTasks()
    clock.advance(300_000)
    expect(await failure).toMatchObject({ code: 'request/unknown' })
  })

  test('ends pending requests when it unregisters', async () => {
    const { wallet, connection } = await connectTestWallet()
    const departures: string[] = []
    connection.listen({ accountsChanged() {}, chainChanged() {}, disconnected: () => void departures.push('left') })
    wallet.hold()
    const failure = getRejection(bitcoin().signMessage(connection, connection.accounts[0], 'Hello'))
    await expect.poll(() => wallet.requests.at(-1)?.method).toBe('signMessage')
    wallet.lock()
    expect(await failure).toMatchObject({ code: 'request/unknown' })
    expect(departures).toEqual(['left'])
  })
})

test('a wallet that reports a change on each request is not opened endlessly', async () => {
  const page = new EventTarget()
  let [received, notify] = [0, (): void => {}]
  const unisat = {
    requestAccounts: async () => ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    async getAccounts() {
      received += 1
      notify()
      return unisat.requestAccounts()
    },
    getNetwork: async () => 'livenet',
    on: (event: string, listener: () => void) => void (event === 'accountsChanged' && (notify = listener)),
    removeListener() {},
  }
  Object.assign(page, { unisat })
  const [connection] = (await discover(page)[0]?.connect(request)) ?? []
  connection?.listen({ accountsChanged() {}, chainChanged() {}, disconnected() {} })
  await flushTasks()
  notify()
  await expect.poll(() => received).toBe(4)
  await flushTasks()
  expect(received).toBe(4)
})

describe('Leather', () => {
  type WalletCall = { method: string; params: Record<string, unknown> }

  /** Leather: it responds in JSON-RPC, and throws errors in the same form. */
  function leather(wallet: SimulatedBitcoinWallet, received: WalletCall[]): object {
    return {
      async request(method: string, params: Record<string, unknown>) {
        received.push({ method, params })
        try {
          return { jsonrpc: '2.0', id: '1', result: await respond(wallet, method, params) }
        } catch (error) {
          throw {
            jsonrpc: '2.0',
            id: '1',
            error: { code: Reflect.get(Object(error), 'code'), message: 'User rejected' },
          }
        }
      },
    }
  }

  async function respond(
    wallet: SimulatedBitcoinWallet,
    method: string,
    params: Record<string, unknown>,
  ): Promise<unknown> {
    const [payment, ordinals] = wallet.addresses()
    if (method === 'signMessage') {
      const address = params['paymentType'] === 'p2tr' ? ordinals : payment
      return wallet.request({ method, params: { address, message: params['message'], protocol: 'BIP322' } })
    }
    await wallet.request({ method: 'wallet_connect' })
    return {
      addresses: [
        { symbol: 'BTC', type: 'p2tr', address: ordinals, publicKey: '02', derivationPath: "m/86'/0'/0'/0/0" },
        { symbol: 'BTC', type: 'p2wpkh', address: payment, publicKey: '03', derivationPath: "m/84'/0'/0'/0/0" },
        { symbol: 'STX', address: 'SP000000000000000000002Q6VF78' },
      ],
    }
  }

  test('receives requests in its own format', async () => {
    const [page, wallet, received]: [EventTarget, SimulatedBitcoinWallet, WalletCall[]] = [
      new EventTarget(),
      walletOf(),
      [],
    ]
    Reflect.set(page, 'LeatherProvider', leather(wallet, received))
    const [connector] = discover(page)
    expect(connector?.id).toBe('bitcoin:leather')
    wallet.rejectNext()
    expect(await getRejection(Promise.resolve(connector?.connect(request)))).toMatchObject({
      code: 'connection/rejected',
    })
    const [connection] = (await connector?.connect(request)) ?? []
    if (connection === undefined) return expect.unreachable()
    const accounts = connection.accounts.map((account) => connection.details?.(account))
    expect(accounts).toMatchObject([{ type: 'payment', path: "m/84'/0'/0'/0/0" }, { type: 'ordinals' }])
    const [account, second = account] = connection.accounts
    for (const signer of [account, second]) {
      const signature = await bitcoin().signMessage(connection, signer, 'Hello')
      const address = signer.slice(signer.lastIndexOf(':') + 1)
      expect(await bitcoin().verifyMessage(bitcoinMainnet, address, 'Hello', signature)).toBe(true)
    }
    expect(received.map(({ method }) => method)).toEqual(['getAddresses', 'getAddresses', 'signMessage', 'signMessage'])
  })
})
