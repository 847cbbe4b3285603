import { isUnknownRecord, type UnknownRecord } from '../primitives/unknownRecord.ts'

/** Properties of a session beyond its namespaces (CAIP-25). */
export type SessionProperties = { readonly [name: string]: string }

/** Properties of single scopes. The keys are among those of the namespaces. */
export type ScopedProperties = { readonly [scope: string]: unknown }

export type SessionConfig = {
  /** True if the wallet does not want to be opened for each request. */
  readonly disableDeepLink: boolean
}

/** The members of a settlement other than its namespaces. */
export type SessionExtras = {
  readonly sessionProperties?: SessionProperties
  readonly scopedProperties?: ScopedProperties
  readonly sessionConfig?: SessionConfig
}

/** Parses the members of a settlement other than its namespaces. Drops malformed ones. */
export function parseSessionExtras(
  { sessionProperties, scopedProperties, sessionConfig }: UnknownRecord,
  namespaces: object,
): SessionExtras {
  return {
    sessionProperties: parseSessionProperties(sessionProperties),
    scopedProperties: parseScopedProperties(scopedProperties, namespaces),
    sessionConfig: isUnknownRecord(sessionConfig)
      ? { disableDeepLink: sessionConfig.disableDeepLink === true }
      : undefined,
  }
}

/** Parses scoped properties. Drops scopes outside the namespaces. */
export function parseScopedProperties(value: unknown, namespaces: object): ScopedProperties | undefined {
  if (!isUnknownRecord(value)) return undefined
  const known = Object.entries(value).filter(([scope]) => Object.hasOwn(namespaces, scope.split(':')[0] ?? ''))
  return Object.fromEntries(known)
}

/** Parses session properties. Drops values other than strings. */
export function parseSessionProperties(value: unknown): SessionProperties | undefined {
  if (!isUnknownRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}
