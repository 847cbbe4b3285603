import type { Connector } from '@latchkey/core'
import { describeAdapter, describeConnector, type AdapterWorld, type ConnectorWorld } from '@latchkey/core/testing'
import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import type { AccountId, Network } from '@latchkey/protocol'
import {
  createSimulatedBitcoinWallet,
  putSatsProvider,
  putUnisatProvider,
  registerStandardWallet,
  type PaymentKind,
  type SimulatedBitcoinWallet,
} from '@latchkey/testkit'
import { afterAll, beforeAll } from 'vitest'
import { bitcoin } from './bitcoin.ts'
import { bitcoinRegtest, bitcoinSignet } from './chain/bitcoinTestnet.ts'

const secret = '11'.repeat(32)
const otherSecret = '22'.repeat(32)

let chain: Bitcoin
beforeAll(async () => void (chain = await startBitcoin()))
afterAll(() => chain.close())

/** The three APIs that wallets of the page have. */
const faces: Readonly<Record<string, (wallet: SimulatedBitcoinWallet, page: EventTarget) => () => void>> = {
  'a wallet of the Wallet Standard': registerStandardWallet,
  'a wallet of sats-connect': putSatsProvider,
  'a wallet like UniSat': (wallet, page) => putUnisatProvider(wallet, page),
}

function makeWallet(paymentKind?: PaymentKind): SimulatedBitcoinWallet {
  return createSimulatedBitcoinWallet({
    privateKeys: [secret, otherSecret],
    chain: 'regtest',
    sources: { regtest: chain.url },
    paymentKind,
    name: 'Test Wallet',
  })
}

/** Finds the wallets of a page. */
function discover(page: EventTarget, networks: readonly [Network, ...Network[]]): Connector[] {
  const found: Connector[] = []
  bitcoin({ networks, page }).discover?.((connector) => found.push(connector))()
  return found
}

function networksOf(http: readonly string[]): [Network, Network] {
  return [{ ...bitcoinRegtest, rpcUrls: { default: { http } } }, bitcoinSignet]
}

const request = { signal: new AbortController().signal }

for (const [name, put] of Object.entries(faces)) {
  describeConnector(name, async (): Promise<ConnectorWorld> => {
    const wallet = makeWallet()
    const page = new EventTarget()
    put(wallet, page)
    const networks = networksOf([chain.url])
    const findOne = (): Connector => {
      const [connector] = discover(page, networks)
      if (connector === undefined) throw new Error('The page has no wallet.')
      return connector
    }
    const accounts = (reference: string | number): AccountId[] => {
      const shared = name.endsWith('UniSat') ? wallet.addresses().slice(0, 1) : wallet.addresses()
      return shared.map((address): AccountId => `bip122:${reference}:${address}`)
    }
    wallet.hold()
    return {
      connector: findOne(),
      networks,
      approve: wallet.approve,
      decline: wallet.decline,
      selectAccounts() {
        wallet.setAccounts([otherSecret])
        return accounts(bitcoinRegtest.id)
      },
      selectChain() {
        wallet.setChain('signet')
        return bitcoinSignet.caipNetworkId
      },
      leave: wallet.revoke,
      // The wallet keeps the consent. The page only checks for it.
      reload: findOne,
    }
  })

  // The Wallet Standard has no name for other networks.
  if (put === registerStandardWallet) continue
  describeAdapter(`bitcoin with ${name}`, async (): Promise<AdapterWorld> => {
    const http = [chain.url]
    const page = new EventTarget()
    const networks = networksOf(http)
    const adapter = bitcoin({ networks, page })
    const wallet = makeWallet()
    put(wallet, page)
    const [connector] = discover(page, networks)
    const connections = await connector?.connect({ ...request, networks })
    if (connections === undefined) throw new Error('The wallet was not found.')
    chain.fund(wallet.addresses()[0], 1_000_000n)
    return {
      adapter,
      connection: connections[0],
      otherAddress: createSimulatedBitcoinWallet({ privateKeys: ['33'.repeat(32)], chain: 'regtest' }).addresses()[0],
      notAddresses: ['bc1', '0x52908400098527886E0F7030069857D2E4169EE7', '1A1zP1'],
      unknownHash: 'ab'.repeat(32),
      payment: 12_345n,
      decline: wallet.rejectNext,
      cutOff: () => void http.splice(0, 1, 'http://127.0.0.1:1'),
      announce() {
        const announced = createSimulatedBitcoinWallet({ privateKeys: [secret], name: `W${crypto.randomUUID()}` })
        registerStandardWallet(announced, page)
        return `bitcoin:${announced.info.name.toLowerCase()}`
      },
    }
  })
}
