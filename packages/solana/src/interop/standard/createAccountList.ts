import type { Connection, Latchkey } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { decodeSolanaAddress } from '../../address/decodeSolanaAddress.ts'
import { toStandardChain } from '../../chain/solanaNetworks.ts'
import type { StandardAccount, StandardChain, StandardSigningFeature } from './standardAccount.ts'

const signingFeatures: readonly StandardSigningFeature[] = [
  'solana:signMessage',
  'solana:signTransaction',
  'solana:signAndSendTransaction',
]

/**
 * Creates a function that returns the accounts of the primary Solana wallet, the selected one first. Apps compare accounts by
 * identity, so an account stays the same object while nothing about it changes, and so does the list.
 */
export function createAccountList(latchkey: Pick<Latchkey, 'networks' | 'wallet'>): () => readonly StandardAccount[] {
  let known: readonly StandardAccount[] = []
  return () => {
    const next = listStandardAccounts(latchkey).map(
      (account) => known.find((each) => isSameAccount(each, account)) ?? account,
    )
    const isUnchanged = next.length === known.length && next.every((account, index) => account === known[index])
    if (!isUnchanged) known = Object.freeze(next)
    return known
  }
}

/** Lists the chains of networks as the Wallet Standard names them, each once. */
export function listStandardChains(chainIds: readonly ChainId[]): readonly StandardChain[] {
  return [...new Set(chainIds.map(toStandardChain))]
}

function listStandardAccounts(latchkey: Pick<Latchkey, 'networks' | 'wallet'>): readonly StandardAccount[] {
  const connected = connectedWallet(latchkey.wallet.getState().namespaces.solana)
  if (connected === undefined) return []
  const { account: selected, accounts, connection } = connected
  const chains = listStandardChains(listUsableChains(latchkey, connection))
  const addressOf = (account: AccountId): string => parseAccountId(account).address
  const ordered = [selected, ...accounts.filter((account) => addressOf(account) !== addressOf(selected))]
  return ordered.map((account) => {
    const address = addressOf(account)
    const label = connection.details?.(account)?.label
    const publicKey = decodeSolanaAddress(address)
    return Object.freeze({
      address,
      publicKey,
      chains,
      features: signingFeatures,
      ...(label === undefined ? {} : { label }),
    })
  })
}

/** The networks of the app that the wallet approved; the wallet's own if there are none. */
function listUsableChains({ networks }: Pick<Latchkey, 'networks'>, connection: Connection): readonly ChainId[] {
  const { approvedChains, chainId } = connection
  const usable = networks
    .filter(({ chainNamespace }) => chainNamespace === 'solana')
    .map(({ caipNetworkId }) => caipNetworkId)
    .filter((each) => approvedChains === 'all' || approvedChains.includes(each))
  return usable.length === 0 ? [chainId] : usable
}

function isSameAccount(one: StandardAccount, other: StandardAccount): boolean {
  return one.address === other.address && one.label === other.label && one.chains.join() === other.chains.join()
}
