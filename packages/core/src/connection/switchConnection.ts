import { createErrors, parseAccountId, type AccountId, type Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { checkNetwork } from '../network/checkNetwork.ts'
import { listConnectedWallets } from '../state/connectedWallets.ts'
import type { Connected } from '../state/connectionState.ts'
import { dispatch } from '../state/dispatch.ts'
import { orderWallets } from '../state/secondaryWallets.ts'
import { emitAccount, isSameAddress } from './followConnection.ts'
import { saveConnections } from './saveConnections.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'namespace/missing': { what: string }
    'account/not-found': { account: string }
  }
}

const coreError = createErrors({
  'namespace/missing': ({ what }) => `Chain is required to ${what}: pass a namespace.`,
  'account/not-found': ({ account }) =>
    `No connected wallet shares "${account}". Choose a shared account, or share this one in the wallet first.`,
})

/**
 * Makes another connected wallet the primary one of its namespace, optionally with one of its accounts. No wallet is
 * contacted, and other namespaces do not change. The namespace defaults to the active one.
 *
 * @throws LatchkeyError `account/not-found` if the wallet is not connected there or does not share the account;
 * `namespace/missing` if there is no namespace
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
  const wallets = listConnectedWallets(latchkey, namespace)
  const wanted = wallets.find((wallet) => wallet.connectorId === connectorId)
  if (wanted === undefined) throw coreError('account/not-found', { account: connectorId })
  const chosen = account === undefined ? undefined : findSharedAccount(wanted, account)
  if (account !== undefined && chosen === undefined) throw coreError('account/not-found', { account })
  const [before] = wallets
  orderWallets(latchkey, namespace, [connectorId])
  if (chosen !== undefined)
    dispatch(latchkey, namespace, { type: 'account', connection: wanted.connection, account: chosen })
  emitSwitch(latchkey, namespace, before)
}

/**
 * Selects another account of the connected wallets. Its wallet becomes the primary one of its namespace. No wallet is
 * contacted.
 *
 * @throws LatchkeyError `account/not-found`.
 * @example switchAccount(latchkey, account)
 */
export function switchAccount(latchkey: Latchkey, account: AccountId): void {
  const { namespace } = parseAccountId(account)
  const { connectorId } = requireWalletOf(latchkey, account)
  switchConnection(latchkey, { namespace, connectorId, account })
}

/**
 * Returns the connected wallet that shares an account. The chain of the account id does not matter.
 *
 * @returns the wallet, with the account on its current chain as `account`
 * @throws LatchkeyError `account/not-found`
 * @example const { connection } = requireWalletOf(latchkey, account)
 */
export function requireWalletOf(latchkey: Pick<Latchkey, 'wallet'>, account: AccountId): Connected {
  for (const wallet of listConnectedWallets(latchkey, parseAccountId(account).namespace)) {
    const shared = findSharedAccount(wallet, account)
    if (shared !== undefined) return { ...wallet, account: shared }
  }
  throw coreError('account/not-found', { account })
}

/** Returns the account on the current chain of its wallet. */
function findSharedAccount({ accounts }: Connected, account: AccountId): AccountId | undefined {
  return accounts.find((each) => isSameAddress(each, account))
}

function emitSwitch(latchkey: Latchkey, namespace: Namespace, before: Connected | undefined): void {
  saveConnections(latchkey, namespace)
  const [after] = listConnectedWallets(latchkey, namespace)
  if (after === undefined || after === before) return
  if (after.chainId !== before?.chainId) latchkey.events.emit({ type: 'network', chainId: after.chainId })
  if (after.account !== before?.account || after.connection !== before.connection) emitAccount(latchkey, namespace)
  checkNetwork(latchkey)
}
