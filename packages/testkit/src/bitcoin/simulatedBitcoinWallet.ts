import { base64, hex } from '@scure/base'
import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { completeInfo } from '../info.ts'
import { createOwner } from '../owner.ts'
import type { Backend } from '../pageProvider.ts'
import { RpcError } from '../rpcError.ts'
import { keysOf, type BitcoinChain, type BitcoinKey, type PaymentKind } from './keys.ts'
import { signBip322, signRecoverable } from './signMessage.ts'
import { broadcast, pay, readPsbt, signInputs, type BitcoinSource } from './spend.ts'

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

const silence: Fault = { kind: 'silence' }

/**
 * Makes a simulated Bitcoin wallet. It takes the requests of sats-connect; {@link putSatsProvider} and its siblings show
 * it to a page in any of the three ways of such wallets.
 *
 * @example
 * const wallet = createSimulatedBitcoinWallet({ privateKeys: [key], chain: 'regtest', sources: { regtest: chain.url } })
 * registerStandardWallet(wallet, window)
 */
export function createSimulatedBitcoinWallet(options: SimulatedBitcoinOptions): SimulatedBitcoinWallet {
  const { name, icon, uuid } = completeInfo({ name: options.name ?? 'Simulated Bitcoin' })
  const faults = createFaults(options.faults)
  const owner = createOwner()
  const requests: Array<{ method: string; params: unknown }> = []
  const listeners = new Set<(event: string, value: unknown) => void>()
  let secrets: readonly Uint8Array[] = options.privateKeys.map((key) => hex.decode(key.replace(/^0x/, '')))
  let chain: BitcoinChain = options.chain ?? 'mainnet'
  let permitted = options.permitted ?? false
  let locked = false
  let unlocking: Array<() => void> = []
  let gone = false
  let silentNext = false

  const emit = (event: BitcoinEvent, value: unknown): void => {
    for (const listener of listeners) listener(event, value)
  }
  const keys = (): readonly BitcoinKey[] => {
    const [secret] = secrets
    return secret === undefined ? [] : keysOf(secret, options.paymentKind ?? 'p2wpkh', chain)
  }
  const network = (): object => ({ bitcoin: { name: `${chain.charAt(0).toUpperCase()}${chain.slice(1)}` } })
  const source = (): BitcoinSource => ({ url: options.sources?.[chain], chain })

  function describe(): object {
    const addresses = keys().map(({ address, publicKey, purpose, addressType }) => {
      return { address, publicKey, purpose, addressType, walletType: 'software' }
    })
    return { id: uuid, addresses, walletType: 'software', network: network() }
  }

  function requireOpen(): void {
    if (!permitted || locked || keys().length === 0) throw new RpcError(-32_002, 'Access denied.')
  }

  function keyOf(address: unknown): BitcoinKey {
    const key = keys().find((each) => each.address === address)
    if (key === undefined) throw new RpcError(-32_602, 'The wallet has no such address.')
    return key
  }

  async function approved(): Promise<void> {
    requireOpen()
    await ask()
  }

  async function ask(): Promise<void> {
    if (silentNext) {
      silentNext = false
      await fail(silence)
    }
    await owner.ask()
  }

  async function connect(): Promise<object> {
    await ask()
    if (locked) await new Promise<void>((resolve) => unlocking.push(resolve))
    permitted = true
    requireOpen()
    return describe()
  }

  const methods: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
    wallet_connect: connect,
    getAccounts: async () => Reflect.get(await connect(), 'addresses'),
    wallet_getAccount() {
      requireOpen()
      return describe()
    },
    wallet_getNetwork() {
      requireOpen()
      return network()
    },
    async wallet_changeNetwork({ name: wanted }) {
      await approved()
      const next = String(wanted).toLowerCase()
      if (!isChain(next)) throw new RpcError(-32_602, 'The wallet knows no such network.')
      goTo(next)
      return null
    },
    wallet_disconnect() {
      permitted = false
      return null
    },
    async signMessage({ address, message, protocol }) {
      await approved()
      const key = keyOf(address)
      const text = String(message)
      const recoverable = protocol !== 'BIP322' && key.addressType !== 'p2tr'
      const signature = recoverable ? signRecoverable(key, text) : signBip322(key, text)
      return { address, signature, protocol: recoverable ? 'ECDSA' : 'BIP322' }
    },
    async signPsbt({ psbt, signInputs: wanted, broadcast: sends }) {
      await approved()
      const pairs = Object.entries(Object(wanted) as Record<string, readonly number[]>)
      const signing = pairs.flatMap(([address, indexes]) => indexes.map((index) => ({ key: keyOf(address), index })))
      const signed = signInputs(readPsbt(psbt), signing)
      const txid = sends === true ? await broadcast(source(), signed) : undefined
      return { psbt: base64.encode(signed.toPSBT()), ...(txid === undefined ? {} : { txid }) }
    },
    async sendTransfer({ recipients }) {
      await approved()
      const [payer] = keys()
      const payments = (recipients as ReadonlyArray<{ address: string; amount: number }>).map(
        ({ address, amount }) => ({ address, amount: BigInt(amount) }),
      )
      if (payer === undefined) throw new RpcError(-32_002, 'Access denied.')
      return { txid: await pay(source(), payer, payments) }
    },
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    if (gone) return fail(silence)
    const fault = faults.take(method)
    if (fault !== undefined) return fail(fault)
    const carryOut = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (carryOut === undefined) throw new RpcError(-32_601, `The wallet has no method ${method}.`)
    const answer = await carryOut(Object(params ?? {}) as Readonly<Record<string, unknown>>)
    return isGone() ? fail(silence) : answer
  }

  /** Asked again after waiting: meanwhile it may have vanished. */
  const isGone = (): boolean => gone

  function goTo(next: BitcoinChain): void {
    if (next === chain) return
    chain = next
    if (permitted && !locked) emit('networkChange', { type: 'networkChange', ...describe() })
  }

  function select(next: readonly Uint8Array[]): void {
    secrets = next
    if (!permitted || locked) return
    if (secrets.length === 0) shut()
    else emit('accountChange', { type: 'accountChange', ...describe() })
  }

  function shut(): void {
    const wasOpen = permitted
    permitted = false
    if (wasOpen) emit('disconnect', { type: 'disconnect' })
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
      const [payment, ordinals] = keys()
      return [payment?.address ?? '', ordinals?.address ?? '']
    },
    hold: owner.hold,
    approve: () => owner.answer(true),
    decline: () => owner.answer(false),
    rejectNext: () => owner.answer(false),
    neverAnswerNext: () => void (silentNext = true),
    setAccounts: (privateKeys) => select(privateKeys.map((key) => hex.decode(key.replace(/^0x/, '')))),
    removeAccount: () => select(secrets.slice(1)),
    setChain: goTo,
    revoke: shut,
    lock() {
      if (permitted && !locked) emit('disconnect', { type: 'disconnect' })
      locked = true
    },
    unlock() {
      locked = false
      for (const goOn of unlocking) goOn()
      unlocking = []
    },
    vanish: () => void (gone = true),
  }
}

function isChain(value: string): value is BitcoinChain {
  return ['mainnet', 'testnet', 'signet', 'regtest'].includes(value)
}
