import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { completeInfo } from '../info.ts'
import type { Backend } from '../pageProvider.ts'
import { RpcError } from '../rpcError.ts'
import type { BitcoinChain, PaymentKind } from './keys.ts'
import { createBitcoinMethods, describeWallet, type BitcoinParts } from './methods.ts'
import { createBitcoinState } from './state.ts'

export type SimulatedBitcoinOptions = {
  /** Hex, 32 bytes each. Every secret has an address for payments and one for ordinals; the first is selected. */
  privateKeys: readonly [string, ...string[]]
  /** The chain the wallet begins on. */
  chain?: BitcoinChain
  /** The Esplora service of each chain. */
  sources?: { readonly [chain in BitcoinChain]?: string }
  /** What the address for payments is locked by; a witness key when left out. */
  paymentKind?: PaymentKind
  name?: string
  /** How the wallet fails from the beginning, by method or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** Whether the page was given the addresses before. */
  permitted?: boolean
}

/** What a wallet tells those who follow it. */
type BitcoinEvent = 'accountChange' | 'networkChange' | 'disconnect'

/** A Bitcoin wallet with real keys that does what it is asked at once, unless it is told otherwise. */
export type SimulatedBitcoinWallet = Backend & {
  readonly info: { name: string; icon: string; id: string }
  readonly faults: Faults
  /** All that was asked, oldest first. */
  readonly requests: ReadonlyArray<{ method: string; params: unknown }>
  /** The addresses of the selected secret on the current chain, payments first. */
  addresses(): readonly [string, string]
  hold(): void
  approve(): void
  decline(): void
  rejectNext(): void
  neverAnswerNext(): void
  /** The owner selects another secret. */
  setAccounts(privateKeys: readonly [string, ...string[]]): void
  /** The owner removes the selected account; the next one is selected, and without one the page is shut out. */
  removeAccount(): void
  setChain(chain: BitcoinChain): void
  revoke(): void
  lock(): void
  unlock(): void
  /** Nothing is answered any more. */
  vanish(): void
}

/**
 * Makes a simulated Bitcoin wallet. It takes the requests of sats-connect; {@link putSatsProvider} and its siblings show
 * it to a page in any of the three ways of such wallets.
 *
 * @example
 * const wallet = createSimulatedBitcoinWallet({ privateKeys: [key], chain: 'regtest', sources: { regtest: chain.url } })
 * registerStandardWallet(wallet, window)
 */
export function createSimulatedBitcoinWallet(options: SimulatedBitcoinOptions): SimulatedBitcoinWallet {
  const { privateKeys, chain = 'mainnet', sources, paymentKind = 'p2wpkh', permitted = false } = options
  const { name, icon, uuid } = completeInfo({ name: options.name ?? 'Simulated Bitcoin' })
  const state = createBitcoinState({ privateKeys, chain, paymentKind, permitted })
  const faults = createFaults(options.faults)
  const requests: Array<{ method: string; params: unknown }> = []
  const listeners = new Set<(event: string, value: unknown) => void>()
  const parts: BitcoinParts = {
    ...state,
    id: uuid,
    chain: () => state.chain,
    source: () => ({ url: sources?.[state.chain], chain: state.chain }),
    shutOut: () => void (state.permitted = false),
    goTo: (next) => change('networkChange', () => void (state.chain = next)),
  }
  const methods = createBitcoinMethods(parts)

  /** Pages hear of what changes only while they may see it, and when that ends. */
  function change(event: BitcoinEvent, what: () => void): void {
    const before = state.isOpen() ? JSON.stringify(describeWallet(parts)) : undefined
    what()
    const after = state.isOpen() ? JSON.stringify(describeWallet(parts)) : undefined
    if (before === undefined || before === after) return
    const told = after === undefined ? 'disconnect' : event
    for (const listener of listeners) listener(told, { type: told, ...Object(after && JSON.parse(after)) })
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    const fault: Fault | undefined = state.gone ? { kind: 'silence' } : faults.take(method)
    if (fault !== undefined) return fail(fault)
    const carryOut = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (carryOut === undefined) throw new RpcError(-32_601, `The wallet has no method ${method}.`)
    const answer = await carryOut(Object(params ?? {}) as Readonly<Record<string, unknown>>)
    return state.gone ? fail({ kind: 'silence' }) : answer
  }

  return {
    info: { name, icon, id: `SimulatedBitcoin${uuid.replaceAll('-', '')}` },
    faults,
    requests,
    request,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    addresses() {
      const [payment, ordinals] = state.keys()
      return [payment?.address ?? '', ordinals?.address ?? '']
    },
    hold: state.owner.hold,
    approve: () => state.owner.answer(true),
    decline: () => state.owner.answer(false),
    rejectNext: () => state.owner.answer(false),
    neverAnswerNext: () => void (state.silentNext = true),
    setAccounts: (keys) => change('accountChange', () => state.select(keys)),
    removeAccount: () => change('accountChange', state.removeFirst),
    setChain: parts.goTo,
    revoke: () => change('disconnect', parts.shutOut),
    lock: () => change('disconnect', state.lock),
    unlock: state.unlock,
    vanish: () => void (state.gone = true),
  }
}
