import {
  connect,
  createLatchkey,
  memoryStorage,
  start,
  type Connection,
  type Connector,
  type Latchkey,
} from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import { parseAccountId, type Network } from '@latchkey/protocol'
import {
  createSimulatedBitcoinWallet,
  putSatsProvider,
  putUnisatProvider,
  registerStandardWallet,
  type PaymentKind,
  type SimulatedBitcoinOptions,
  type SimulatedBitcoinWallet,
} from '@latchkey/testkit'
import { base64, hex } from '@scure/base'
import { p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getBitcoinAddresses, sendTransfer, signBitcoinMessage, signPsbt } from '../index.ts'
import { bitcoin } from '../bitcoin.ts'
import { parseChainName } from '../chain/chainNames.ts'
import { bitcoinRegtest, bitcoinSignet } from '../chain/bitcoinTestnet.ts'

const secret = '44'.repeat(32)
const payee = createSimulatedBitcoinWallet({ privateKeys: ['55'.repeat(32)], chain: 'regtest' }).addresses()[0]

let chain: Bitcoin
beforeAll(async () => void (chain = await startBitcoin()))
afterAll(() => chain.close())

type InjectWallet = (wallet: SimulatedBitcoinWallet, page: EventTarget) => () => void
const putUnisat: InjectWallet = (wallet, page) => putUnisatProvider(wallet, page)

function walletOf(options: Partial<SimulatedBitcoinOptions> = {}): SimulatedBitcoinWallet {
  const sources = { regtest: chain.url }
  return createSimulatedBitcoinWallet({ privateKeys: [secret], chain: 'regtest', sources, name: 'Test', ...options })
}

function createNetworks(): [Network, Network] {
  return [{ ...bitcoinRegtest, rpcUrls: { default: { http: [chain.url] } } }, bitcoinSignet]
}

function discover(page: EventTarget): Connector[] {
  const found: Connector[] = []
  bitcoin({ networks: createNetworks(), page, clock: manualClock() }).discover?.((connector) => found.push(connector))
  return found
}

/** An app with a connected wallet of its page. */
async function connectTestWallet(
  wallet: SimulatedBitcoinWallet,
  put: InjectWallet,
): Promise<{ latchkey: Latchkey; connection: Connection }> {
  const page = new EventTarget()
  put(wallet, page)
  const adapter = bitcoin({ networks: createNetworks(), page, clock: manualClock() })
  const latchkey = createLatchkey({ adapters: [adapter], storage: memoryStorage() })
  start(latchkey)
  await connect(latchkey, latchkey.connectors.getState()[0]?.id ?? '')
  const state = latchkey.wallet.getState().namespaces.bip122
  if (state?.status !== 'connected') throw new Error('It is not connected.')
  return { latchkey, connection: state.connection }
}

