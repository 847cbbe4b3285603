import { isChainId, type ChainId, configError, connectionError } from '@latchkey/protocol'
import { namespaceOfId } from '../session/sessionNamespaces.ts'
import { signInNamespace as namespace } from '../session/namespaceScopes.ts'
import { isUnknownRecord, isStringList } from '../primitives/unknownRecord.ts'
import { tryParse } from '../session/tryParse.ts'
import { formatSignInMessage, parseSignInContent, type SignInContent } from './cacao.ts'
import { formatRecap, mergeRecaps, findRecap, type Recap } from './recap.ts'

/** The content of a sign-in that an app requests. */
export type SignIn = {
  /** The authority of the app (RFC 3986): `location.host`. */
  domain: string
  /** The page or service that the user signs in to; `aud` of the CACAO. */
  uri: string
  /** Eight or more letters and digits, chosen by the verifier of the sign-in. Never used twice. */
  nonce: string
  /** One line for the user to read. */
  statement?: string
  /** The time of the request (RFC 3339). Defaults to now. */
  iat?: string
  /** Start of validity (RFC 3339). */
  nbf?: string
  /** End of validity (RFC 3339). */
  exp?: string
  requestId?: string
  resources?: readonly string[]
}

/** A sign-in as it is sent to the wallet, to be signed once per chain. */
export type AuthPayload = SignInContent & { readonly type: string; readonly chains: readonly ChainId[] }

const abilityKind = 'request/'

/**
 * Creates the payload of a sign-in. Methods become a ReCap, merged with an existing one.
 *
 * @param now the time of the request, in milliseconds
 * @throws LatchkeyError `config/invalid` if the sign-in cannot be signed
 */
export function createAuthPayload(
  { uri, resources = [], ...signIn }: SignIn,
  chains: readonly ChainId[],
  methods: readonly string[],
  now: number,
): AuthPayload {
  const problems = listSignInProblems({ uri, resources, ...signIn }, chains)
  if (problems.length > 0) throw configError('config/invalid', { problems })
  const { domain, nonce, statement, nbf, exp, requestId, iat = new Date(now).toISOString() } = signIn
  const content = { domain, aud: uri, version: '1', nonce, statement, nbf, exp, requestId }
  return { type: 'caip122', chains, ...content, iat, resources: addMethodsToResources(resources, methods, chains) }
}

/**
 * Parses a sign-in from the other side.
 *
 * @throws LatchkeyError `session/invalid`, including for chains outside eip155
 */
export function parseAuthPayload(value: unknown): AuthPayload {
  const { type, chains } = isUnknownRecord(value) ? value : {}
  const isKnown = type === undefined || type === 'caip122'
  if (
    !isUnknownRecord(value) ||
    !isKnown ||
    !isStringList(chains) ||
    chains.length === 0 ||
    !chains.every(isEvmChain)
  ) {
    throw connectionError('session/invalid', { reason: 'its sign-in is malformed' })
  }
  const payload = { type: 'caip122', chains, ...parseSignInContent(value) }
  // Throws if the sign-in cannot be signed on any chain.
  formatSignInMessage(payload, `${namespace}:1:0x`)
  return payload
}

/** Parses the sign-ins of a proposal. Drops those that cannot be signed here: sign-ins with a proposal are optional. */
export function parseAuthPayloads(requests: unknown): readonly AuthPayload[] {
  const { authentication } = isUnknownRecord(requests) ? requests : {}
  const items: readonly unknown[] = Array.isArray(authentication) ? authentication : []
  return items.flatMap((item) => tryParse(() => parseAuthPayload(item)) ?? [])
}

/** Lists the methods and chains that a sign-in grants to the app. */
export function listSignedMethods(resources: readonly string[] = []): {
  methods: readonly string[]
  chains: readonly ChainId[]
} {
  const grants = Object.entries(findRecap(resources)?.att[namespace] ?? {}).flatMap(([ability, constraints]) =>
    ability.startsWith(abilityKind) && constraints.length > 0
      ? [{ method: ability.slice(abilityKind.length), constraints }]
      : [],
  )
  const chains = grants.flatMap(({ constraints }) =>
    constraints.flatMap((constraint) => (isStringList(constraint.chains) ? constraint.chains : [])),
  )
  return { methods: grants.map(({ method }) => method), chains: [...new Set(chains.filter(isEvmChain))] }
}

/**
 * Removes what a wallet does not approve from a sign-in. The user reads and signs the rest of its ReCap.
 *
 * @param allowed the approved chains (CAIP-2) and methods
 * @returns the reduced payload
 * @example const payload = restrictAuthPayload(authenticateRequest.payload, { chains: ['eip155:1'], methods: ['personal_sign'] })
 */
export function restrictAuthPayload(
  payload: AuthPayload,
  allowed: { chains: readonly ChainId[]; methods: readonly string[] },
): AuthPayload {
  const chains = payload.chains.filter((chain) => allowed.chains.includes(chain))
  const { resources = [] } = payload
  const recap = findRecap(resources)
  if (recap === undefined) return { ...payload, chains }
  const methods = listSignedMethods(resources).methods.filter((method) => allowed.methods.includes(method))
  const { [namespace]: _, ...others } = recap.att
  const otherResources = resources.slice(0, -1)
  const left =
    Object.keys(others).length === 0 ? otherResources : [...otherResources, formatRecap({ ...recap, att: others })]
  return { ...payload, chains, resources: addMethodsToResources(left, methods, chains) }
}

/** Adds methods to the ReCap, or adds a ReCap. Returns `undefined` instead of an empty list, which would add a line to the message. */
function addMethodsToResources(
  resources: readonly string[],
  methods: readonly string[],
  chains: readonly ChainId[],
): readonly string[] | undefined {
  if (methods.length === 0) return resources.length === 0 ? undefined : resources
  const abilities = methods.map((method) => [abilityKind + method, [{ chains }]] as const)
  const added: Recap = { att: { [namespace]: Object.fromEntries(abilities) } }
  const known = findRecap(resources)
  if (known === undefined) return [...resources, formatRecap(added)]
  return [...resources.slice(0, -1), formatRecap(mergeRecaps(known, added))]
}

function listSignInProblems(signIn: SignIn, chains: readonly ChainId[]): readonly string[] {
  const { resources = [], ...texts } = signIn
  const lineBreaks = [...Object.entries(texts), ...resources.map((resource) => ['resources', resource] as const)]
    .filter(([, text]) => text !== undefined && /[\n\r]/.test(text))
    .map(([name]) => `${name} must not contain a line break`)
  return [
    ...lineBreaks,
    ...(chains.length === 0 || !chains.every(isEvmChain) ? ['chains must be one or more of eip155'] : []),
    // EIP-4361: a shorter nonce can be guessed.
    ...(/^[a-zA-Z0-9]{8,}$/.test(signIn.nonce) ? [] : ['nonce must have eight or more letters and digits']),
  ]
}

function isEvmChain(chain: string): chain is ChainId {
  return isChainId(chain) && namespaceOfId(chain) === namespace
}
