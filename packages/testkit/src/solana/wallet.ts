import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { createEventHub } from '../page/createEventHub.ts'
import { createOwner, createOwnerControls } from '../page/owner.ts'
import { RpcError } from '../rpcError.ts'
import { signSolanaRequest, type SolanaSigningRequest } from './signSolanaRequest.ts'
import { createSolanaPermission, type SolanaPermission } from './permission.ts'
import { completeSolanaInfo, type SolanaWalletInfo } from './standardWallet.ts'

export type SimulatedSolanaOptions = {
  /** 32 bytes each, in hexadecimal. The first key is selected. */
  privateKeys: readonly [string, ...string[]]
  /** The RPC endpoint of each chain that the wallet knows, by its name in the Wallet Standard: `solana:localnet`. */
  rpcUrls: Readonly<Record<string, string>>
  info?: Partial<SolanaWalletInfo>
  /** The initial faults, by method, `approvals` or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** True if the page already has permission. */
  permitted?: boolean
}

/** A page's request: a feature's method and its parameters. */
export type SolanaRequest = { method: string; params: unknown }

type Listener = (event: string, value: unknown) => void

/** A Solana wallet with real keys. It approves requests immediately by default. */
export type SimulatedSolanaWallet = {
  readonly info: SolanaWalletInfo
  readonly faults: Faults
  /** All requests, oldest first. */
  readonly requests: readonly SolanaRequest[]
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Subscribes to `accounts` and `vanished`. Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void
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
  setAccounts(privateKeys: readonly string[]): void
  /** Removes an account. */
  removeAccount(address: string): void
  /** Revokes the page's permission. */
  revoke(): void
  /** Hides all accounts until the wallet is unlocked. Connection requests wait, silent ones fail. */
  lock(): void
  unlock(): void
  /** Unregisters the wallet. It stops responding. */
  uninstall(): void
}

const silence: Fault = { kind: 'silence' }
const signing = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction']

/**
 * Creates a simulated Solana wallet that signs and sends with real keys.
 *
 * @example
 * const wallet = createSimulatedSolanaWallet({ privateKeys: [key], rpcUrls: { 'solana:localnet': rpcUrl } })
 * registerSolanaWallet(wallet, window)
 */
export function createSimulatedSolanaWallet(options: SimulatedSolanaOptions): SimulatedSolanaWallet {
  const { privateKeys, rpcUrls, permitted = false } = options
  const events = createEventHub<string>()
  const requests: SolanaRequest[] = []
  const faults = createFaults(options.faults, needsSolanaApproval)
  const owner = createOwner()
  const page = createSolanaPermission({ permitted, privateKeys })
  let gone = false

  const addresses = (): readonly string[] => page.accounts().map(({ address }) => address)

  /** Notifies pages of account changes only while they have permission, and when they lose it. */
  function change(what: () => void): void {
    const before = addresses().join()
    what()
    if (addresses().join() !== before) events.emit('accounts', addresses())
  }

  const handle = createSolanaHandler({ page, rpcUrls, addresses, change })

  async function request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    requests.push({ method, params })
    const requiresApproval =
      needsSolanaApproval(method) && !(method === 'standard:connect' && page.accounts().length > 0)
    const fault = gone ? silence : faults.take(method)
    if (fault !== undefined) return fail(fault)
    if (requiresApproval) await owner.requestApproval()
    const response = await handle(method, params)
    return isGone() ? fail(silence) : response
  }

  /** Checked again after each wait, because the wallet may have been removed in the meantime. */
  const isGone = (): boolean => gone

  return {
    info: completeSolanaInfo(options.info, Object.keys(rpcUrls)),
    faults,
    requests,
    request,
    subscribe: events.subscribe,
    ...createOwnerControls(owner),
    rejectNext: () => faults.once('approvals', { kind: 'reject' }),
    neverRespondNext: () => faults.once('approvals', silence),
    setAccounts: (keys) => change(() => page.select(keys)),
    removeAccount: (address) => change(() => page.remove(address)),
    revoke: () => change(page.revoke),
    lock: () => change(page.lock),
    unlock: () => change(page.unlock),
    uninstall() {
      gone = true
      events.emit('vanished', undefined)
    },
  }
}

type HandlerDependencies = {
  page: SolanaPermission
  rpcUrls: Readonly<Record<string, string>>
  addresses(): readonly string[]
  /** Applies a change and reports it to the page if its accounts changed. */
  change(what: () => void): void
}

type SolanaHandler = (method: string, params: unknown) => Promise<unknown>

function createSolanaHandler({ page, rpcUrls, addresses, change }: HandlerDependencies): SolanaHandler {
  return async (method, params) => {
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
        // The page script of this wallet wrote the parameters.
        return signSolanaRequest(page.accounts(), rpcUrls, method, params as SolanaSigningRequest)
    }
  }
}

function needsSolanaApproval(method: string): boolean {
  return method === 'standard:connect' || signing.includes(method)
}
