import type { FrameAccount, FrameAccountType, FrameRpcRequest } from '@latchkey/protocol'
import type { ApprovalContext, Asked, Reader } from '../approve/approval.ts'
import { isAddress } from '../approve/evm/hex.ts'
import type { Chain } from '../chain/chain.ts'
import { lazily } from '../chain/lazily.ts'
import { refusals, RpcError } from '../chain/rpcError.ts'
import type { FrameConfig, FrameNetwork } from '../config.ts'
import type { WalletAccount } from '../services/services.ts'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import type { HolderStore } from '../worker/store.ts'
import { createChoices } from './choices.ts'
import type { SmartWallet } from './smartWallet.ts'

export type SmartParts = {
  readonly config: Pick<FrameConfig, 'networks' | 'server'>
  readonly projectId: string
  readonly chain: Chain
  readonly holder: Pick<KeyHolder, 'sign'>
  /** A database of its own: `openStore('latchkey-smart')`. */
  readonly store: HolderStore
  /** Who is logged in, as the page may know him. */
  user(): Promise<HolderUser | undefined>
  /** Has the visitor asked whether a page may act with another account from now on. */
  askSwitch(who: SwitchFacts, signal?: AbortSignal): Promise<boolean>
  /** Milliseconds since the epoch. */
  now(): number
}

export type SwitchFacts = { readonly origin: string; readonly type: FrameAccountType; readonly address: string }

/** Where something is asked from. */
export type Where = { readonly user: HolderUser; readonly network: FrameNetwork; readonly origin: string }

/** What a page is told of a user's accounts on a network. */
export type ToldAccounts = {
  readonly address: string
  readonly accounts?: readonly FrameAccount[]
  readonly preferredAccountType?: FrameAccountType
  readonly smartAccountDeployed?: boolean
}

/** Smart accounts of the wallet, as the frame's page needs them. Their library is loaded when one is used. */
export type Smart = {
  /** The numbers of the networks that have them. */
  readonly networks: readonly number[]
  /** @param wish the kind that the page prefers, heard once: what a page was told stays so */
  tell(where: Where, wish?: FrameAccountType): Promise<ToldAccounts>
  /** The accounts that the page may name on the network: of eip155 the one kind that it was told. */
  accounts(where: Where): Promise<readonly WalletAccount[]>
  /**
   * Switches the kind of account that acts for a page, after the visitor agreed to it.
   *
   * @throws RpcError 4001 when he did not; 4200 where the network has none
   */
  prefer(
    where: Where,
    type: FrameAccountType,
    signal?: AbortSignal,
  ): Promise<{ type: FrameAccountType; address: string }>
  /** @throws RpcError 4200 where the network has none */
  init(where: Omit<Where, 'origin'>): Promise<{ address: string; isDeployed: boolean }>
  /**
   * Answers what needs no visitor: reads, and calls that a permission allows.
   *
   * @returns undefined for everything else
   * @throws RpcError
   */
  answer(request: FrameRpcRequest, context: ApprovalContext): Promise<{ readonly value: unknown } | undefined>
  /** For `createApprovals`. */
  readonly readers: Readonly<Record<string, Reader>>
}

const reads: readonly string[] = [
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
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
]

/**
 * Makes the frame's side of smart accounts.
 *
 * @example const smart = createSmart({ config, projectId, chain, holder, store: openStore('latchkey-smart'), user, askSwitch, now })
 */
