import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { createOwner } from '../owner.ts'
import { RpcError } from '../rpcError.ts'
import { signWith, type SolanaQuestion } from './methods.ts'
import { createSolanaPermission } from './permission.ts'
import { completeSolanaInfo, type SolanaWalletInfo } from './standardWallet.ts'

export type SimulatedSolanaOptions = {
  /** 32 bytes each, in hexadecimal. The first is selected. */
  privateKeys: readonly [string, ...string[]]
  /** The RPC endpoint of each chain that the wallet knows, by its name in the Wallet Standard: `solana:localnet`. */
  rpcUrls: Readonly<Record<string, string>>
  info?: Partial<SolanaWalletInfo>
  /** How the wallet fails from the beginning, by method, `approvals` or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** Whether the page was given the accounts before. */
  permitted?: boolean
}

/** What a page asked: a feature's method. */
export type SolanaRequest = { method: string; params: unknown }

type Listener = (event: string, value: unknown) => void

/** A wallet of Solana with real keys that does what it is asked at once, unless it is told otherwise. */
export type SimulatedSolanaWallet = {
  readonly info: SolanaWalletInfo
  readonly faults: Faults
  /** All that was asked, oldest first. */
  readonly requests: readonly SolanaRequest[]
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Hears of `accounts` and `vanished`; returns what stops it. */
  subscribe(listener: Listener): () => void
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
  setAccounts(privateKeys: readonly string[]): void
  /** The owner removes an account. */
  removeAccount(address: string): void
  /** The owner takes the page's permission back. */
  revoke(): void
  /** The wallet shows no account until it is unlocked; who asks to connect waits for that, who asks silently is refused. */
  lock(): void
  unlock(): void
  /** The wallet unregisters itself and answers nothing any more. */
  vanish(): void
}

const silence: Fault = { kind: 'silence' }
const signing = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction']

/**
 * Makes a simulated wallet of Solana with real keys. It signs and sends for real.
 *
 * @example
 * const wallet = createSimulatedSolanaWallet({ privateKeys: [key], rpcUrls: { 'solana:localnet': rpcUrl } })
 * registerSolanaWallet(wallet, window)
 */
export function createSimulatedSolanaWallet(options: SimulatedSolanaOptions): SimulatedSolanaWallet {
  const { privateKeys, rpcUrls, permitted = false } = options
  const listeners = new Set<Listener>()
  const requests: SolanaRequest[] = []
  const faults = createFaults(options.faults, isQuestion)
  const owner = createOwner()
  const page = createSolanaPermission({ permitted, privateKeys })
  let gone = false

  const addresses = (): readonly string[] => page.accounts().map(({ address }) => address)
  const emit = (event: string, value: unknown): void => listeners.forEach((listener) => listener(event, value))

  /** Pages hear of accounts only while they may see them, and when that ends. */
  function change(what: () => void): void {
    const before = addresses().join()
    what()
    if (addresses().join() !== before) emit('accounts', addresses())
  }

  async function carryOut(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case 'standard:connect':
        await page.grant()
        return addresses()
      case 'standard:silentConnect':
        if (page.isLocked()) throw new RpcError(-32000, 'The wallet is locked.')
        return addresses()
      case 'standard:disconnect':
        return change(page.revoke)
      default:
        // Written by the page's half of this very wallet.
        return signWith(page.accounts(), rpcUrls, method, params as SolanaQuestion)
    }
  }

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    const asksOwner = isQuestion(method) && !(method === 'standard:connect' && page.accounts().length > 0)
    const fault = gone ? silence : faults.take(method)
    if (fault !== undefined) return fail(fault)
    if (asksOwner) await owner.ask()
    const answer = await carryOut(method, params)
    return isGone() ? fail(silence) : answer
  }

  /** Asked again after waiting: meanwhile it may have vanished. */
  const isGone = (): boolean => gone

  return {
    info: completeSolanaInfo(options.info, Object.keys(rpcUrls)),
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
    setAccounts: (keys) => change(() => page.select(keys)),
    removeAccount: (address) => change(() => page.remove(address)),
    revoke: () => change(page.revoke),
    lock: () => change(page.lock),
    unlock: () => change(page.unlock),
    vanish() {
      gone = true
      emit('vanished', undefined)
    },
  }
}

function isQuestion(method: string): boolean {
  return method === 'standard:connect' || signing.includes(method)
}
