import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { createFaults, fail, type Fault, type Faults } from '../faults.ts'
import { createEventHub } from '../page/createEventHub.ts'
import { createOwner, createOwnerControls, type Owner } from '../page/owner.ts'
import type { Backend } from '../page/pageProvider.ts'
import { RpcError } from '../rpcError.ts'
import { keyOf, type PolkadotKey, type PolkadotSeed } from './keys.ts'
import { payloadBytes } from './payload.ts'

export type SimulatedPolkadotOptions = {
  accounts: readonly [PolkadotSeed, ...PolkadotSeed[]]
  /** The extension's name in `injectedWeb3`. */
  name?: string
  /** The initial faults, by method (`enable`, `accounts`, `signRaw`, `signPayload`) or `all`. */
  faults?: Readonly<Record<string, Fault>>
  /** True if the page already has permission. */
  permitted?: boolean
}

/** A Polkadot extension with real keys. It approves requests immediately by default. */
export type SimulatedPolkadotExtension = Backend & {
  readonly info: { name: string; version: string }
  readonly faults: Faults
  /** All requests, oldest first. */
  readonly requests: ReadonlyArray<{ method: string; params: unknown }>
  /** The addresses in the generic format. */
  addresses(): readonly string[]
  hold(): void
  approve(): void
  decline(): void
  rejectNext(): void
  neverRespondNext(): void
  setAccounts(accounts: readonly PolkadotSeed[]): void
  /** Removes the first account. */
  removeAccount(): void
  /** Revokes the page's permission. */
  revoke(): void
  lock(): void
  unlock(): void
  /** Stops responding to all requests. */
  uninstall(): void
}

const silence: Fault = { kind: 'silence' }

/**
 * Creates a simulated Polkadot extension. Expose it to a page with {@link putInjectedWeb3}.
 *
 * @example
 * const extension = createSimulatedPolkadotExtension({ accounts: [{ seed: '01'.repeat(32), type: 'sr25519' }] })
 * putInjectedWeb3(extension, window)
 */
export function createSimulatedPolkadotExtension(options: SimulatedPolkadotOptions): SimulatedPolkadotExtension {
  const faults = createFaults(options.faults)
  const owner = createOwner()
  const requests: Array<{ method: string; params: unknown }> = []
  const events = createEventHub<string>()
  let all: readonly PolkadotKey[] = options.accounts.map(keyOf)
  const page: PageState = { permitted: options.permitted ?? false, locked: false, gone: false, silentNext: false }
  let unlocking: Array<() => void> = []

  const visible = (): readonly PolkadotKey[] => (page.permitted && !page.locked ? all : [])
  const shown = (): object[] => visible().map(({ address, name, type }) => ({ address, name, type }))

  function change(what: () => void): void {
    const before = JSON.stringify(shown())
    what()
    if (JSON.stringify(shown()) === before) return
    events.emit('accounts', shown())
  }

  const methods = createPolkadotMethods({
    page,
    visible,
    shown,
    nextId: () => requests.length,
    request: () => requestOwnerConsent(owner, page),
    unlocked: () => new Promise<void>((resolve) => unlocking.push(resolve)),
  })

  return {
    info: { name: options.name ?? 'simulated', version: '1.0.0' },
    faults,
    requests,
    async request({ method, params }) {
      requests.push({ method, params })
      if (page.gone) return fail(silence)
      const fault = faults.take(method)
      if (fault !== undefined) return fail(fault)
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (handle === undefined) throw new RpcError(-32_601, `The extension has no ${method}.`)
      const response = await handle(Object(params ?? {}) as Readonly<Record<string, unknown>>)
      return page.gone ? fail(silence) : response
    },
    subscribe: events.subscribe,
    addresses: () => all.map(({ address }) => address),
    ...createOwnerControls(owner),
    rejectNext: () => owner.decide(false),
    neverRespondNext: () => void (page.silentNext = true),
    setAccounts: (accounts) => change(() => void (all = accounts.map(keyOf))),
    removeAccount: () => change(() => void (all = all.slice(1))),
    revoke: () => change(() => void (page.permitted = false)),
    lock: () => change(() => void (page.locked = true)),
    unlock() {
      change(() => void (page.locked = false))
      for (const goOn of unlocking) goOn()
      unlocking = []
    },
    uninstall: () => void (page.gone = true),
  }
}

type PageState = { permitted: boolean; locked: boolean; gone: boolean; silentNext: boolean }

type MethodDependencies = {
  page: PageState
  /** The accounts that the page may use now. */
  visible(): readonly PolkadotKey[]
  shown(): object[]
  nextId(): number
  /** Rejects if the owner declines. */
  request(): Promise<void>
  /** Resolves at the next unlock. */
  unlocked(): Promise<void>
}

type PolkadotMethods = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>>

function createPolkadotMethods({
  page,
  visible,
  shown,
  nextId,
  request,
  unlocked,
}: MethodDependencies): PolkadotMethods {
  function signerOf(address: unknown): PolkadotKey {
    const key = visible().find((each) => each.address === address)
    if (key === undefined) throw new RpcError(-32_602, 'The extension has no such account.')
    return key
  }

  return {
    async enable() {
      if (!page.permitted) await request()
      if (page.locked) await unlocked()
      page.permitted = true
      return shown()
    },
    accounts: shown,
    async signRaw({ address, data }) {
      const key = signerOf(address)
      await request()
      return { id: nextId(), signature: `0x${bytesToHex(key.sign(wrapBytes(String(data))))}` }
    },
    async signPayload(payload) {
      const key = signerOf(payload['address'])
      const bytes = payloadBytes(payload)
      await request()
      return {
        id: nextId(),
        signature: `0x${bytesToHex(concatBytes(Uint8Array.of(key.kindByte), key.sign(bytes)))}`,
      }
    },
  }
}

async function requestOwnerConsent(owner: Owner, page: PageState): Promise<void> {
  if (page.silentNext) {
    page.silentNext = false
    await fail(silence)
  }
  await owner.requestApproval().catch(() => {
    // Polkadot extensions report this text and no error code.
    throw new Error('Cancelled')
  })
}

/** Wraps raw data in `<Bytes>` tags, unless it is already wrapped. */
function wrapBytes(data: string): Uint8Array {
  const bytes = /^0x([0-9a-f]{2})*$/i.test(data) ? hexToBytes(data.slice(2)) : utf8ToBytes(data)
  const text = String.fromCharCode(...bytes.slice(0, 7), ...bytes.slice(-8))
  const isWrapped = bytes.length >= 15 && text === '<Bytes></Bytes>'
  return isWrapped ? bytes : concatBytes(utf8ToBytes('<Bytes>'), bytes, utf8ToBytes('</Bytes>'))
}