describe('a wallet', () => {
  test.each([
    ['sats-connect', putSatsProvider],
    ['the Wallet Standard', registerStandardWallet],
  ])('of %s shares its payment address first, then its ordinals address [R3.3] [R6.1]', async (_, put) => {
    const wallet = walletOf()
    const { latchkey, connection } = await connectTestWallet(wallet, put)
    const [payment, ordinals] = wallet.addresses()
    expect(getBitcoinAddresses(latchkey)).toMatchObject([
      { address: payment, type: 'payment', publicKey: expect.stringMatching(/^0[23][0-9a-f]{64}$/) },
      { address: ordinals, type: 'ordinals', publicKey: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(connection.details?.(connection.accounts[1] ?? connection.accounts[0])?.type).toBe('ordinals')
  })

  test('with three APIs is listed once', () => {
    const page = new EventTarget()
    const wallet = walletOf({ name: 'UniSat' })
    for (const put of [registerStandardWallet, putSatsProvider, putUnisat]) put(wallet, page)
    expect(discover(page).map(({ id, name }) => [id, name])).toEqual([['bitcoin:unisat', 'UniSat']])
  })

  test('with the name of another is listed separately, and each opens its own accounts', async () => {
    const page = new EventTarget()
    const wallets = [walletOf(), walletOf({ privateKeys: ['66'.repeat(32)] })]
    for (const wallet of wallets) registerStandardWallet(wallet, page)
    const found = discover(page)
    expect(found.map(({ id }) => id)).toEqual(['bitcoin:test', 'bitcoin:test/2'])
    for (const [at, connector] of found.entries()) {
      const [connection] = await connector.connect({ networks: createNetworks(), signal: new AbortController().signal })
      expect(parseAccountId(connection.accounts[0]).address).toBe(wallets[at]?.addresses()[0])
    }
  })

  test('that is injected late is found by the next scan', () => {
    const [page, clock, found]: [EventTarget, ReturnType<typeof manualClock>, Connector[]] = [
      new EventTarget(),
      manualClock(),
      [],
    ]
    const stop = bitcoin({ page, clock }).discover?.((connector) => found.push(connector))
    putUnisat(walletOf(), page)
    clock.advance(1_500)
    expect(found.map(({ name }) => name)).toEqual(['UniSat Wallet'])
    stop?.()
    expect(clock.waiting()).toBe(0)
  })

  test('that unregisters is removed and disconnected, and can register again', async () => {
    const [page, wallet, events]: [EventTarget, SimulatedBitcoinWallet, unknown[]] = [new EventTarget(), walletOf(), []]
    const unregister = registerStandardWallet(wallet, page)
    const found: Connector[] = []
    const lost = (id: string): void => void events.push(['lost', id])
    bitcoin({ networks: createNetworks(), page, clock: manualClock() }).discover?.((each) => found.push(each), lost)
    const [connector] = found
    const [connection] =
      (await connector?.connect({ networks: createNetworks(), signal: new AbortController().signal })) ?? []
    connection?.listen({ accountsChanged() {}, chainChanged() {}, disconnected: (reason) => void events.push(reason) })
    unregister()
    expect(events).toEqual(['uninstalled', ['lost', 'bitcoin:test']])
    registerStandardWallet(wallet, page)
    expect(found.map(({ id }) => id)).toEqual(['bitcoin:test', 'bitcoin:test'])
  })

  test('is not discovered without a page', () => {
    expect(() => bitcoin().discover?.(() => expect.unreachable())()).not.toThrow()
  })
})

describe.each([
  ['sats-connect', putSatsProvider],
  ['the Wallet Standard', registerStandardWallet],
  ['UniSat', putUnisat],
])('a wallet through %s', (_, put) => {
  test.each<PaymentKind>(['p2wpkh', 'p2sh', 'p2pkh'])('a payment from %s arrives', async (paymentKind) => {
    const wallet = walletOf({ paymentKind })
    const { latchkey } = await connectTestWallet(wallet, put)
    for (const amount of [30_000n, 40_000n]) chain.fund(wallet.addresses()[0], amount)
    const txid = await sendTransfer(latchkey, { to: payee, value: 55_000n })
    expect(chain.ledger.find(txid)?.outputs.some(({ amount }) => amount === 55_000n)).toBe(true)
  })

  test('signs a PSBT, and sends it if requested', async () => {
    const wallet = walletOf()
    const { latchkey } = await connectTestWallet(wallet, put)
    const [address] = wallet.addresses()
    const unsigned = (): string => {
      const lock = p2wpkh(hex.decode(getBitcoinAddresses(latchkey)[0]?.publicKey ?? ''), TEST_NETWORK)
      const transaction = new Transaction()
      const witnessUtxo = { script: lock.script, amount: 10_000n }
      transaction.addInput({ txid: chain.fund(address, 10_000n), index: 0, witnessUtxo })
      transaction.addOutputAddress(payee, 9_000n, { ...TEST_NETWORK, bech32: 'bcrt' })
      return base64.encode(transaction.toPSBT())
    }
    const { psbt, txid } = await signPsbt(latchkey, { psbt: unsigned(), inputs: [{ index: 0 }] })
    const signed = Transaction.fromPSBT(base64.decode(psbt))
    signed.finalize()
    expect(txid).toBeUndefined()
    expect(chain.ledger.accept(hex.decode(signed.hex)).txid).toBe(signed.id)
    const sent = await signPsbt(latchkey, { psbt: unsigned(), inputs: [{ index: 0 }], broadcast: true })
    expect(chain.ledger.find(sent.txid ?? '')?.outputs[0]?.amount).toBe(9_000n)
  })

  test('signs a message with any shared address', async () => {
    const { latchkey } = await connectTestWallet(walletOf(), put)
    for (const { address } of getBitcoinAddresses(latchkey)) {
      const signature = await signBitcoinMessage(latchkey, 'Grüße', { address })
      const [network, adapter] = [latchkey.networks[0], latchkey.adapters[0]]
      if (network === undefined || adapter === undefined) return expect.unreachable()
      expect(await adapter.verifyMessage(network, address, 'Grüße', signature)).toBe(true)
      expect(await adapter.verifyMessage(network, address, 'Gruesse', signature)).toBe(false)
    }
  })
})

test('refuses an address of another network, an invalid address and a zero amount', async () => {
  const { latchkey } = await connectTestWallet(walletOf(), putSatsProvider)
  const mistyped = payee.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))
  for (const to of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', mistyped]) {
    await expect(sendTransfer(latchkey, { to, value: 1n })).rejects.toMatchObject({ code: 'address/invalid' })
  }
  await expect(sendTransfer(latchkey, { to: payee, value: 0n })).rejects.toMatchObject({ code: 'amount/invalid' })
})

test('rejects without a connected wallet', async () => {
  const latchkey = createLatchkey({ adapters: [bitcoin()], storage: memoryStorage() })
  expect(() => getBitcoinAddresses(latchkey)).toThrow('No wallet is connected')
  await expect(sendTransfer(latchkey, { to: payee, value: 1n })).rejects.toMatchObject({
    code: 'connection/not-connected',
  })
})

test.each([
  ['Mainnet', '000000000019d6689c085ae165831e93'],
  ['livenet', '000000000019d6689c085ae165831e93'],
  ['BITCOIN_TESTNET', '000000000933ea01ad0ee984209779ba'],
  ['bitcoin:signet', '00000008819873e925422c1ff0f99f7c'],
])('parseChainName recognises %s [R5.1.1]', (name, reference) => {
  expect(parseChainName(name)).toBe(`bip122:${reference}`)
})

test.each(['', 'FRACTAL_BITCOIN_MAINNET', 'constructor', 7, undefined])('parseChainName refuses %j', (name) => {
  expect(parseChainName(name)).toBeUndefined()
})
