import type { Storage } from '@latchkey/core'
import { isChainId, type ChainId, type Network, isRecord } from '@latchkey/protocol'
import { isNetwork, parseJsonObject } from '../walletConfig.ts'

/** The wallet asks the user, or decides automatically for tests and demonstrations. */
export type ResponseMode = 'ask' | 'approve' | 'reject'

export type Theme = 'system' | 'light' | 'dark'

/** The user's settings. */
export type Settings = {
  responseMode: ResponseMode
  /** Delays each response by three seconds. */
  isSlow: boolean
  /** Keeps the relay connection closed. */
  isOffline: boolean
  theme: Theme
  /** The selected account of each namespace, by its address. */
  selected: Readonly<Record<string, string>>
}

/** The network and account of an app in one namespace. */
export type AppConnection = { chainId: ChainId; address: string }
export type AppConnections = Readonly<Record<string, AppConnection>>

/** The wallet's own stored data, validated when it is read. */
export type WalletMemory = {
  settings(): Settings
  setSettings(settings: Settings): void
  connections(topic: string): AppConnections
  setConnections(topic: string, connections: AppConnections | undefined): void
  /** Networks that apps added. */
  networks(): readonly Network[]
  addNetwork(network: Network): void
}

const prefix = '@latchkey/wallet/'

const defaults: Settings = { responseMode: 'ask', isSlow: false, isOffline: false, theme: 'system', selected: {} }

/** Creates the wallet's memory on a storage. Data that can't be stored lasts as long as the page. */
export function createWalletMemory(storage: Storage): WalletMemory {
  const unsaved = new Map<string, string>()

  function read(name: string): Record<string, unknown> {
    try {
      return parseJsonObject(unsaved.get(name) ?? storage.getItem(prefix + name) ?? '{}') ?? {}
    } catch {
      return {}
    }
  }

  function write(name: string, value: object): void {
    const text = JSON.stringify(value)
    try {
      storage.setItem(prefix + name, text)
      unsaved.delete(name)
    } catch {
      unsaved.set(name, text)
    }
  }

  const networks = (): readonly Network[] => Object.values(read('networks')).filter(isNetwork)

  return {
    settings: () => parseSettings(read('settings')),
    setSettings: (settings) => write('settings', settings),
    connections: (topic) => parseConnections(read('connections')[topic]),
    setConnections(topic, connections) {
      const { [topic]: _, ...others } = read('connections')
      write('connections', connections === undefined ? others : { ...others, [topic]: connections })
    },
    networks,
    addNetwork: (network) =>
      write('networks', Object.fromEntries([...networks(), network].map((each) => [each.caipNetworkId, each]))),
  }
}

function parseSettings({ responseMode, isSlow, isOffline, theme, selected }: Record<string, unknown>): Settings {
  return {
    responseMode: responseMode === 'approve' || responseMode === 'reject' ? responseMode : defaults.responseMode,
    isSlow: isSlow === true,
    isOffline: isOffline === true,
    theme: theme === 'light' || theme === 'dark' ? theme : defaults.theme,
    selected: isRecord(selected) ? parseStrings(selected) : defaults.selected,
  }
}

function parseStrings(values: Record<string, unknown>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

function parseConnections(value: unknown): AppConnections {
  if (!isRecord(value)) return {}
  const entries = Object.entries(value).flatMap(([namespace, connection]): [string, AppConnection][] => {
    if (!isRecord(connection)) return []
    const { chainId, address } = connection
    if (typeof chainId !== 'string' || !isChainId(chainId) || typeof address !== 'string') return []
    return [[namespace, { chainId, address }]]
  })
  return Object.fromEntries(entries)
}
