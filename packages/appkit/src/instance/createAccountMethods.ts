import { getAccount, getAccounts, getBalance, type Balance, type Connector, type LoginUser } from '@latchkey/core'
import { connectedWallet, internalsOf } from '@latchkey/core/internal'
import { formatAccountId, parseAccountId, type AccountId, type Namespace } from '@latchkey/protocol'
import type { AppKitContext } from './appKitContext.ts'

/** One account that a wallet shares. */
export type AppKitSharedAccount = {
  readonly namespace: Namespace
  readonly address: string
  readonly type: string
  readonly publicKey?: string
  readonly path?: string
}

/** The login of an embedded wallet. */
export type EmbeddedWalletInfo = {
  readonly user: LoginUser
  readonly authProvider: string
  readonly accountType: string
  /** Always undefined: a smart account is deployed with its first transaction. */
  readonly isSmartAccountDeployed: undefined
}

export type AppKitAccount = {
  readonly allAccounts: readonly AppKitSharedAccount[]
  readonly caipAddress: AccountId | undefined
  readonly address: string | undefined
  readonly isConnected: boolean
  readonly status: 'connected' | 'connecting' | 'disconnected' | 'reconnecting'
  readonly embeddedWalletInfo?: EmbeddedWalletInfo
}

/** The connected wallet. */
export type AppKitWalletInfo = {
  readonly name: string
  readonly icon?: string
  readonly type: WalletProviderType
  readonly rdns?: string
}

/** The kind of a connection, as AppKit names it. */
export type WalletProviderType = 'ANNOUNCED' | 'INJECTED' | 'WALLET_CONNECT' | 'EXTERNAL' | 'AUTH'

export type AccountMethods = {
  /** Returns the account of a namespace; of the active one if omitted. */
  getAccount(namespace?: Namespace): AppKitAccount
  getAddress(namespace?: Namespace): string | undefined
  getCaipAddress(namespace?: Namespace): AccountId | undefined
  getIsConnectedState(): boolean
  subscribeAccount(callback: (account: AppKitAccount) => void, namespace?: Namespace): () => void
  subscribeShouldUpdateToAddress(callback: (address: string | undefined) => void): () => void
  getWalletInfo(namespace?: Namespace): AppKitWalletInfo | undefined
  subscribeWalletInfo(callback: (info: AppKitWalletInfo | undefined) => void, namespace?: Namespace): () => void
  /** Returns the provider of a namespace: EIP-1193 in eip155. */
  getProvider<provider>(namespace: Namespace): provider | undefined
  getProviderType(namespace: Namespace): WalletProviderType | undefined
  /** Returns the provider of the active namespace. */
  getWalletProvider(): unknown
  getWalletProviderType(): WalletProviderType | undefined
  subscribeProviders(callback: (providers: { readonly [namespace in Namespace]?: unknown }) => void): () => void
  getPreferredAccountType(namespace: Namespace): string | undefined
  /** Reads the native balance of the active account from its chain again. */
  updateNativeBalance(): Promise<Balance>
}

