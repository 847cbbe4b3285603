import { isLatchkeyError, isNamespace, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { namespaceOf, readProposedNamespaces, type ProposedNamespace, type ProposedNamespaces } from '../grants.ts'
import { vocabulary } from '../namespaces.ts'

/** What an app asks a wallet for, by namespace or by chain: the scope objects of CAIP-25. */
export type AskedNamespaces = {
  readonly [scope: string]: {
    /** CAIP-2 ids; may be left out where the scope itself is one. */
    readonly chains?: readonly ChainId[]
    /** By default those that Latchkey knows of the namespace. */
    readonly methods?: readonly string[]
    readonly events?: readonly string[]
  }
}

/**
 * Reads what an app asks for in one go or two. All of it is put to the wallet as optional, as the protocol wants it by
 * now: what the wallet left out is seen in the session.
 *
 * @throws LatchkeyError `config/invalid` when nothing is asked for, or a chain is not a CAIP-2 id of its namespace.
 */
export function readAsked(...asked: readonly (AskedNamespaces | undefined)[]): ProposedNamespaces {
  const read: { [namespace: string]: ProposedNamespace } = {}
  for (const namespaces of asked) {
    for (const [namespace, proposed] of Object.entries(readNamespaces(namespaces ?? {}))) {
      read[namespace] = joined(read[namespace], proposed)
    }
  }
  if (Object.keys(read).length === 0) throw invalid('nothing is asked for')
  return read
}

function readNamespaces(namespaces: AskedNamespaces): ProposedNamespaces {
  const whole = Object.entries(namespaces).map(([scope, asked]) => [scope, { ...wordsOf(scope), ...asked }])
  try {
    return readProposedNamespaces(Object.fromEntries(whole))
  } catch (error) {
    throw isLatchkeyError(error, 'session/invalid') ? invalid(error.context.reason) : error
  }
}

function wordsOf(scope: string): Pick<ProposedNamespace, 'methods' | 'events'> {
  const namespace = scope.includes(':') ? namespaceOf(scope) : scope
  return isNamespace(namespace) ? vocabulary[namespace] : { methods: [], events: [] }
}

function joined(one: ProposedNamespace | undefined, other: ProposedNamespace): ProposedNamespace {
  if (one === undefined) return other
  const { chains, methods, events } = other
  return {
    chains: [...new Set([...one.chains, ...chains])],
    methods: [...new Set([...one.methods, ...methods])],
    events: [...new Set([...one.events, ...events])],
  }
}

function invalid(reason: string): LatchkeyError<'config/invalid'> {
  return new LatchkeyError('config/invalid', { problems: [`namespaces: ${reason}`] })
}
