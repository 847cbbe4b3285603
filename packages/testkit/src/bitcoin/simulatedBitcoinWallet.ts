import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { completeInfo } from '../page/info.ts'
import { createEventHub } from '../page/createEventHub.ts'
import { createOwnerControls } from '../page/owner.ts'
import type { Backend } from '../page/pageProvider.ts'
import { RpcError } from '../rpcError.ts'
import type { BitcoinChain, PaymentKind } from './keys.ts'
import { createBitcoinMethods, describeWallet, type BitcoinDependencies } from './methods.ts'
import { createBitcoinState } from './state.ts'

export type SimulatedBitcoinOptions = {
  /** Hex, 32 bytes each. Every secret has an address for payments and one for ordinals; the first is selected. */
  privateKeys: readonly [string, ...string[]]
  /** The initial chain. */
  chain?: BitcoinChain
  /** The Esplora service of each chain. */
  sources?: { readonly [chain in BitcoinChain]?: string }
  /** The script type of the payment address. Default: `p2wpkh`. */
  paymentKind?: PaymentKind
  name?: string
  /** The initial faults, by method or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** True if the page already has permission. */
  permitted?: boolean
}

/** The events that a wallet emits. */
type BitcoinEvent = 'accountChange' | 'networkChange' | 'disconnect'

/** A Bitcoin wallet with real keys. It approves requests immediately by default. */
export type SimulatedBitcoinWallet = Backend & {
  readonly info: { name: string; icon: string; id: string }
  readonly faults: Faults
  /** All requests, oldest first. */
  readonly requests: ReadonlyArray<{ method: string; params: unknown }>
  /** The addresses of the selected secret on the current chain, payments first. */
  addresses(): readonly [string, string]
  hold(): void
  approve(): void
  decline(): void
  rejectNext(): void
  neverRespondNext(): void
  /** The owner selects another secret. */
  setAccounts(privateKeys: readonly [string, ...string[]]): void
  /** Removes the selected account and selects the next one. Without another account, the page loses access. */
  removeAccount(): void
  setChain(chain: BitcoinChain): void
  revoke(): void
  lock(): void
  unlock(): void
  /** Stops responding to all requests. */
  uninstall(): void
}

/**
 * Creates a simulated Bitcoin wallet that handles sats-connect requests. Expose it to a page with {@link
 * putSatsProvider}, {@link putUnisatProvider} or {@link registerStandardWallet}.
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
  const events = createEventHub<string>()
  const dependencies: BitcoinDependencies = {
    ...state,
    id: uuid,
    chain: () => state.chain,
    source: () => ({ url: sources?.[state.chain], chain: state.chain }),
    shutOut: () => void (state.permitted = false),
    goTo: (next) => change('networkChange', () => void (state.chain = next)),
  }
  const methods = createBitcoinMethods(dependencies)

  /** Notifies pages only while they have permission, and when they lose it. */
  function change(event: BitcoinEvent, what: () => void): void {
    const before = state.isOpen() ? JSON.stringify(describeWallet(dependencies)) : undefined
    what()
    const after = state.isOpen() ? JSON.stringify(describeWallet(dependencies)) : undefined
    if (before === undefined || before === after) return
    const name = after === undefined ? 'disconnect' : event
    events.emit(name, { type: name, ...Object(after && JSON.parse(after)) })
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    const fault: Fault | undefined = state.gone ? { kind: 'silence' } : faults.take(method)
    if (fault !== undefined) return fail(fault)
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (handle === undefined) throw new RpcError(-32_601, `The wallet has no method ${method}.`)
    const response = await handle(Object(params ?? {}) as Readonly<Record<string, unknown>>)
    return state.gone ? fail({ kind: 'silence' }) : response
  }

  return {
    info: { name, icon, id: `SimulatedBitcoin${uuid.replaceAll('-', '')}` },
    faults,
    requests,
    request,
    subscribe: events.subscribe,
    addresses() {
      const [payment, ordinals] = state.keys()
      return [payment?.address ?? '', ordinals?.address ?? '']
    },
    ...createOwnerControls(state.owner),
    rejectNext: () => state.owner.decide(false),
    neverRespondNext: () => void (state.silentNext = true),
    setAccounts: (keys) => change('accountChange', () => state.select(keys)),
    removeAccount: () => change('accountChange', state.removeFirst),
    setChain: dependencies.goTo,
    revoke: () => change('disconnect', dependencies.shutOut),
    lock: () => change('disconnect', state.lock),
    unlock: state.unlock,
    uninstall: () => void (state.gone = true),
  }
}
