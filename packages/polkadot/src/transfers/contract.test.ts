import type { Connection, Connector } from '@latchkey/core'
import { describeTransfers } from '@latchkey/core/testing'
import { startPolkadotChain, type PolkadotChain } from '@latchkey/devnet'
import {
  createSimulatedPolkadotExtension,
  putInjectedWeb3,
  type PolkadotKind,
  type SimulatedPolkadotExtension,
} from '@latchkey/testkit'
import { afterAll, beforeAll } from 'vitest'
import { memoryStorage } from '@latchkey/core'
import { bytesToHex } from '@noble/hashes/utils.js'
import { parseSs58Address } from '../address/ss58Address.ts'
import { polkadot } from '../polkadot.ts'
import { startRpcProxy } from '../testing/startRpcProxy.ts'

let chain: PolkadotChain
beforeAll(async () => void (chain = await startPolkadotChain()))
afterAll(() => chain.close())

/** Each test has its own accounts: nonces and balances stay on the chain. */
let seeds = 0

for (const type of ['sr25519', 'ed25519', 'ecdsa'] as const satisfies readonly PolkadotKind[]) {
  describeTransfers(`polkadot with a key of ${type}`, async () => {
    const proxy = await startRpcProxy(chain.rpcUrl)
    const network = { ...chain.network, rpcUrls: { default: { http: [proxy.url] } } }
    const open = async (): Promise<{
      extension: SimulatedPolkadotExtension
      connection: Connection
      address: string
    }> => {
      const seed = (++seeds).toString(16).padStart(64, '0')
      const extension = createSimulatedPolkadotExtension({ accounts: [{ seed, type }] })
      const page = new EventTarget()
      putInjectedWeb3(extension, page)
      const found: Connector[] = []
      polkadot({ networks: [network], page, storage: memoryStorage() }).discover?.((each) => found.push(each))()
      const [connection] =
        (await found[0]?.connect({ networks: [network], signal: new AbortController().signal })) ?? []
      const [address] = extension.addresses()
      if (connection === undefined || address === undefined) throw new Error('The extension was not found.')
      await chain.fund(bytesToHex(parseSs58Address(address)), 10n ** 12n)
      return { extension, connection, address }
    }
    const [payer, spender, receiver] = [await open(), await open(), await open()]
    const transfers = await polkadot({ networks: [network], page: new EventTarget() }).transfers?.()
    if (transfers === undefined) throw new Error('Nothing can be transferred.')
    const unused = createSimulatedPolkadotExtension({ accounts: [{ seed: 'ee'.repeat(32) }] }).addresses()[0] ?? ''
    const native = { symbol: 'ROC', decimals: 12 }
    return {
      transfers,
      network,
      connection: payer.connection,
      spender: spender.connection,
      receiver: receiver.address,
      native,
      amount: 123_456_789_012n,
      notAddresses: [
        receiver.address.slice(0, -1),
        receiver.address.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
        '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
        'So11111111111111111111111111111111111111112',
      ],
      notToken: receiver.address,
      unknownHash: `0x${'ab'.repeat(32)}`,
      failing: {
        transfer: { from: payer.connection.accounts[0], to: unused, asset: native, amount: 1n },
        reason: 'dust',
      },
      decline: payer.extension.rejectNext,
      cutOff: proxy.disconnect,
      end: proxy.close,
    }
  })
}
