import type { Clock, DiscoveryListener } from '@latchkey/core'
import type { Eip1193Provider } from './eip1193.ts'
import { injectedConnector } from './injected.ts'

type LegacySearch = { found: DiscoveryListener; lost(connectorId: string): void; clock: Clock }

/** What several wallets may have agreed to share `window.ethereum` as. */
const mostProviders = 20

/**
 * Offers the wallets at `window.ethereum`, as far as none of those announced is the same wallet.
 *
 * @returns what looks, knowing all that was announced; a wallet that announces itself later is taken back
 */
export function createLegacySearch(
  page: EventTarget,
  { found, lost, clock }: LegacySearch,
): (announced: readonly Eip1193Provider[]) => void {
  const offered = new Map<Eip1193Provider, string>()
  const taken = new Set<string>()

  function offer(provider: Eip1193Provider): void {
    const said = nameOf(provider)
    const base = said === undefined ? 'injected' : `injected/${said.toLowerCase().replaceAll(' ', '-')}`
    let id = base
    for (let count = 2; taken.has(id); count += 1) id = `${base}/${count}`
    taken.add(id)
    offered.set(provider, id)
    found(injectedConnector({ id, name: said ?? 'Browser wallet', provider }, clock))
  }

  return (announced) => {
    const isAnnounced = (provider: Eip1193Provider): boolean => announced.some((other) => isSame(provider, other))
    for (const [provider, id] of [...offered].filter(([each]) => isAnnounced(each))) {
      offered.delete(provider)
      taken.delete(id)
      lost(id)
    }
    for (const provider of readPage(page)) {
      if (!offered.has(provider) && !isAnnounced(provider)) offer(provider)
    }
  }
}

/** The providers at `window.ethereum`: those of several wallets that share it, or the one. */
function readPage(page: EventTarget): readonly Eip1193Provider[] {
  const ethereum = read(page, 'ethereum')
  const providers = read(ethereum, 'providers')
  const all: readonly unknown[] = Array.isArray(providers) && providers.length > 0 ? providers : [ethereum]
  return [...new Set(all.slice(0, mostProviders).filter(isProvider))]
}

/**
 * Whether two providers lead to one wallet: the same object, one that passes on to the other's own function, or two
 * with the same flags of their own. That both say `isMetaMask` means nothing.
 */
function isSame(one: Eip1193Provider, other: Eip1193Provider): boolean {
  if (one === other) return true
  const [request, otherRequest] = [ownRequest(one), ownRequest(other)]
  if (request !== undefined && request === otherRequest) return true
  const flags = flagsOf(one)
  return flags.length > 0 && flags.join() === flagsOf(other).join()
}

function ownRequest(provider: Eip1193Provider): unknown {
  try {
    return Object.getOwnPropertyDescriptor(provider, 'request')?.value
  } catch {
    return undefined
  }
}

/**
 * What a wallet says it is by its own flag (`isExampleWallet`). One flag is a name; `isMetaMask` is what everybody
 * sets to be let in, and several names are nobody's.
 */
function nameOf(provider: Eip1193Provider): string | undefined {
  const flags = flagsOf(provider)
  const [flag, ...others] = flags.filter((each) => !flags.some((longer) => longer !== each && longer.startsWith(each)))
  if (flag === undefined || others.length > 0) return undefined
  return flag.slice(2).replace(/([a-z0-9])([A-Z])/g, '$1 $2')
}

/** Flags that say how a wallet is, and not which one. */
const adjectives = ['isMetaMask', 'isConnected', 'isUnlocked', 'isReady', 'isActive', 'isEnabled', 'isMobile']

/** The names of the flags that are set, in order; they are looked for up to the class of a class. */
function flagsOf(provider: Eip1193Provider): readonly string[] {
  const names = new Set<string>()
  try {
    let place: object | null = provider
    for (let depth = 0; depth < 3 && place !== null && place !== Object.prototype; depth += 1) {
      for (const key of Reflect.ownKeys(place).slice(0, 500)) {
        if (typeof key === 'string' && /^is[A-Z][A-Za-z0-9]{1,30}$/.test(key)) names.add(key)
      }
      place = Reflect.getPrototypeOf(place)
    }
  } catch {
    return []
  }
  return [...names].filter((name) => !adjectives.includes(name) && read(provider, name) === true).toSorted()
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof read(value, 'request') === 'function'
}

/** A field of what may throw when it is looked at. */
function read(value: unknown, name: string): unknown {
  try {
    const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function'
    return isThing ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}
