import type { Connection, Latchkey } from '@latchkey/core'
import { connectedWallet, requireWalletOf } from '@latchkey/core/internal'
import { toAccountId } from '@latchkey/adapter-kit'
import { type AccountId, connectionError } from '@latchkey/protocol'
import { solanaMainnet } from '../chain/solanaNetworks.ts'

/** A connected wallet and one of the accounts that it shares. */
export type SharedWallet = { connection: Connection; account: AccountId }

/**
 * Returns the connected wallet that shares an address. Without an address, returns the primary wallet with its selected account.
 *
 * @throws LatchkeyError `connection/not-connected` without a Solana wallet, `account/not-found` if no wallet shares the address
 */
export function requireSharedAccount(latchkey: Pick<Latchkey, 'wallet'>, address?: string): SharedWallet {
  const primary = connectedWallet(latchkey.wallet.getState().namespaces.solana)
  if (primary === undefined) throw connectionError('connection/not-connected', {})
  // Wallets share an address on all chains, so the chain of the id does not matter.
  const requested =
    address === undefined ? primary.account : toAccountId('solana', solanaMainnet.caipNetworkId, address)
  return requireWalletOf(latchkey, requested)
}