/** Creates the methods that read the account and its wallet. */
export function createAccountMethods(context: AppKitContext): AccountMethods {
  const { latchkey } = context
  const activeNamespace = (): Namespace | undefined => latchkey.wallet.getState().active
  const providers = new WeakMap<object, unknown>()

  function getProvider(namespace: Namespace): unknown {
    const connection = connectedWallet(latchkey.wallet.getState().namespaces[namespace])?.connection
    if (connection === undefined) return undefined
    const adapter = context.adapters.find((each) => each.namespace === namespace)
    if (adapter?.createProvider === undefined) return connection.provider
    if (!providers.has(connection)) providers.set(connection, adapter.createProvider({ latchkey, connection }))
    return providers.get(connection)
  }

  const accountOf = (namespace?: Namespace): AppKitAccount => readAccount(context, namespace)
  const infoOf = (namespace?: Namespace): AppKitWalletInfo | undefined => readWalletInfo(context, namespace)
  const typeOf = (namespace = activeNamespace()): WalletProviderType | undefined => infoOf(namespace)?.type
  return {
    getAccount: accountOf,
    getAddress: (namespace) => accountOf(namespace).address,
    getCaipAddress: (namespace) => accountOf(namespace).caipAddress,
    getIsConnectedState: () => latchkey.adapters.some(({ namespace }) => accountOf(namespace).isConnected),
    subscribeAccount: (callback, namespace) => latchkey.wallet.subscribe(() => callback(accountOf(namespace))),
    subscribeShouldUpdateToAddress: (callback) => latchkey.wallet.subscribe(() => callback(accountOf().address)),
    getWalletInfo: infoOf,
    subscribeWalletInfo: (callback, namespace) => latchkey.wallet.subscribe(() => callback(infoOf(namespace))),
    // The app states the type, as with AppKit.
    getProvider: <provider>(namespace: Namespace) => getProvider(namespace) as provider | undefined,
    getProviderType: typeOf,
    getWalletProvider() {
      const namespace = activeNamespace()
      return namespace === undefined ? undefined : getProvider(namespace)
    },
    getWalletProviderType: typeOf,
    subscribeProviders: (callback) =>
      latchkey.wallet.subscribe(() =>
        callback(Object.fromEntries(latchkey.adapters.map(({ namespace }) => [namespace, getProvider(namespace)]))),
      ),
    getPreferredAccountType: (namespace) => internalsOf(latchkey).settings.accountTypes[namespace],
    updateNativeBalance: () => getBalance(latchkey, { fresh: true }),
  }
}

/** Reads the account of a namespace; of the active one if omitted. */
export function readAccount(
  { latchkey, adapters }: Pick<AppKitContext, 'latchkey' | 'adapters'>,
  wanted?: Namespace,
): AppKitAccount {
  const namespace = wanted ?? latchkey.wallet.getState().active
  const isKnown = latchkey.adapters.some((adapter) => adapter.namespace === namespace)
  const account = isKnown ? getAccount(latchkey, namespace) : ({ status: 'disconnected' } as const)
  const shared = isKnown ? getAccounts(latchkey, namespace) : []
  const format = (address: string): string =>
    adapters.find((adapter) => adapter.namespace === namespace)?.formatAddress?.(address) ?? address
  const address = 'account' in account ? format(account.address) : undefined
  const caipAddress =
    'account' in account
      ? formatAccountId({ ...parseAccountId(account.account), address: format(account.address) })
      : undefined
  const login = 'connectorId' in account ? findConnector({ latchkey }, account.connectorId)?.login : undefined
  const { user, accountType } = login?.state.get() ?? {}
  return {
    allAccounts: shared.map(({ namespace, address, type = 'eoa', publicKey, path }) => {
      return { namespace, address: format(address), type, ...(publicKey && { publicKey }), ...(path && { path }) }
    }),
    caipAddress,
    address,
    isConnected: address !== undefined,
    status: account.status,
    ...(user !== undefined && {
      embeddedWalletInfo: {
        user,
        authProvider: user.social ?? 'email',
        accountType: accountType ?? 'eoa',
        isSmartAccountDeployed: undefined,
      },
    }),
  }
}

/** Reads the wallet of a namespace; of the active one if omitted. */
export function readWalletInfo(
  { latchkey }: Pick<AppKitContext, 'latchkey'>,
  namespace?: Namespace,
): AppKitWalletInfo | undefined {
  const about = namespace ?? latchkey.wallet.getState().active
  const connected = about === undefined ? undefined : connectedWallet(latchkey.wallet.getState().namespaces[about])
  if (connected === undefined) return undefined
  const connector = findConnector({ latchkey }, connected.connectorId)
  const { name, icon } = connected.connection.wallet
  return { name, icon, type: toProviderType(connector), rdns: connector?.rdns }
}

function toProviderType(connector: Connector | undefined): WalletProviderType {
  switch (connector?.type) {
    case 'walletConnect':
      return 'WALLET_CONNECT'
    case 'embedded':
      return 'AUTH'
    case 'injected':
      return connector.rdns === undefined ? 'INJECTED' : 'ANNOUNCED'
    default:
      return 'EXTERNAL'
  }
}

function findConnector({ latchkey }: Pick<AppKitContext, 'latchkey'>, id: string): Connector | undefined {
  return latchkey.connectors.getState().find((connector) => connector.id === id)
}
