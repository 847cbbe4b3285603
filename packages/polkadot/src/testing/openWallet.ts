import { memoryStorage, type Connection, type Connector } from '@latchkey/core'
import type { PolkadotChain } from '@latchkey/devnet'
import type { Network } from '@latchkey/protocol'
import {
  createSimulatedPolkadotExtension,
  putInjectedWeb3,
  type PolkadotKind,
  type SimulatedPolkadotExtension,
} from '@latchkey/testkit'
import { bytesToHex } from '@noble/hashes/utils.js'
import { parseSs58Address } from '../address/ss58Address.ts'
import { polkadot } from '../polkadot.ts'

/** A connected wallet with a new account. */
export type OpenWallet = {
  readonly extension: SimulatedPolkadotExtension
  readonly connection: Connection
  readonly address: string
}

export type WalletOptions = { readonly type?: PolkadotKind; readonly free?: bigint }

/**
 * Creates a function that opens wallets whose accounts have a balance. Each wallet has its own key, because nonces and
 * balances stay on the chain.
 */
export function createWalletOpener(
  chain: () => PolkadotChain,
): (network: Network, options?: WalletOptions) => Promise<OpenWallet> {
  let seeds = 0
  return async (network, { type = 'sr25519', free = 10n ** 12n } = {}) => {
    const seed = (++seeds).toString(16).padStart(64, '0')
    const extension = createSimulatedPolkadotExtension({ accounts: [{ seed, type }] })
    const page = new EventTarget()
    putInjectedWeb3(extension, page)
    const found: Connector[] = []
    const networks = [{ ...chain().network, ...network }] as const
    polkadot({ networks, page, storage: memoryStorage() }).discover?.((each) => found.push(each))()
    const [connection] = (await found[0]?.connect({ networks, signal: new AbortController().signal })) ?? []
    const [address] = extension.addresses()
    if (connection === undefined || address === undefined) throw new Error('The extension was not found.')
    await chain().fund(bytesToHex(parseSs58Address(address)), free)
    return { extension, connection, address }
  }
}
