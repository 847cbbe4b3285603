import type { OpenWallet } from '../wallet/enrol.ts'

/** The open wallet, for minutes: what it grows from is wiped as soon as nobody needs it. */
export type OpenKeys = {
  /** Takes a wallet over; it is wiped here. */
  put(wallet: OpenWallet): void
  /**
   * What the wallet grows from; opened again where it was wiped meanwhile.
   *
   * @returns the caller's own copy, to be wiped
   */
  entropy(): Promise<Uint8Array>
  wipe(): void
}

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

export function createOpenKeys({ open, wiped, now, later }: OpenKeysParts): OpenKeys {
  let held: { entropy: Uint8Array; since: number } | undefined
  let forget = (): void => undefined

  function wipe(): void {
    forget()
    forget = () => undefined
    held?.entropy.fill(0)
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
    held = { entropy, since: now() }
    touch(held.since)
  }

  return {
    put,
    wipe,
    async entropy() {
      // A machine that slept called nobody.
      if (held !== undefined && now() - held.since >= absoluteMs) wipe()
      if (held === undefined) put(await open())
      else touch(held.since)
      // Either was there or was put.
      return Uint8Array.from(held === undefined ? [] : held.entropy)
    },
  }
}
