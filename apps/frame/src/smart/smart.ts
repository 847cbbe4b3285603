import type { FrameAccount, FrameAccountType, FrameRpcRequest } from '@latchkey/protocol'
import type { ApprovalContext, CheckedRequest, Reader } from '../approve/approval.ts'
import { isAddress } from '../approve/evm/parseQuantity.ts'
import type { Chain } from '../chain/chain.ts'
import { loadOnce } from '../chain/loadOnce.ts'
import { rpcErrors, RpcError } from '../chain/rpcError.ts'
import type { FrameConfig, FrameNetwork } from '../frameConfig.ts'
import type { WalletAccount } from '../services/shareStore.ts'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import type { HolderStore } from '../worker/storage/holderStore.ts'
import { createAccountTypeChoices, type AccountTypeChoices } from './accountTypeChoices.ts'
import type { OwnPermission } from './permissions/listOwnPermissions.ts'
import type { SmartWallet } from './smartWallet.ts'

export type SmartDependencies = {
  readonly config: Pick<FrameConfig, 'networks' | 'server'>
  readonly projectId: string
  readonly chain: Chain
  readonly holder: Pick<KeyHolder, 'sign' | 'sealPermissionOrigin' | 'openPermissionOrigins'>
  /** A separate database: `openHolderStore('latchkey-smart')`. */
  readonly store: HolderStore
  /** Returns the logged-in user, as far as the page may know. */
  user(): Promise<HolderUser | undefined>
  /** Asks the user whether the page may use another account. */
  confirmSwitch(who: SwitchFacts, signal?: AbortSignal): Promise<boolean>
  /** Milliseconds since the epoch. */
  now(): number
}

export type SwitchFacts = { readonly origin: string; readonly type: FrameAccountType; readonly address: string }

/** User, network and page of a request. */
export type AccountContext = { readonly user: HolderUser; readonly network: FrameNetwork; readonly origin: string }

/** A user's accounts on a network, as a page sees them. */
export type PageAccounts = {
  readonly address: string
  readonly accounts?: readonly FrameAccount[]
  readonly preferredAccountType?: FrameAccountType
  readonly smartAccountDeployed?: boolean
}

/** Smart accounts of the wallet. Their library loads on first use. */
export type Smart = {
  /** Chain ids of the networks with smart accounts. */
  readonly networks: readonly number[]
  /** Loads what `describeAccounts` needs. */
  warmUp(): void
  /** @param wish account type that the page prefers. It counts for the first response only. */
  describeAccounts(where: AccountContext, preference?: FrameAccountType): Promise<PageAccounts>
  /** Returns the accounts that the page may use on the network. For eip155 only those of its type. */
  accounts(where: AccountContext): Promise<readonly WalletAccount[]>
  /**
   * Switches the page's account type after the user agreed.
   *
   * @throws RpcError 4001 if the user declined; 4200 if the network has no smart accounts
   */
  prefer(
    where: AccountContext,
    type: FrameAccountType,
    signal?: AbortSignal,
  ): Promise<{ type: FrameAccountType; address: string }>
  /** @throws RpcError 4200 if the network has no smart accounts */
  init(where: Omit<AccountContext, 'origin'>): Promise<{ address: string; isDeployed: boolean }>
  /**
   * Responds to requests that need no approval: reads, and calls that a permission allows.
   *
   * @returns `undefined` for all other requests
   * @throws RpcError
   */
  respond(request: FrameRpcRequest, context: ApprovalContext): Promise<{ readonly value: unknown } | undefined>
  /**
   * Lists the permissions of all pages that the network enforces.
   *
   * @throws RpcError -32603 if the registry or a network can't be reached
   */
  ownPermissions(): Promise<readonly OwnPermission[]>
  /** Readers for `createApprovals`. */
  readonly readers: Readonly<Record<string, Reader>>
}

const reads: readonly string[] = [
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'wallet_getSupportedExecutionPermissions',
  'wallet_getGrantedExecutionPermissions',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_supportedEntryPoints',
]
const readerNames: readonly string[] = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'eth_sendUserOperation',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'wallet_requestExecutionPermissions',
  'wallet_revokeExecutionPermission',
]

/**
 * Creates the frame's access to smart accounts.
 *
 * @example const smart = createSmart({ config, projectId, chain, holder, store: openHolderStore('latchkey-smart'),
 *   user, confirmSwitch, now })
 */
