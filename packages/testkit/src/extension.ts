import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { askChain, isRecord } from './chainRpc.ts'
import { createFaults, fail, type Fault, type Faults } from './faults.ts'
import { completeInfo, type ProviderInfo } from './info.ts'
import { RpcError } from './rpcError.ts'
import { signWith } from './signing.ts'

export type SimulatedExtensionOptions = {
  /** The first is selected. */
  privateKeys: readonly [Hex, ...Hex[]]
  /** The RPC endpoint of each chain, by its number. */
  rpcUrls: Readonly<Record<number, string>>
  /** The chain the wallet begins on. */
  chainId: number
  /** Chains the wallet does not know until it is told to add them. */
  unknownChains?: readonly number[]
  info?: Partial<ProviderInfo>
  /** How the wallet fails from the beginning, by method, `approvals` or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** Whether the page was given the accounts before. */
  permitted?: boolean
}

export type WalletRequest = { method: string; params: unknown }

type EventName = 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect'
type EventListener = (event: EventName, value: unknown) => void

/** A wallet with real keys that does what it is asked at once, unless a fault is set. */
export type SimulatedExtension = {
  readonly info: ProviderInfo
  readonly faults: Faults
  /** All that was asked, oldest first. */
  readonly requests: readonly WalletRequest[]
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Follows the events of EIP-1193; returns what stops it. */
  subscribe(listener: EventListener): () => void
  /** The owner declines the next thing he is asked. */
  rejectNext(): void
  /** The next thing asked of the owner is never answered. */
  neverAnswerNext(): void
  /** The owner selects other keys. */
  setAccounts(privateKeys: readonly Hex[]): void
  /** The owner goes to another chain, known to the app or not. */
  setChain(chainId: number): void
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
  const unknown = new Set(options.unknownChains)
  let accounts = options.privateKeys.map((key) => privateKeyToAccount(key))
  let chainId = options.chainId
  let permitted = options.permitted ?? false
  let vanishing = false
  let gone = false

  const emit = (event: EventName, value: unknown): void => {
    for (const listener of listeners) listener(event, value)
  }
  const addresses = (): readonly string[] => (permitted ? accounts.map(({ address }) => address) : [])

  function goTo(next: number): null {
    if (next === chainId) return null
    chainId = next
    emit('chainChanged', hex(next))
    return null
  }

  function switchChain(next: number): null {
    if (unknown.has(next) || options.rpcUrls[next] === undefined) {
      throw new RpcError(4902, `Unrecognized chain ID "${hex(next)}". Try adding the chain first.`)
    }
    return goTo(next)
  }

  const own: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts() {
      permitted = true
      return addresses()
    },
    eth_accounts: addresses,
    eth_chainId: () => hex(chainId),
    net_version: () => String(chainId),
    wallet_switchEthereumChain: ([param]) => switchChain(readChainId(param)),
    wallet_addEthereumChain([param]) {
      const added = readChainId(param)
      if (options.rpcUrls[added] === undefined) throw new RpcError(-32602, 'The RPC endpoint does not answer')
      unknown.delete(added)
      return goTo(added)
    },
    wallet_revokePermissions() {
      permitted = false
      emit('accountsChanged', [])
      return null
    },
  }

  function vanish(): void {
    gone = true
    emit('disconnect', new RpcError(1013, 'The wallet is gone.'))
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    if (gone) return new Promise<never>(() => {})
    const fault = faults.take(method)
    if (fault !== undefined) return fail(fault)
    const list = Array.isArray(params) ? params : []
    const handle = own[method]
    if (handle !== undefined) return handle(list)
    const rpcUrl = options.rpcUrls[chainId]
    if (!isSigning(method)) return askChain(rpcUrl ?? '', method, params)
    if (vanishing) {
      vanish()
      return new Promise<never>(() => {})
    }
    const [account] = accounts
    if (!permitted || account === undefined) throw new RpcError(4100, 'The page has no permission.')
    if (rpcUrl === undefined) throw new RpcError(4901, 'The wallet is not connected to this chain.')
    return signWith(account, { id: chainId, rpcUrl }, method, list)
  }

  return {
    info: completeInfo(options.info),
    faults,
    requests,
    request,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    rejectNext: () => faults.once('approvals', { kind: 'reject' }),
    neverAnswerNext: () => faults.once('approvals', { kind: 'silence' }),
    setAccounts(privateKeys) {
      accounts = privateKeys.map((key) => privateKeyToAccount(key))
      emit('accountsChanged', addresses())
    },
    setChain: (next) => void goTo(next),
    vanish,
    vanishNext: () => void (vanishing = true),
  }
}

function isSigning(method: string): boolean {
  return /^(personal_sign|eth_sign|eth_signTypedData(_v\d)?|eth_sendTransaction|wallet_\w+)$/.test(method)
}

function hex(chainId: number): Hex {
  return `0x${chainId.toString(16)}`
}

function readChainId(param: unknown): number {
  const chainId = isRecord(param) ? Number(param['chainId']) : Number.NaN
  if (Number.isSafeInteger(chainId) && chainId > 0) return chainId
  throw new RpcError(-32602, 'Expected a chainId in hexadecimal')
}