export function createSmart(parts: SmartParts): Smart {
  const { config, chain, store } = parts
  const choices = createChoices(store)
  const load = lazily(async (): Promise<SmartWallet> => {
    const { createSmartWallet } = await import('./smartWallet.ts')
    return createSmartWallet({ ...parts, owner: async () => ownerOf(await parts.user()) })
  })
  const readers = readerNames.map((name): [string, Reader] => [
    name,
    async (asked, reading) =>
      (await isAbout(parts, asked)) ? (await load()).readers[name]?.(asked, reading) : undefined,
  ])

  async function tell({ user, network, origin }: Where, wish?: FrameAccountType): Promise<ToldAccounts> {
    const own = await accountsOn(user, network)
    if (own === undefined) return { address: familyAddress(user, network) }
    const preferredAccountType = await choices.ofPage(user.id, origin, wish)
    const [first] = own.filter(({ type }) => type === preferredAccountType)
    return {
      address: (first ?? own[0]).address,
      accounts: own,
      preferredAccountType,
      smartAccountDeployed: await isDeployed(chain, network, own[0].address),
    }
  }

  return {
    networks: config.networks.flatMap(({ smartAccounts, chainId }) =>
      smartAccounts === undefined ? [] : [Number(chainId.slice(chainId.indexOf(':') + 1))],
    ),
    tell,
    async accounts(where) {
      const { user, network, origin } = where
      const own = await accountsOn(user, network)
      if (own === undefined) return user.accounts
      const type = await choices.ofPage(user.id, origin)
      const address = own[type === 'eoa' ? 1 : 0].address
      return user.accounts.map((each) => (each.namespace === family ? { ...each, address } : each))
    },
    async prefer({ user, network, origin }, type, signal) {
      const own = await accountsOn(user, network)
      if (own === undefined) {
        if (type === 'eoa') return { type, address: familyAddress(user, network) }
        throw refusals.unsupported('smart accounts on this network')
      }
      const { address } = own[type === 'eoa' ? 1 : 0]
      if ((await choices.ofPage(user.id, origin, undefined)) !== type) {
        if (!(await parts.askSwitch({ origin, type, address }, signal))) throw refusals.rejected()
        await choices.choose(user.id, origin, type)
      }
      return { type, address }
    },
    async init({ user, network }) {
      const [own] = (await accountsOn(user, network)) ?? []
      if (own === undefined) throw refusals.unsupported('smart accounts on this network')
      return { address: own.address, isDeployed: (await isDeployed(chain, network, own.address)) === true }
    },
    async answer(request, context) {
      if (reads.includes(request.method)) return { value: await (await load()).read(request, context) }
      if (request.method !== 'wallet_sendCalls') return undefined
      return (await load()).byPermission(request, context)
    },
    readers: Object.fromEntries(readers),
  }
}

const family = 'eip155'

function ownerOf(user: HolderUser | undefined): string | undefined {
  return user?.accounts.find(({ namespace }) => namespace === family)?.address
}

/** The smart one, then the key's own; undefined where the network has no smart accounts. */
async function accountsOn(
  user: HolderUser | undefined,
  { chainId, smartAccounts }: FrameNetwork,
): Promise<readonly [FrameAccount, FrameAccount] | undefined> {
  const owner = ownerOf(user)
  if (smartAccounts === undefined || !chainId.startsWith(`${family}:`) || !isAddress(owner)) return undefined
  const { smartAddress } = await import('./accountAddress.ts')
  return [
    { type: 'smartAccount', address: smartAddress(owner, smartAccounts.factory) },
    { type: 'eoa', address: owner },
  ]
}

/**
 * Whether a page acts with a smart account on the request's network: else nothing of it need be loaded.
 *
 * @throws RpcError 4200 for typed data that would be an operation of a smart account, whoever is asked to sign it
 */
async function isAbout({ config, user }: SmartParts, { method, network, accounts, params }: Asked): Promise<boolean> {
  const visitor = await user()
  const [own] = (await accountsOn(visitor, network)) ?? []
  if (accounts.some(({ address }) => address.toLowerCase() === own?.address.toLowerCase())) return true
  if (method !== 'eth_signTypedData_v4') return false
  const { refuseOwnData } = await import('./ownData.ts')
  const all = await Promise.all(config.networks.map((each) => accountsOn(visitor, each)))
  refuseOwnData(
    Array.isArray(params) ? params[1] : undefined,
    all.flatMap((pair) => (pair === undefined ? [] : [pair[0].address])),
  )
  return false
}

function familyAddress({ accounts }: HolderUser, { chainId }: FrameNetwork): string {
  const account = accounts.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
  if (account === undefined) throw refusals.unknownNetwork(chainId)
  return account.address
}

/** Undefined when the network does not say: a login does not fail for it. */
async function isDeployed(chain: Chain, { chainId }: FrameNetwork, address: string): Promise<boolean | undefined> {
  try {
    const code = await chain.ask(chainId, 'eth_getCode', [address, 'latest'], { patience: 3_000 })
    return typeof code === 'string' && code.length > 2
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
