import type { Hex } from 'viem'
import type { BatchKind } from './batches.ts'
import { createChainList, hexChainId } from './chainList.ts'
import { createFaults, fail, needsApproval, type Fault, type Faults } from '../faults.ts'
import { completeInfo, type ProviderInfo } from '../page/info.ts'
import { createMethods } from './methods.ts'
import { createEventHub } from '../page/createEventHub.ts'
import { createOwner, createOwnerControls } from '../page/owner.ts'
import { createPermission, type Permission } from './permission.ts'
import { RpcError } from '../rpcError.ts'

export type SimulatedExtensionOptions = {
  /** The first key is selected. */
  privateKeys: readonly [Hex, ...Hex[]]
  /** The RPC endpoint of each chain, by chain id. */
  rpcUrls: Readonly<Record<number, string>>
  /** The initial chain. */
  chainId: number
  /** Chains that the wallet does not know until a page adds them. */
  unknownChains?: readonly number[]
  /** True if the wallet switches to a chain after adding it, as many wallets do. Default: true. */
  switchesToAdded?: boolean
  info?: Partial<ProviderInfo>
  /** The initial faults, by method, `approvals` or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** True if the page already has permission. */
  permitted?: boolean
  /** The execution of call batches (EIP-5792). Default: not supported. */
  batches?: BatchKind
  /** The tokens by chain that the wallet lists as assets (EIP-7811). Default: not supported. */
  tokens?: Readonly<Record<number, readonly Hex[]>>
  /** The delay before each response, in milliseconds. */
  delay?: number
}

const silence: Fault = { kind: 'silence' }

export type WalletRequest = { method: string; params: unknown }

type EventName = 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect'
type EventListener = (event: EventName, value: unknown) => void

/** An EVM wallet with real keys. It approves requests immediately by default. */
export type SimulatedExtension = {
  readonly info: ProviderInfo
  readonly faults: Faults
  /** All requests, oldest first. */
  readonly requests: readonly WalletRequest[]
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Subscribes to the EIP-1193 events. Returns a function that ends the subscription. */
  subscribe(listener: EventListener): () => void
  /** From now on, approval requests wait for `approve` or `decline`. */
  hold(): void
  /** Approves the pending request, or the next one. */
  approve(): void
  /** Declines the pending request, or the next one. */
  decline(): void
  /** Declines the next request that needs approval. */
  rejectNext(): void
  /** The next approval request stays pending forever. */
  neverRespondNext(): void
  /** Selects other keys. */
  setAccounts(privateKeys: readonly Hex[]): void
  /** Chooses these accounts at the next permission request (EIP-2255). */
  chooseAccountsNext(privateKeys: readonly Hex[]): void
  /** Switches to any chain, even one that the app does not know. */
  setChain(chainId: number): void
  /** Revokes the page's permission. */
  revoke(): void
  /** Hides all accounts until the wallet is unlocked. Connection requests wait for that. */
  lock(): void
  unlock(): void
  /** Disconnects the wallet. It stops responding. */
  uninstall(): void
  /** Disconnects the wallet during the next approval request. */
  vanishNext(): void
}

/**
 * Creates a simulated extension: a working EIP-1193 wallet that signs and sends with real keys.
 *
 * @example
 * const wallet = createSimulatedExtension({ privateKeys: [key], rpcUrls: { 31337: rpcUrl }, chainId: 31337 })
 * announce(wallet, window)
 */
export function createSimulatedExtension(options: SimulatedExtensionOptions): SimulatedExtension {
  const events = createEventHub<EventName>()
  const requests: WalletRequest[] = []
  const faults = createFaults(options.faults)
  const owner = createOwner()
  const chains = createChainList(options.rpcUrls, options.chainId, options.unknownChains)
  const page = createPermission({ permitted: options.permitted ?? false, privateKeys: options.privateKeys })
  const { switchesToAdded = true, batches, tokens } = options
  const handle = createMethods({ chains, page, switchesToAdded, batches, tokens, emitChain, change })
  let presence: 'here' | 'going' | 'gone' = 'here'

  function emitChain(moved: boolean): void {
    if (moved) events.emit('chainChanged', hexChainId(chains.current().id))
  }

  /** Notifies pages of account changes only while they have permission, and when they lose it. */
  function change(what: () => void): void {
    const before = page.addresses()
    what()
    const after = page.addresses()
    if (before.join() !== after.join()) events.emit('accountsChanged', after)
  }

  function uninstall(): void {
    presence = 'gone'
    events.emit('disconnect', new RpcError(1013, 'The wallet is gone.'))
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    if (options.delay !== undefined) await pause(options.delay)
    const requiresApproval = needsApproval(method) && !(method === 'eth_requestAccounts' && page.addresses().length > 0)
    if (presence === 'going' && requiresApproval) uninstall()
    const fault = presence === 'gone' ? silence : faults.take(method)
    if (fault !== undefined) return fail(fault)
    if (requiresApproval) await owner.requestApproval()
    const response = await handle(method, params)
    return isGone() ? fail(silence) : response
  }

  /** Checked again after each wait, because the wallet may have been removed in the meantime. */
  const isGone = (): boolean => presence === 'gone'

  return {
    info: completeInfo(options.info),
    faults,
    requests,
    request,
    subscribe: events.subscribe,
    ...createOwnerControls(owner),
    rejectNext: () => faults.once('approvals', { kind: 'reject' }),
    neverRespondNext: () => faults.once('approvals', silence),
    setChain: (chainId) => emitChain(chains.goTo(chainId)),
    ...createPermissionControls(page, change),
    uninstall,
    vanishNext: () => void (presence = 'going'),
  }
}

type PermissionControls = Pick<SimulatedExtension, 'setAccounts' | 'chooseAccountsNext' | 'revoke' | 'lock' | 'unlock'>

function createPermissionControls(page: Permission, change: (what: () => void) => void): PermissionControls {
  return {
    setAccounts: (privateKeys) => change(() => page.select(privateKeys)),
    chooseAccountsNext: page.chooseNext,
    revoke: () => change(page.revoke),
    lock: () => change(page.lock),
    unlock: () => change(page.unlock),
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
