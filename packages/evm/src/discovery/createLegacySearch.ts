import { tryOrUndefined } from '@latchkey/adapter-kit'
import type { Clock, DiscoveryListener } from '@latchkey/core'
import { getField, getListField } from '@latchkey/protocol'
import { isEip1193Provider, type Eip1193Provider } from '../injected/eip1193Provider.ts'
import { injectedConnector } from '../injected/injectedConnector.ts'

type LegacySearchOptions = { found: DiscoveryListener; lost(connectorId: string): void; clock: Clock }

/** The limit of wallets that share `window.ethereum`. */
const mostProviders = 20

/**
 * Offers the wallets at `window.ethereum`, except those that announced themselves.
 *
 * @returns a function that looks again, given all announced wallets. A wallet that announces itself later is withdrawn.
 */
export function createLegacySearch(
  page: EventTarget,
  { found, lost, clock }: LegacySearchOptions,
): (announced: readonly Eip1193Provider[]) => void {
  const offered = new Map<Eip1193Provider, string>()
  const taken = new Set<string>()

  function offer(provider: Eip1193Provider): void {
    const name = findOwnName(provider)
    const base = name === undefined ? 'injected' : `injected/${name.toLowerCase().replaceAll(' ', '-')}`
    let id = base
    for (let count = 2; taken.has(id); count += 1) id = `${base}/${count}`
    taken.add(id)
    offered.set(provider, id)
    found(injectedConnector({ id, name: name ?? 'Browser wallet', provider }, clock))
  }

  return (announced) => {
    const isAnnounced = (provider: Eip1193Provider): boolean => announced.some((other) => isSameWallet(provider, other))
    for (const [provider, id] of [...offered].filter(([each]) => isAnnounced(each))) {
      offered.delete(provider)
      taken.delete(id)
      lost(id)
    }
    for (const provider of listPageProviders(page)) {
      if (!offered.has(provider) && !isAnnounced(provider)) offer(provider)
    }
  }
}

/** Lists the providers at `window.ethereum`: one, or several wallets that share it. */
function listPageProviders(page: EventTarget): readonly Eip1193Provider[] {
  const shared = getListField(page, 'ethereum', 'providers')
  const all = shared.length > 0 ? shared : [getField(page, 'ethereum')]
  return [...new Set(all.slice(0, mostProviders).filter(isEip1193Provider))]
}

/**
 * True if two providers belong to one wallet: the same object, a wrapper around the other's `request`, or two objects with
 * the same flags. `isMetaMask` does not count: many wallets set it.
 */
function isSameWallet(one: Eip1193Provider, other: Eip1193Provider): boolean {
  if (one === other) return true
  const [request, otherRequest] = [getOwnRequest(one), getOwnRequest(other)]
  if (request !== undefined && request === otherRequest) return true
  const flags = listFlags(one)
  return flags.length > 0 && flags.join() === listFlags(other).join()
}

function getOwnRequest(provider: Eip1193Provider): unknown {
  return tryOrUndefined(() => Object.getOwnPropertyDescriptor(provider, 'request')?.value)
}

/**
 * Returns the name in a wallet's own flag (`isExampleWallet`). A wallet with several flags has no certain name, and
 * `isMetaMask` is a flag that most wallets set for compatibility.
 */
function findOwnName(provider: Eip1193Provider): string | undefined {
  const flags = listFlags(provider)
  const [flag, ...others] = flags.filter((each) => !flags.some((longer) => longer !== each && longer.startsWith(each)))
  if (flag === undefined || others.length > 0) return undefined
  return flag.slice(2).replace(/([a-z0-9])([A-Z])/g, '$1 $2')
}

/** Flags that describe the state of a wallet, not its name. */
const stateFlags = ['isMetaMask', 'isConnected', 'isUnlocked', 'isReady', 'isActive', 'isEnabled', 'isMobile']

/** Lists the flags that are set, sorted by name. The object, its class and the base class are searched. */
function listFlags(provider: Eip1193Provider): readonly string[] {
  const names = new Set<string>()
  try {
    let object: object | null = provider
    for (let depth = 0; depth < 3 && object !== null && object !== Object.prototype; depth += 1) {
      for (const key of Reflect.ownKeys(object).slice(0, 500)) {
        if (typeof key === 'string' && /^is[A-Z][A-Za-z0-9]{1,30}$/.test(key)) names.add(key)
      }
      object = Reflect.getPrototypeOf(object)
    }
  } catch {
    return []
  }
  return [...names].filter((name) => !stateFlags.includes(name) && getField(provider, name) === true).toSorted()
}
