import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { createOwner } from '../owner.ts'
import type { Backend } from '../pageProvider.ts'
import { RpcError } from '../rpcError.ts'
import { keyOf, type PolkadotKey, type PolkadotSeed } from './keys.ts'
import { payloadBytes } from './payload.ts'

export type SimulatedPolkadotOptions = {
  accounts: readonly [PolkadotSeed, ...PolkadotSeed[]]
  /** How it calls itself in `injectedWeb3`. */
  name?: string
  /** How it fails from the beginning, by method (`enable`, `accounts`, `signRaw`, `signPayload`) or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** Whether the page was let in before. */
  permitted?: boolean
}

/** A Polkadot extension with real keys that does what it is asked at once, unless it is told otherwise. */
export type SimulatedPolkadotExtension = Backend & {
  readonly info: { name: string; version: string }
  readonly faults: Faults
  /** All that was asked, oldest first. */
  readonly requests: ReadonlyArray<{ method: string; params: unknown }>
  /** What it shows, in the generic format. */
  addresses(): readonly string[]
  hold(): void
  approve(): void
  decline(): void
  rejectNext(): void
  neverAnswerNext(): void
  setAccounts(accounts: readonly PolkadotSeed[]): void
  /** The owner removes the first account. */
  removeAccount(): void
  /** The owner shuts the page out. */
  revoke(): void
  lock(): void
  unlock(): void
  /** Nothing is answered any more. */
  vanish(): void
}

const silence: Fault = { kind: 'silence' }

/**
 * Makes a simulated extension. {@link putInjectedWeb3} shows it to a page.
 *
 * @example
 * const extension = createSimulatedPolkadotExtension({ accounts: [{ seed: '01'.repeat(32), type: 'sr25519' }] })
 * putInjectedWeb3(extension, window)
 */
export function createSimulatedPolkadotExtension(options: SimulatedPolkadotOptions): SimulatedPolkadotExtension {
  const faults = createFaults(options.faults)
  const owner = createOwner()
  const requests: Array<{ method: string; params: unknown }> = []
  const listeners = new Set<(event: string, value: unknown) => void>()
  let all: readonly PolkadotKey[] = options.accounts.map(keyOf)
  const page = { permitted: options.permitted ?? false, locked: false, gone: false, silentNext: false }
  let unlocking: Array<() => void> = []

  const visible = (): readonly PolkadotKey[] => (page.permitted && !page.locked ? all : [])
  const shown = (): object[] => visible().map(({ address, name, type }) => ({ address, name, type }))

  function change(what: () => void): void {
    const before = JSON.stringify(shown())
    what()
    if (JSON.stringify(shown()) === before) return
    for (const listener of listeners) listener('accounts', shown())
  }

  async function ask(): Promise<void> {
    if (page.silentNext) {
      page.silentNext = false
      await fail(silence)
    }
    await owner.ask().catch(() => {
      // The words of such extensions, which have no codes.
      throw new Error('Cancelled')
    })
  }

  function signerOf(address: unknown): PolkadotKey {
    const key = visible().find((each) => each.address === address)
    if (key === undefined) throw new RpcError(-32_602, 'The extension has no such account.')
    return key
  }

  const methods: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
    async enable() {
      if (!page.permitted) await ask()
      if (page.locked) await new Promise<void>((resolve) => unlocking.push(resolve))
      page.permitted = true
      return shown()
    },
    accounts: shown,
    async signRaw({ address, data }) {
      const key = signerOf(address)
      await ask()
      return { id: requests.length, signature: `0x${bytesToHex(key.sign(wrapped(String(data))))}` }
    },
    async signPayload(payload) {
      const key = signerOf(payload['address'])
      const bytes = payloadBytes(payload)
      await ask()
      return {
        id: requests.length,
        signature: `0x${bytesToHex(concatBytes(Uint8Array.of(key.kindByte), key.sign(bytes)))}`,
      }
    },
  }

  return {
    info: { name: options.name ?? 'simulated', version: '1.0.0' },
    faults,
    requests,
    async request({ method, params }) {
      requests.push({ method, params })
      if (page.gone) return fail(silence)
      const fault = faults.take(method)
      if (fault !== undefined) return fail(fault)
      const carryOut = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (carryOut === undefined) throw new RpcError(-32_601, `The extension has no ${method}.`)
      const answer = await carryOut(Object(params ?? {}) as Readonly<Record<string, unknown>>)
      return page.gone ? fail(silence) : answer
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    addresses: () => all.map(({ address }) => address),
    hold: owner.hold,
    approve: () => owner.answer(true),
    decline: () => owner.answer(false),
    rejectNext: () => owner.answer(false),
    neverAnswerNext: () => void (page.silentNext = true),
    setAccounts: (accounts) => change(() => void (all = accounts.map(keyOf))),
    removeAccount: () => change(() => void (all = all.slice(1))),
    revoke: () => change(() => void (page.permitted = false)),
    lock: () => change(() => void (page.locked = true)),
    unlock() {
      change(() => void (page.locked = false))
      for (const goOn of unlocking) goOn()
      unlocking = []
    },
    vanish: () => void (page.gone = true),
  }
}

/** Raw data between its tags; what has them already has them once. */
function wrapped(data: string): Uint8Array {
  const bytes = /^0x([0-9a-f]{2})*$/i.test(data) ? hexToBytes(data.slice(2)) : utf8ToBytes(data)
  const text = String.fromCharCode(...bytes.slice(0, 7), ...bytes.slice(-8))
  const isWrapped = bytes.length >= 15 && text === '<Bytes></Bytes>'
  return isWrapped ? bytes : concatBytes(utf8ToBytes('<Bytes>'), bytes, utf8ToBytes('</Bytes>'))
}
