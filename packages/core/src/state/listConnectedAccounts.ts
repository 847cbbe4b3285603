import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectedWallet } from './connectionState.ts'

/** Lists the account of each connected namespace. */
export function listConnectedAccounts({ wallet }: Pick<Latchkey, 'wallet'>): readonly AccountId[] {
  const { namespaces } = wallet.getState()
  return Object.values(namespaces).flatMap((state) => connectedWallet(state)?.account ?? [])
}

/** Returns a key that the accounts of one address share, on all chains of its namespace. */
export function ownerOf(account: AccountId): string {
  const { namespace, address } = parseAccountId(account)
  return `${namespace}:${address}`
}
