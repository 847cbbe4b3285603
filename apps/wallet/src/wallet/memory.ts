import type { Storage } from '@latchkey/core'
import { isChainId, type ChainId, type Network } from '@latchkey/protocol'
import { isNetwork, isRecord, parseRecord } from '../config.ts'

/** How the wallet answers: as its owner says, or by itself for tests and demonstrations. */
export type Answers = 'ask' | 'approve' | 'reject'

export type Theme = 'system' | 'light' | 'dark'

/** What the owner set. */
export type Settings = {
  answers: Answers
  /** Each answer takes three seconds longer. */
  isSlow: boolean
  /** The relay's socket stays closed. */
  isOffline: boolean
  theme: Theme
  /** The selected account of each namespace, by its address. */
  selected: Readonly<Record<string, string>>
}

/** Where an app stands within its session, by namespace. */
export type Standing = { chainId: ChainId; address: string }
export type Standings = Readonly<Record<string, Standing>>

/** What the wallet remembers besides its sessions, checked when it is read. */
export type Memory = {
  settings(): Settings
  setSettings(settings: Settings): void
  standings(topic: string): Standings
  setStandings(topic: string, standings: Standings | undefined): void
  /** Networks that apps added. */
  networks(): readonly Network[]
  addNetwork(network: Network): void
}

const prefix = '@latchkey/wallet/'

const defaults: Settings = { answers: 'ask', isSlow: false, isOffline: false, theme: 'system', selected: {} }

/** Lays the wallet's entries over a storage. What cannot be kept lasts as long as the page. */
export function createMemory(storage: Storage): Memory {
  const unsaved = new Map<string, string>()

  function read(name: string): Record<string, unknown> {
    try {
      return parseRecord(unsaved.get(name) ?? storage.getItem(prefix + name) ?? '{}') ?? {}
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
    settings: () => readSettings(read('settings')),
    setSettings: (settings) => write('settings', settings),
    standings: (topic) => readStandings(read('standings')[topic]),
    setStandings(topic, standings) {
      const { [topic]: _, ...others } = read('standings')
      write('standings', standings === undefined ? others : { ...others, [topic]: standings })
    },
    networks,
    addNetwork: (network) =>
      write('networks', Object.fromEntries([...networks(), network].map((each) => [each.caipNetworkId, each]))),
  }
}

function readSettings({ answers, isSlow, isOffline, theme, selected }: Record<string, unknown>): Settings {
  return {
    answers: answers === 'approve' || answers === 'reject' ? answers : defaults.answers,
    isSlow: isSlow === true,
    isOffline: isOffline === true,
    theme: theme === 'light' || theme === 'dark' ? theme : defaults.theme,
    selected: isRecord(selected) ? readTexts(selected) : defaults.selected,
  }
}

function readTexts(values: Record<string, unknown>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

function readStandings(value: unknown): Standings {
  if (!isRecord(value)) return {}
  const entries = Object.entries(value).flatMap(([namespace, standing]): [string, Standing][] => {
    if (!isRecord(standing)) return []
    const { chainId, address } = standing
    if (typeof chainId !== 'string' || !isChainId(chainId) || typeof address !== 'string') return []
    return [[namespace, { chainId, address }]]
  })
  return Object.fromEntries(entries)
}
