import { isLatchkeyError, isNamespace, type ChainId, configError, type LatchkeyError } from '@latchkey/protocol'
import {
  namespaceOfId,
  parseProposedNamespaces,
  type ProposedNamespace,
  type ProposedNamespaces,
} from '../session/sessionNamespaces.ts'
import { getNamespaceScope } from '../session/namespaceScopes.ts'

/** The namespaces that an app requests, by namespace or by chain: the scope objects of CAIP-25. */
export type RequestedNamespaces = {
  readonly [scope: string]: {
    /** CAIP-2 ids. Optional if the scope itself is one. */
    readonly chains?: readonly ChainId[]
    /** Defaults to the methods that Latchkey knows of the namespace. */
    readonly methods?: readonly string[]
    /** Defaults to the events that Latchkey knows of the namespace. */
    readonly events?: readonly string[]
  }
}

/**
 * Parses and merges the requested namespaces of an app. All are optional for the wallet, as current versions of the
 * protocol recommend. The session shows which ones it approved.
 *
 * @throws LatchkeyError `config/invalid` if no namespace is requested, or a chain is not a CAIP-2 id of its namespace
 */
export function parseRequestedNamespaces(
  ...requested: readonly (RequestedNamespaces | undefined)[]
): ProposedNamespaces {
  const merged: { [namespace: string]: ProposedNamespace } = {}
  for (const namespaces of requested) {
    for (const [namespace, proposed] of Object.entries(parseNamespaces(namespaces ?? {}))) {
      merged[namespace] = mergeNamespaces(merged[namespace], proposed)
    }
  }
  if (Object.keys(merged).length === 0) throw invalidNamespaces('none is requested')
  return merged
}

function parseNamespaces(namespaces: RequestedNamespaces): ProposedNamespaces {
  const complete = Object.entries(namespaces).map(([scope, scopeObject]) => [
    scope,
    { ...defaultPermissions(scope), ...scopeObject },
  ])
  try {
    return parseProposedNamespaces(Object.fromEntries(complete))
  } catch (error) {
    throw isLatchkeyError(error, 'session/invalid') ? invalidNamespaces(error.context.reason) : error
  }
}

function defaultPermissions(scope: string): Pick<ProposedNamespace, 'methods' | 'events'> {
  const namespace = scope.includes(':') ? namespaceOfId(scope) : scope
  return isNamespace(namespace) ? getNamespaceScope(namespace) : { methods: [], events: [] }
}

function mergeNamespaces(one: ProposedNamespace | undefined, other: ProposedNamespace): ProposedNamespace {
  if (one === undefined) return other
  const { chains, methods, events } = other
  return {
    chains: [...new Set([...one.chains, ...chains])],
    methods: [...new Set([...one.methods, ...methods])],
    events: [...new Set([...one.events, ...events])],
  }
}

function invalidNamespaces(reason: string): LatchkeyError<'config/invalid'> {
  return configError('config/invalid', { problems: [`namespaces: ${reason}`] })
}
