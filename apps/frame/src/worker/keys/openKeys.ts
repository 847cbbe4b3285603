import { deriveWalletKeys, wipeWalletKeys, type WalletKeys } from '../../custody/walletKeys.ts'
import type { OpenWallet } from '../../wallet/enrol.ts'

/** Holds the open wallet for minutes. Entropy and keys are wiped as soon as they are no longer needed. */
export type OpenKeys = {
  /** Takes ownership of a wallet and wipes it later. */
  put(wallet: OpenWallet): void
  /**
   * Returns the entropy. Opens the wallet again if it was wiped.
   *
   * @returns a copy that the caller has to wipe
   */
  entropy(): Promise<Uint8Array>
  /** Returns a copy of the private key of a namespace's first account. Derived once per opening. */
  privateKey(family: keyof WalletKeys): Promise<Uint8Array>
  wipe(): void
}

type KeyEntry = { readonly entropy: Uint8Array; readonly since: number; readonly keys: Promise<WalletKeys> }

export type OpenKeysDependencies = {
  open(): Promise<OpenWallet>
  /** Called whenever the keys are wiped. */
  wiped(): void
  now(): number
  /** Calls `act` later. Returns a function that cancels the call. */
  later(act: () => void, milliseconds: number): () => void
}

const idleMs = 5 * 60_000
const absoluteMs = 30 * 60_000

export function createOpenKeys(dependencies: OpenKeysDependencies): OpenKeys {
  const { wiped, now, later } = dependencies
  let held: KeyEntry | undefined
  let forget = (): void => undefined

  function wipe(): void {
    forget()
    forget = () => undefined
    held?.entropy.fill(0)
    held?.keys.then(wipeWalletKeys, () => undefined)
    held = undefined
    wiped()
  }
  /** Each use extends the time, up to the absolute limit. */
  function touch(since: number): void {
    forget()
    forget = later(wipe, Math.min(idleMs, since + absoluteMs - now()))
  }
  function put({ entropy }: OpenWallet): void {
    wipe()
    held = { entropy, since: now(), keys: deriveWalletKeys(entropy) }
    touch(held.since)
  }
  async function open(): Promise<KeyEntry> {
    // Timers don't fire while the machine sleeps.
    if (held !== undefined && now() - held.since >= absoluteMs) wipe()
    if (held === undefined) put(await dependencies.open())
    else touch(held.since)
    return held ?? open()
  }
  /** If the wallet has been wiped since, the value is zeros: open it again. */
  async function take(secret: (opened: KeyEntry) => Promise<Uint8Array> | Uint8Array): Promise<Uint8Array> {
    const opened = await open()
    const found = await secret(opened)
    return held === opened ? Uint8Array.from(found) : take(secret)
  }

  return {
    put,
    wipe,
    entropy: () => take(({ entropy }) => entropy),
    privateKey: (family) => take(async ({ keys }) => (await keys)[family].privateKey),
  }
}
