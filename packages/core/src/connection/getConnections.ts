import { parseAccountId, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { AccountDetails } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { listConnectedWallets } from '../state/connectedWallets.ts'

/** A wallet that is connected in a namespace. */
export type WalletConnection = {
  namespace: Namespace
  connectorId: string
  /** True for the connection that account, network and requests of its namespace use. */
  primary: boolean
  account: AccountId
  accounts: readonly AccountId[]
  chainId: ChainId
  wallet: { name: string; icon?: string }
}

/** An account that a connected wallet shares, with the details that the wallet reports. */
export type SharedAccount = AccountDetails & {
  account: AccountId
  address: string
  namespace: Namespace
  connectorId: string
  /** True for the active account of its wallet. */
  selected: boolean
}

/**
 * Returns the connected wallets of one namespace or all, the primary wallet of each namespace first. Each call returns
 * a new array.
 *
 * @example const [primary, ...others] = getConnections(latchkey, 'eip155')
 */
export function getConnections(latchkey: Latchkey, namespace?: Namespace): readonly WalletConnection[] {
  return namespacesOf(latchkey, namespace).flatMap((each) =>
    listConnectedWallets(latchkey, each).map(({ connectorId, account, accounts, chainId, connection }, index) => ({
      namespace: each,
      connectorId,
      primary: index === 0,
      account,
      accounts,
      chainId,
      wallet: connection.wallet,
    })),
  )
}

/**
 * Returns the accounts that connected wallets share, in one namespace or all, in the order of the wallets.
 *
 * @example const ordinals = getAccounts(latchkey, 'bip122').find(({ type }) => type === 'ordinals')
 */
export function getAccounts(latchkey: Latchkey, namespace?: Namespace): readonly SharedAccount[] {
  return namespacesOf(latchkey, namespace).flatMap((each) =>
    listConnectedWallets(latchkey, each).flatMap(({ connectorId, account: selected, accounts, connection }, index) =>
      accounts.map((account) => ({
        ...connection.details?.(account),
        account,
        address: parseAccountId(account).address,
        namespace: each,
        connectorId,
        selected: index === 0 && account === selected,
      })),
    ),
  )
}

function namespacesOf(latchkey: Pick<Latchkey, 'adapters'>, namespace: Namespace | undefined): readonly Namespace[] {
  return latchkey.adapters.map((adapter) => adapter.namespace).filter((each) => each === (namespace ?? each))
}
