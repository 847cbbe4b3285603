import { describeTransfers } from '@latchkey/core/testing'
import { startPolkadotChain, type PolkadotChain } from '@latchkey/devnet'
import type { PolkadotKind } from '@latchkey/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { formatSs58Address } from '../address/ss58Address.ts'
import { polkadot } from '../polkadot.ts'
import { createWalletOpener } from '../testing/openWallet.ts'
import { startRpcProxy } from '../testing/startRpcProxy.ts'

let chain: PolkadotChain
beforeAll(async () => void (chain = await startPolkadotChain()))
afterAll(() => chain.close())

const openWallet = createWalletOpener(() => chain)

function describeKind(type: PolkadotKind): void {
  describeTransfers(`polkadot with a key of ${type}`, async () => {
    const proxy = await startRpcProxy(chain.rpcUrl)
    const network = { ...chain.network, rpcUrls: { default: { http: [proxy.url] } } }
    const [payer, spender, receiver] = await Promise.all([1, 2, 3].map(() => openWallet(network, { type })))
    const transfers = await polkadot({ networks: [network], page: new EventTarget() }).transfers?.()
    if (transfers === undefined || payer === undefined || spender === undefined || receiver === undefined)
      throw new Error('Nothing can be transferred.')
    const native = { symbol: 'ROC', decimals: 12 }
    const unused = formatSs58Address(new Uint8Array(32).fill(7), 42)
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

describeKind('sr25519')
// One kind of key suffices for the usual run.
describe('other kinds of keys', { tags: 'faults' }, () => {
  describeKind('ed25519')
  describeKind('ecdsa')
})