export function createSmart(dependencies: SmartDependencies): Smart {
  const { config, chain, store } = dependencies
  const choices = createAccountTypeChoices(store)
  const load = loadOnce(async (): Promise<SmartWallet> => {
    const { createSmartWallet } = await import('./smartWallet.ts')
    return createSmartWallet({ ...dependencies, owner: async () => ownerOf(await dependencies.user()) })
  })
  const readers = readerNames.map((name): [string, Reader] => [
    name,
    async (checked, reading) =>
      (await usesSmartAccount(dependencies, checked)) ? (await load()).readers[name]?.(checked, reading) : undefined,
  ])

  return {
    networks: config.networks.flatMap(({ smartAccounts, chainId }) =>
      smartAccounts === undefined ? [] : [Number(chainId.slice(chainId.indexOf(':') + 1))],
    ),
    warmUp() {
      if (config.networks.some(({ smartAccounts }) => smartAccounts !== undefined)) {
        loadAddresses().catch(() => undefined)
      }
    },
    describeAccounts: (where, preference) => describeAccounts(chain, choices, where, preference),
    async accounts(where) {
      const { user, network, origin } = where
      const own = await accountsOn(user, network)
      if (own === undefined) return user.accounts
      const type = await choices.getForPage(user.id, origin)
      const address = own[type === 'eoa' ? 1 : 0].address
      return user.accounts.map((each) => (each.namespace === family ? { ...each, address } : each))
    },
    prefer: (where, type, signal) => switchAccountType(dependencies, choices, where, { type, signal }),
    async init({ user, network }) {
      const [own] = (await accountsOn(user, network)) ?? []
      if (own === undefined) throw rpcErrors.unsupported('smart accounts on this network')
      return { address: own.address, isDeployed: (await isDeployed(chain, network, own.address)) === true }
    },
    async respond(request, context) {
      if (reads.includes(request.method)) return { value: await (await load()).read(request, context) }
      if (request.method !== 'wallet_sendCalls') return undefined
      return (await load()).byPermission(request, context)
    },
    ownPermissions: async () => (await load()).ownPermissions(),
    readers: Object.fromEntries(readers),
  }
}

const family = 'eip155'

async function describeAccounts(
  chain: Chain,
  choices: AccountTypeChoices,
  { user, network, origin }: AccountContext,
  preference?: FrameAccountType,
): Promise<PageAccounts> {
  const own = await accountsOn(user, network)
  if (own === undefined) return { address: namespaceAddress(user, network) }
  const [preferredAccountType, smartAccountDeployed] = await Promise.all([
    choices.getForPage(user.id, origin, preference),
    isDeployed(chain, network, own[0].address),
  ])
  const [first] = own.filter(({ type }) => type === preferredAccountType)
  return { address: (first ?? own[0]).address, accounts: own, preferredAccountType, smartAccountDeployed }
}

async function switchAccountType(
  { confirmSwitch }: SmartDependencies,
  choices: AccountTypeChoices,
  { user, network, origin }: AccountContext,
  { type, signal }: { type: FrameAccountType; signal: AbortSignal | undefined },
): Promise<{ type: FrameAccountType; address: string }> {
  const own = await accountsOn(user, network)
  if (own === undefined) {
    if (type === 'eoa') return { type, address: namespaceAddress(user, network) }
    throw rpcErrors.unsupported('smart accounts on this network')
  }
  const { address } = own[type === 'eoa' ? 1 : 0]
  if ((await choices.getForPage(user.id, origin, undefined)) !== type) {
    if (!(await confirmSwitch({ origin, type, address }, signal))) throw rpcErrors.rejected()
    await choices.choose(user.id, origin, type)
  }
  return { type, address }
}

function ownerOf(user: HolderUser | undefined): string | undefined {
  return user?.accounts.find(({ namespace }) => namespace === family)?.address
}

/** A separate chunk, because networks without smart accounts don't need it. */
const loadAddresses = (): Promise<typeof import('./smartAddress.ts')> => import('./smartAddress.ts')

/** Returns the smart account and the key's own account, or `undefined` if the network has no smart accounts. */
async function accountsOn(
  user: HolderUser | undefined,
  { chainId, smartAccounts }: FrameNetwork,
): Promise<readonly [FrameAccount, FrameAccount] | undefined> {
  const owner = ownerOf(user)
  if (smartAccounts === undefined || !chainId.startsWith(`${family}:`) || !isAddress(owner)) return undefined
  const { smartAddress } = await loadAddresses()
  return [
    { type: 'smartAccount', address: smartAddress(owner, smartAccounts.factory) },
    { type: 'eoa', address: owner },
  ]
}

/**
 * True if the page uses a smart account on the request's network. Otherwise the library stays unloaded.
 *
 * @throws RpcError 4200 for typed data that would be an operation of a smart account, no matter which account signs
 */
async function usesSmartAccount(
  { config, user }: SmartDependencies,
  { method, network, accounts, params }: CheckedRequest,
): Promise<boolean> {
  const pageSession = await user()
  const [own] = (await accountsOn(pageSession, network)) ?? []
  if (accounts.some(({ address }) => address.toLowerCase() === own?.address.toLowerCase())) return true
  if (method !== 'eth_signTypedData_v4') return false
  const { refuseOwnData } = await import('./refuseOwnData.ts')
  const all = await Promise.all(config.networks.map((each) => accountsOn(pageSession, each)))
  refuseOwnData(
    Array.isArray(params) ? params[1] : undefined,
    all.flatMap((pair) => (pair === undefined ? [] : [pair[0].address])),
  )
  return false
}

function namespaceAddress({ accounts }: HolderUser, { chainId }: FrameNetwork): string {
  const account = accounts.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
  if (account === undefined) throw rpcErrors.unknownNetwork(chainId)
  return account.address
}

/** Returns `undefined` if the network doesn't respond. A login doesn't fail for that. */
async function isDeployed(chain: Chain, { chainId }: FrameNetwork, address: string): Promise<boolean | undefined> {
  try {
    const code = await chain.request(chainId, 'eth_getCode', [address, 'latest'], { timeoutMs: 3_000 })
    return typeof code === 'string' && code.length > 2
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
