import { createErrors, parseAccountId, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { AccountDetails } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { Connected } from '../state/connections.ts'
import { putFirst } from '../state/beside.ts'
import { dispatch } from '../state/dispatch.ts'
import { walletsOf } from '../state/standing.ts'
import { isSameAddress, tellAccount } from './follow.ts'
import { guardNetwork } from './guardNetwork.ts'
import { remember } from './remember.ts'

const coreError = createErrors({
  'namespace/missing': ({ what }) => `Chain is required to ${what}: say in which namespace.`,
  'account/not-found': ({ account }) =>
    `"${account}" is not among what the connected wallets share. Choose one that is, or share it in the wallet first.`,
})

/** One of the wallets that stand in a namespace. */
export type WalletConnection = {
  namespace: Namespace
  connectorId: string
  /** Whether it is the one that account, network and requests of its namespace are about. */
  primary: boolean
  account: AccountId
  accounts: readonly AccountId[]
  chainId: ChainId
  wallet: { name: string; icon?: string }
}

/** An account that a connected wallet shares, with what the wallet says of it. */
export type SharedAccount = AccountDetails & {
  account: AccountId
  address: string
  namespace: Namespace
  connectorId: string
  /** Whether it is the one in use. */
  selected: boolean
}

/**
 * The wallets that stand, of one namespace or all, the primary one of each namespace first. Made anew on each call.
 *
 * @example const [primary, ...others] = getConnections(latchkey, 'eip155')
 */
export function getConnections(latchkey: Latchkey, namespace?: Namespace): readonly WalletConnection[] {
  return namespacesOf(latchkey, namespace).flatMap((each) =>
    walletsOf(latchkey, each).map(({ connectorId, account, accounts, chainId, connection }, index) => ({
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
 * The accounts that the connected wallets share, of one namespace or all, in the wallets' own order.
 *
 * @example const ordinals = getAccounts(latchkey, 'bip122').find(({ type }) => type === 'ordinals')
 */
export function getAccounts(latchkey: Latchkey, namespace?: Namespace): readonly SharedAccount[] {
  return namespacesOf(latchkey, namespace).flatMap((each) =>
    walletsOf(latchkey, each).flatMap(({ connectorId, account: selected, accounts, connection }, index) =>
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

/**
 * Makes another of the standing wallets the primary one of its namespace, with one of its accounts when that is given.
 * No wallet is asked, and the other namespaces stay as they are. The namespace is the active one when left out.
 *
 * @throws LatchkeyError `account/not-found` when the wallet does not stand there, or does not share the account;
 *   `namespace/missing` when there is none.
 * @example switchConnection(latchkey, { namespace: 'eip155', connectorId: 'io.example.wallet' })
 */
export function switchConnection(
  latchkey: Latchkey,
  {
    namespace = latchkey.wallet.getState().active,
    connectorId,
    account,
  }: { namespace?: Namespace; connectorId: string; account?: AccountId },
): void {
  if (namespace === undefined) throw coreError('namespace/missing', { what: 'switch the connection' })
  const wallets = walletsOf(latchkey, namespace)
  const wanted = wallets.find((wallet) => wallet.connectorId === connectorId)
  if (wanted === undefined) throw coreError('account/not-found', { account: connectorId })
  const chosen = account === undefined ? undefined : sharedBy(wanted, account)
  if (account !== undefined && chosen === undefined) throw coreError('account/not-found', { account })
  const [before] = wallets
  putFirst(latchkey, namespace, [connectorId])
  if (chosen !== undefined)
    dispatch(latchkey, namespace, { type: 'account', connection: wanted.connection, account: chosen })
  tellSwitch(latchkey, namespace, before)
}

/**
 * Uses another of the accounts that the connected wallets share; its wallet becomes the primary one of its namespace.
 * No wallet is asked.
 *
 * @throws LatchkeyError `account/not-found`.
 * @example switchAccount(latchkey, account)
 */
export function switchAccount(latchkey: Latchkey, account: AccountId): void {
  const { namespace } = parseAccountId(account)
  const wallet = walletsOf(latchkey, namespace).find((each) => sharedBy(each, account) !== undefined)
  if (wallet === undefined) throw coreError('account/not-found', { account })
  switchConnection(latchkey, { namespace, connectorId: wallet.connectorId, account })
}

/** The account as its wallet has it now: on the chain that the wallet is on. */
function sharedBy({ accounts }: Connected, account: AccountId): AccountId | undefined {
  return accounts.find((each) => isSameAddress(each, account))
}

function tellSwitch(latchkey: Latchkey, namespace: Namespace, before: Connected | undefined): void {
  remember(latchkey, namespace)
  const [after] = walletsOf(latchkey, namespace)
  if (after === undefined || after === before) return
  if (after.chainId !== before?.chainId) latchkey.events.emit({ type: 'network', chainId: after.chainId })
  if (after.account !== before?.account || after.connection !== before.connection) tellAccount(latchkey, namespace)
  void guardNetwork(latchkey)
}

function namespacesOf(latchkey: Latchkey, namespace: Namespace | undefined): readonly Namespace[] {
  return latchkey.adapters.map((adapter) => adapter.namespace).filter((each) => each === (namespace ?? each))
}
