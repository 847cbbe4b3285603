import { isChainId, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { namespaceOf } from '../grants.ts'
import { signInNamespace as namespace } from '../namespaces.ts'
import { isRecord, isTextList } from '../parse.ts'
import { readable } from '../readable.ts'
import { formatSignInMessage, readContent, type SignInContent } from './cacao.ts'
import { encodeRecap, mergeRecaps, recapOf, type Recap } from './recap.ts'

/** What an app wants a person to sign, and where. */
export type SignIn = {
  /** The authority of the app (RFC 3986): `location.host`. */
  domain: string
  /** The page or service that the sign-in is for; `aud` of the CACAO. */
  uri: string
  /** Eight letters and digits or more, drawn by whoever checks the sign-in and never used twice. */
  nonce: string
  /** One line for the person to read. */
  statement?: string
  /** When it is asked for (RFC 3339); now when left out. */
  iat?: string
  /** From when and until when the sign-in counts (RFC 3339). */
  nbf?: string
  exp?: string
  requestId?: string
  resources?: readonly string[]
}

/** A sign-in as it travels to the wallet: what to sign, once per chain. */
export type AuthPayload = SignInContent & { readonly type: string; readonly chains: readonly ChainId[] }

const abilityKind = 'request/'

/**
 * Puts a sign-in into the form of the wire. Methods become a ReCap, merged with one that is there already.
 *
 * @param now when it is asked for, in milliseconds
 * @throws LatchkeyError `config/invalid` when it could not be signed as it stands.
 */
export function authPayloadOf(
  { uri, resources = [], ...signIn }: SignIn,
  chains: readonly ChainId[],
  methods: readonly string[],
  now: number,
): AuthPayload {
  const problems = problemsOf({ uri, resources, ...signIn }, chains)
  if (problems.length > 0) throw new LatchkeyError('config/invalid', { problems })
  const { domain, nonce, statement, nbf, exp, requestId, iat = new Date(now).toISOString() } = signIn
  const said = { domain, aud: uri, version: '1', nonce, statement, nbf, exp, requestId }
  return { type: 'caip122', chains, ...said, iat, resources: withMethods(resources, methods, chains) }
}

/**
 * Reads a sign-in of the other side.
 *
 * @throws LatchkeyError `session/invalid`, also when it names other chains than those of eip155.
 */
export function readAuthPayload(value: unknown): AuthPayload {
  const { type, chains } = isRecord(value) ? value : {}
  const isKnown = type === undefined || type === 'caip122'
  if (!isRecord(value) || !isKnown || !isTextList(chains) || chains.length === 0 || !chains.every(isEvmChain)) {
    throw new LatchkeyError('session/invalid', { reason: 'its sign-in is malformed' })
  }
  const payload = { type: 'caip122', chains, ...readContent(value) }
  // Throws for what cannot be signed on any chain.
  formatSignInMessage(payload, `${namespace}:1:0x`)
  return payload
}

/** Reads the sign-ins among what a proposal asks for besides the session; those that cannot be signed here are left out, as nobody has to sign in. */
export function readAuthPayloads(requests: unknown): readonly AuthPayload[] {
  const { authentication } = isRecord(requests) ? requests : {}
  const items: readonly unknown[] = Array.isArray(authentication) ? authentication : []
  return items.flatMap((item) => readable(() => readAuthPayload(item)) ?? [])
}

/** What a sign-in allows the app to ask for later. */
export function methodsIn(resources: readonly string[] = []): {
  methods: readonly string[]
  chains: readonly ChainId[]
} {
  const uses = Object.entries(recapOf(resources)?.att[namespace] ?? {}).flatMap(([ability, ways]) =>
    ability.startsWith(abilityKind) && ways.length > 0 ? [{ method: ability.slice(abilityKind.length), ways }] : [],
  )
  const chains = uses.flatMap(({ ways }) => ways.flatMap((way) => (isTextList(way.chains) ? way.chains : [])))
  return { methods: uses.map(({ method }) => method), chains: [...new Set(chains.filter(isEvmChain))] }
}

/**
 * Takes out of a sign-in what a wallet does not want to grant. What is left of its ReCap is what the person reads and
 * signs.
 *
 * @example const payload = restrict(request.payload, { chains: ['eip155:1'], methods: ['personal_sign'] })
 */
export function restrict(
  payload: AuthPayload,
  allowed: { chains: readonly ChainId[]; methods: readonly string[] },
): AuthPayload {
  const chains = payload.chains.filter((chain) => allowed.chains.includes(chain))
  const { resources = [] } = payload
  const recap = recapOf(resources)
  if (recap === undefined) return { ...payload, chains }
  const methods = methodsIn(resources).methods.filter((method) => allowed.methods.includes(method))
  const { [namespace]: _, ...others } = recap.att
  const kept = resources.slice(0, -1)
  const left = Object.keys(others).length === 0 ? kept : [...kept, encodeRecap({ ...recap, att: others })]
  return { ...payload, chains, resources: withMethods(left, methods, chains) }
}

/** Adds a ReCap, or to the one that is there. Nothing rather than an empty list, which would be one more line to sign. */
function withMethods(
  resources: readonly string[],
  methods: readonly string[],
  chains: readonly ChainId[],
): readonly string[] | undefined {
  if (methods.length === 0) return resources.length === 0 ? undefined : resources
  const abilities = methods.map((method) => [abilityKind + method, [{ chains }]] as const)
  const wanted: Recap = { att: { [namespace]: Object.fromEntries(abilities) } }
  const known = recapOf(resources)
  if (known === undefined) return [...resources, encodeRecap(wanted)]
  return [...resources.slice(0, -1), encodeRecap(mergeRecaps(known, wanted))]
}

function problemsOf(signIn: SignIn, chains: readonly ChainId[]): readonly string[] {
  const { resources = [], ...texts } = signIn
  const broken = [...Object.entries(texts), ...resources.map((resource) => ['resources', resource] as const)]
    .filter(([, text]) => text !== undefined && /[\n\r]/.test(text))
    .map(([name]) => `${name} must not contain a line break`)
  return [
    ...broken,
    ...(chains.length === 0 || !chains.every(isEvmChain) ? ['chains must be of eip155, one or more'] : []),
    // EIP-4361: a shorter one could be guessed.
    ...(/^[a-zA-Z0-9]{8,}$/.test(signIn.nonce) ? [] : ['nonce must be eight letters and digits or more']),
  ]
}

function isEvmChain(chain: string): chain is ChainId {
  return isChainId(chain) && namespaceOf(chain) === namespace
}
