import type { Hex } from 'viem'
import type { BatchKind } from './batches.ts'
import { createChainList, hexChainId } from './chainList.ts'
import { createFaults, fail, needsApproval, type Fault, type Faults } from './faults.ts'
import { completeInfo, type ProviderInfo } from './info.ts'
import { createMethods } from './methods.ts'
import { createOwner } from './owner.ts'
import { createPermission } from './permission.ts'
import { RpcError } from './rpcError.ts'

export type SimulatedExtensionOptions = {
  /** The first is selected. */
  privateKeys: readonly [Hex, ...Hex[]]
  /** The RPC endpoint of each chain, by its number. */
  rpcUrls: Readonly<Record<number, string>>
  /** The chain the wallet begins on. */
  chainId: number
  /** Chains the wallet does not know until it is told to add them. */
  unknownChains?: readonly number[]
  /** Whether it goes to a chain that it was just told to add, as many wallets do; true when left out. */
  switchesToAdded?: boolean
  info?: Partial<ProviderInfo>
  /** How the wallet fails from the beginning, by method, `approvals` or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** Whether the page was given the accounts before. */
  permitted?: boolean
  /** How it carries batches of calls out (EIP-5792); left out when it takes none. */
  batches?: BatchKind
  /** The tokens that it knows of, by chain, when it tells an account's assets (EIP-7811). */
  tokens?: Readonly<Record<number, readonly Hex[]>>
  /** Milliseconds before it does anything. */
  delay?: number
}

const silence: Fault = { kind: 'silence' }

export type WalletRequest = { method: string; params: unknown }

type EventName = 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect'
type EventListener = (event: EventName, value: unknown) => void

/** A wallet with real keys that does what it is asked at once, unless it is told otherwise. */
export type SimulatedExtension = {
  readonly info: ProviderInfo
  readonly faults: Faults
  /** All that was asked, oldest first. */
  readonly requests: readonly WalletRequest[]
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Follows the events of EIP-1193; returns what stops it. */
  subscribe(listener: EventListener): () => void
  /** The owner takes his time: all that he is asked from now on waits for `approve` or `decline`. */
  hold(): void
  /** The owner says yes to what waits, or to the next thing. */
  approve(): void
  /** The owner says no to what waits, or to the next thing. */
  decline(): void
  /** The owner declines the next thing he is asked. */
  rejectNext(): void
  /** The next thing asked of the owner is never answered. */
  neverAnswerNext(): void
  /** The owner selects other keys. */
  setAccounts(privateKeys: readonly Hex[]): void
  /** When he is next asked which accounts the page may see (EIP-2255), the owner chooses these. */
  chooseAccountsNext(privateKeys: readonly Hex[]): void
  /** The owner goes to another chain, known to the app or not. */
  setChain(chainId: number): void
  /** The owner takes the page's permission back. */
  revoke(): void
  /** The wallet shows no account until it is unlocked; who asks to connect waits for that. */
  lock(): void
  unlock(): void
  /** The wallet loses its connection: nothing is answered any more. */
  vanish(): void
  /** The wallet vanishes in the middle of the next thing its owner is asked. */
  vanishNext(): void
}

/**
 * Makes a simulated extension: a working EIP-1193 wallet with real keys that signs and sends for real.
 *
 * @example
 * const wallet = createSimulatedExtension({ privateKeys: [key], rpcUrls: { 31337: rpcUrl }, chainId: 31337 })
 * announce(wallet, window)
 */
export function createSimulatedExtension(options: SimulatedExtensionOptions): SimulatedExtension {
  const listeners = new Set<EventListener>()
  const requests: WalletRequest[] = []
  const faults = createFaults(options.faults)
  const owner = createOwner()
  const chains = createChainList(options.rpcUrls, options.chainId, options.unknownChains)
  const page = createPermission({ permitted: options.permitted ?? false, privateKeys: options.privateKeys })
  const { switchesToAdded = true, batches, tokens } = options
  const carryOut = createMethods({ chains, page, switchesToAdded, batches, tokens, tellChain, change })
  let presence: 'here' | 'going' | 'gone' = 'here'

  function emit(event: EventName, value: unknown): void {
    for (const listener of listeners) listener(event, value)
  }

  function tellChain(moved: boolean): void {
    if (moved) emit('chainChanged', hexChainId(chains.current().id))
  }

  /** Pages hear of accounts only while they may see them, and when that ends. */
  function change(what: () => void): void {
    const before = page.addresses()
    what()
    const after = page.addresses()
    if (before.join() !== after.join()) emit('accountsChanged', after)
  }

  function vanish(): void {
    presence = 'gone'
    emit('disconnect', new RpcError(1013, 'The wallet is gone.'))
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    if (options.delay !== undefined) await pause(options.delay)
    const isQuestion = needsApproval(method) && !(method === 'eth_requestAccounts' && page.addresses().length > 0)
    if (presence === 'going' && isQuestion) vanish()
    const fault = presence === 'gone' ? silence : faults.take(method)
    if (fault !== undefined) return fail(fault)
    if (isQuestion) await owner.ask()
    const answer = await carryOut(method, params)
    return isGone() ? fail(silence) : answer
  }

  /** Asked again after waiting: meanwhile it may have vanished. */
  const isGone = (): boolean => presence === 'gone'

  return {
    info: completeInfo(options.info),
    faults,
    requests,
    request,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    hold: owner.hold,
    approve: () => owner.answer(true),
    decline: () => owner.answer(false),
    rejectNext: () => faults.once('approvals', { kind: 'reject' }),
    neverAnswerNext: () => faults.once('approvals', silence),
    setAccounts: (privateKeys) => change(() => page.select(privateKeys)),
    chooseAccountsNext: page.chooseNext,
    setChain: (chainId) => tellChain(chains.goTo(chainId)),
    revoke: () => change(page.revoke),
    lock: () => change(page.lock),
    unlock: () => change(page.unlock),
    vanish,
    vanishNext: () => void (presence = 'going'),
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
