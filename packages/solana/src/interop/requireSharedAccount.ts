import { getConnections, type Connection, type Latchkey } from '@latchkey/core'
import { requireWalletOf } from '@latchkey/core/internal'
import { toAccountId } from '@latchkey/adapter-kit'
import { LatchkeyError, type AccountId } from '@latchkey/protocol'
import { solanaMainnet } from '../chain/solanaNetworks.ts'

/** A connected wallet and one of the accounts that it shares. */
export type SharedWallet = { connection: Connection; account: AccountId }

/**
 * Returns the connected wallet that shares an address. Without an address, returns the primary wallet with its selected account.
 *
 * @throws LatchkeyError `connection/not-connected` without a Solana wallet, `account/not-found` if no wallet shares the address
 */
export function requireSharedAccount(latchkey: Latchkey, address?: string): SharedWallet {
  const [primary] = getConnections(latchkey, 'solana')
  if (primary === undefined) throw new LatchkeyError('connection/not-connected', {})
  // Wallets share an address on all chains, so the chain of the id does not matter.
  const wanted = address === undefined ? primary.account : toAccountId('solana', solanaMainnet.caipNetworkId, address)
  return requireWalletOf(latchkey, wanted)
}
