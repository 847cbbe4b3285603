import { deriveKeys, wipeKeys, type WalletKeys } from '../custody/seed.ts'
import type { OpenWallet } from '../wallet/enrol.ts'

/** The open wallet, for minutes: what it grows from, and its keys, are wiped as soon as nobody needs them. */
export type OpenKeys = {
  /** Takes a wallet over; it is wiped here. */
  put(wallet: OpenWallet): void
  /**
   * What the wallet grows from; opened again where it was wiped meanwhile.
   *
   * @returns the caller's own copy, to be wiped
   */
  entropy(): Promise<Uint8Array>
  /** The private key of the first account of a family, as the caller's own copy. Derived once while the wallet is open. */
  privateKey(family: keyof WalletKeys): Promise<Uint8Array>
  wipe(): void
}

type Held = { readonly entropy: Uint8Array; readonly since: number; readonly keys: Promise<WalletKeys> }

export type OpenKeysParts = {
  open(): Promise<OpenWallet>
  /** Called whenever the keys are wiped, for what has to go with them. */
  wiped(): void
  now(): number
  /** Calls later, and returns what takes that back. */
  later(act: () => void, milliseconds: number): () => void
}

const idleMs = 5 * 60_000
const absoluteMs = 30 * 60_000

export function createOpenKeys(parts: OpenKeysParts): OpenKeys {
  const { wiped, now, later } = parts
  let held: Held | undefined
  let forget = (): void => undefined

  function wipe(): void {
    forget()
    forget = () => undefined
    held?.entropy.fill(0)
    held?.keys.then(wipeKeys, () => undefined)
    held = undefined
    wiped()
  }
  /** Using it puts the end off, up to a limit. */
  function touch(since: number): void {
    forget()
    forget = later(wipe, Math.min(idleMs, since + absoluteMs - now()))
  }
  function put({ entropy }: OpenWallet): void {
    wipe()
    held = { entropy, since: now(), keys: deriveKeys(entropy) }
    touch(held.since)
  }
  async function open(): Promise<Held> {
    // A machine that slept called nobody.
    if (held !== undefined && now() - held.since >= absoluteMs) wipe()
    if (held === undefined) put(await parts.open())
    else touch(held.since)
    return held ?? open()
  }
  /** What was locked while it was waited for is zeros by now, and is opened again. */
  async function take(secret: (opened: Held) => Promise<Uint8Array> | Uint8Array): Promise<Uint8Array> {
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
