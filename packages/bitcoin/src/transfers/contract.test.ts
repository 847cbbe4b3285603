import type { Connection, Connector } from '@latchkey/core'
import { describeTransfers } from '@latchkey/core/testing'
import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import {
  createSimulatedBitcoinWallet,
  putSatsProvider,
  putUnisatProvider,
  registerStandardWallet,
  type PaymentKind,
  type SimulatedBitcoinWallet,
} from '@latchkey/testkit'
import { afterAll, beforeAll } from 'vitest'
import { bitcoin } from '../bitcoin.ts'
import { bitcoinRegtest } from '../chain/bitcoinTestnet.ts'
import { startEsploraProxy } from '../testing/startEsploraProxy.ts'

let chain: Bitcoin
beforeAll(async () => void (chain = await startBitcoin()))
afterAll(() => chain.close())

type InjectWallet = (wallet: SimulatedBitcoinWallet, page: EventTarget) => () => void

const wallets: ReadonlyArray<readonly [name: string, put: InjectWallet, kind: PaymentKind]> = [
  ['a PSBT from P2WPKH', registerStandardWallet, 'p2wpkh'],
  ['a PSBT from P2SH', registerStandardWallet, 'p2sh'],
  ['a PSBT from P2PKH', registerStandardWallet, 'p2pkh'],
  ['a wallet of sats-connect', putSatsProvider, 'p2wpkh'],
  ['a wallet like UniSat', (wallet, page) => putUnisatProvider(wallet, page), 'p2wpkh'],
]

for (const [name, put, paymentKind] of wallets) {
  describeTransfers(`bitcoin with ${name}`, async () => {
    const proxy = await startEsploraProxy(chain.url)
    const network = { ...bitcoinRegtest, rpcUrls: { default: { http: [proxy.url] } } }
    const walletOf = (privateKey: string): SimulatedBitcoinWallet =>
      createSimulatedBitcoinWallet({
        privateKeys: [privateKey],
        chain: 'regtest',
        sources: { regtest: chain.url },
        paymentKind,
      })
    const [wallet, spender, receiver] = [
      walletOf('71'.repeat(32)),
      walletOf('72'.repeat(32)),
      walletOf('73'.repeat(32)),
    ]
    chain.fund(wallet.addresses()[0], 50_000_000n)
    for (const amount of [3_000_000n, 2_000_000n]) chain.fund(spender.addresses()[0], amount)
    chain.fund(receiver.addresses()[0], 1_000_000n)
    const connectTo = async (each: SimulatedBitcoinWallet): Promise<Connection> => {
      const page = new EventTarget()
      put(each, page)
      const found: Connector[] = []
      bitcoin({ networks: [network], page }).discover?.((connector) => found.push(connector))()
      const granted = await found[0]?.connect({ networks: [network], signal: new AbortController().signal })
      if (granted === undefined) throw new Error('The wallet was not found.')
      return granted[0]
    }
    const transfers = await bitcoin({ networks: [network], page: new EventTarget() }).transfers?.()
    if (transfers === undefined) throw new Error('Nothing can be transferred.')
    return {
      transfers,
      network,
      connection: await connectTo(wallet),
      spender: await connectTo(spender),
      receiver: receiver.addresses()[0],
      native: { symbol: 'BTC', decimals: 8 },
      amount: 1_500_000n,
      notAddresses: [
        'bcrt1',
        receiver.addresses()[0].replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
        '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
        'So11111111111111111111111111111111111111112',
      ],
      notToken: receiver.addresses()[0],
      unknownHash: 'ab'.repeat(32),
      failing: {
        transfer: {
          from: (await connectTo(wallet)).accounts[0],
          to: receiver.addresses()[0],
          asset: { symbol: 'BTC', decimals: 8 },
          amount: 1n,
        },
        reason: 'dust',
      },
      decline: wallet.rejectNext,
      cutOff: proxy.disconnect,
      end: proxy.close,
    }
  })
}
