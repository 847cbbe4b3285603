import type { Storage } from '@latchkey/core'
import { isHex32 } from './bytes.ts'
import { readSessionNamespaces, type ProposedNamespaces, type SessionNamespaces } from './grants.ts'
import { readRedirect, type Redirect } from './redirect.ts'
import { isRecord, isTextList, parseJson, shortText, type UnknownRecord } from './parse.ts'

/** What a side says about itself. */
export type Metadata = {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly icons: readonly string[]
  /** How its app is opened. */
  readonly redirect?: Redirect
}

/** What two sides agreed on. Its key lies in the keyring, so that a session can be shown to anybody. */
export type Session = {
  readonly topic: string
  /** The other side. */
  readonly peer: Metadata
  /** What the wallet granted. */
  readonly namespaces: SessionNamespaces
  /** What the dapp had asked for. */
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: ScopedProperties
  readonly sessionConfig?: SessionConfig
  /** The universal link of the other side, when messages travel by links and not over a relay. */
  readonly link?: string
  /** Unix seconds. */
  readonly expiry: number
}

/** What the two sides tell each other about a session, beyond its namespaces (CAIP-25). */
export type Properties = { readonly [name: string]: string }

/** The same for single scopes: its keys are among those of the namespaces. */
export type ScopedProperties = { readonly [scope: string]: unknown }

export type SessionConfig = {
  /** The wallet does not want to be opened for each request. */
  readonly disableDeepLink: boolean
}

/** How long a session stands from settlement or extension: seven days, in seconds. */
export const sessionLifetime = 604_800

/** The sessions of one side, over page loads. */
export type Sessions = {
  all(): readonly Session[]
  get(topic: string): Session | undefined
  save(session: Session): void
  remove(topic: string): void
  /** Tells when another tab changed them; returns what stops it. */
  subscribe(listener: () => void): () => void
}

/** Keeps sessions in `storage` under `prefix`. */
export function createSessions(storage: Storage, prefix: string): Sessions {
  const key = `${prefix}sessions`
  // Read anew each time, because other tabs write it too.
  const read = (): readonly Session[] => {
    const stored = parseJson(storage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap((value) => readSession(value) ?? []) : []
  }
  const without = (topic: string): readonly Session[] => read().filter((session) => session.topic !== topic)
  return {
    all: read,
    get: (topic) => read().find((session) => session.topic === topic),
    save: (session) => storage.setItem(key, JSON.stringify([...without(session.topic), session])),
    remove: (topic) => storage.setItem(key, JSON.stringify(without(topic))),
    subscribe: (listener) =>
      storage.subscribe?.((changed) => {
        if (changed === key) listener()
      }) ?? (() => {}),
  }
}

/** Reads what a side says about itself; every part may be missing. */
export function readMetadata(value: unknown): Metadata {
  const said = isRecord(value) ? value : {}
  return {
    name: shortText(said.name, 'Unnamed'),
    description: shortText(said.description, ''),
    url: shortText(said.url, ''),
    icons: isTextList(said.icons) ? said.icons.slice(0, 4) : [],
    redirect: isRecord(said.redirect) ? readRedirect(said.redirect) : undefined,
  }
}

/** Reads what a settlement says beside its namespaces; what makes no sense is left out. */
export function readExtras(
  { sessionProperties, scopedProperties, sessionConfig }: UnknownRecord,
  namespaces: object,
): Pick<Session, 'sessionProperties' | 'scopedProperties' | 'sessionConfig'> {
  return {
    sessionProperties: readProperties(sessionProperties),
    scopedProperties: readScopedProperties(scopedProperties, namespaces),
    sessionConfig: isRecord(sessionConfig) ? { disableDeepLink: sessionConfig.disableDeepLink === true } : undefined,
  }
}

/** Keeps the properties of scopes that are among some namespaces. */
export function readScopedProperties(value: unknown, namespaces: object): ScopedProperties | undefined {
  if (!isRecord(value)) return undefined
  const known = Object.entries(value).filter(([scope]) => Object.hasOwn(namespaces, scope.split(':')[0] ?? ''))
  return Object.fromEntries(known)
}

/** Reads a map of texts; anything else in it is left out. */
export function readProperties(value: unknown): Properties | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}

function readSession(value: unknown): Session | undefined {
  if (!isRecord(value) || !isHex32(value.topic) || typeof value.expiry !== 'number') return undefined
  try {
    const namespaces = readSessionNamespaces(value.namespaces)
    return {
      topic: value.topic,
      peer: readMetadata(value.peer),
      namespaces: withDefaultChains(namespaces, value.namespaces),
      // Written by this file; nothing is decided by it.
      optionalNamespaces: (value.optionalNamespaces ?? {}) as ProposedNamespaces,
      ...readExtras(value, namespaces),
      ...(typeof value.link === 'string' ? { link: value.link } : {}),
      expiry: value.expiry,
    }
  } catch {
    return undefined
  }
}

function withDefaultChains(namespaces: SessionNamespaces, stored: unknown): SessionNamespaces {
  const entries: UnknownRecord = isRecord(stored) ? stored : {}
  return Object.fromEntries(
    Object.entries(namespaces).map(([name, grant]) => {
      const entry = entries[name]
      const chain = isRecord(entry) ? entry.defaultChain : undefined
      return [name, { ...grant, defaultChain: grant.chains.find((each) => each === chain) }]
    }),
  )
}
