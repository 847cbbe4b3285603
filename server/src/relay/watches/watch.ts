import type { SafeFetch } from '../../kit/http/safeFetch.ts'
import { findAudienceError, findTimeError, parseSignedToken, type SignedToken } from '../connections/clientToken.ts'
import { RelayError } from '../errors.ts'

/** The side of a message that a watched client is on. */
export const watchKinds = ['subscriber', 'publisher'] as const
export type WatchKind = (typeof watchKinds)[number]

/** The status of a message: stored, waiting for an absent receiver, or acknowledged by its receiver. */
export const watchStatuses = ['accepted', 'queued', 'delivered'] as const
export type WatchStatus = (typeof watchStatuses)[number]

/** Identifies a watch: a client has one for each service and webhook. */
export type WatchKey = {
  /** The id of the watched client, which signed the watch. */
  client: string
  /** The URL of the notified service. */
  service: string
  /** The URL that gets the notifications. */
  webhook: string
}

/** A service's subscription to the status of a client's messages. */
export type Watch = WatchKey & {
  kind: WatchKind
  tags: readonly number[]
  statuses: readonly WatchStatus[]
  /** Milliseconds since 1970. */
  expiresAt: number
}

export type WatchRules = {
  /** Milliseconds since 1970. */
  now: number
  /** Addresses of this relay; empty takes any. */
  audiences: readonly string[]
  checkAddress: SafeFetch['check']
}

type Claims = SignedToken['claims']

const maxLifetimeSeconds = 30 * 24 * 60 * 60
const maxUrlLength = 256
const maxTags = 1_000

/**
 * Parses the JWT with which a client registers a watch of itself.
 *
 * @throws RelayError that names the wrong claim
 */
export async function parseWatchToken(token: unknown, rules: WatchRules): Promise<Watch> {
  const { claims, ...key } = await parseActionToken(token, 'irn_watchRegister', rules)
  const { iat, exp, typ, tag, sts } = claims
  if (typeof exp !== 'number' || exp - Number(iat) > maxLifetimeSeconds) {
    throw watchError('InvalidTtl', 'a watch ends after 30 days at most')
  }
  const kind = watchKinds.find((known) => known === typ)
  if (kind === undefined) throw watchError('InvalidJwt', 'typ is subscriber or publisher')
  const tags = parseListClaim(tag, (item) => (Number.isSafeInteger(item) ? Number(item) : undefined))
  if (tags === undefined) throw watchError('InvalidJwt', 'tag is a list of numbers')
  const statuses = parseListClaim(sts, (item) => watchStatuses.find((known) => known === item))
  if (statuses === undefined) throw watchError('InvalidJwt', `sts is a list of ${watchStatuses.join(', ')}`)
  return { ...key, kind, tags, statuses, expiresAt: exp * 1000 }
}

/**
 * Parses the JWT with which a client removes a watch.
 *
 * @throws RelayError that names the wrong claim
 */
export async function parseUnwatchToken(token: unknown, rules: WatchRules): Promise<WatchKey> {
  const { client, service, webhook } = await parseActionToken(token, 'irn_watchUnregister', rules)
  return { client, service, webhook }
}

async function parseActionToken(
  token: unknown,
  action: string,
  rules: WatchRules,
): Promise<WatchKey & { claims: Claims }> {
  const signed = typeof token === 'string' ? await parseSignedToken(token) : 'a JWT is expected'
  if (typeof signed === 'string') throw watchError('InvalidJwt', signed)
  const { issuer: client, claims } = signed
  const problem = findTimeError(claims, rules.now) ?? findAudienceError(claims['aud'], rules.audiences)
  if (problem !== undefined) throw watchError('InvalidJwt', problem)
  if (claims['act'] !== action) throw watchError('InvalidAction', `act is ${action}`)
  const service = parseService(claims['sub'])
  const webhook = parseWebhook(claims['whu'], rules)
  return { client, service, webhook, claims }
}

function parseService(sub: unknown): string {
  if (isShort(sub) && URL.canParse(sub)) return sub
  throw watchError('InvalidServiceUrl', `sub is an address of at most ${maxUrlLength} characters`)
}

/** The addresses of the host are checked with every notification. */
function parseWebhook(whu: unknown, { checkAddress }: WatchRules): string {
  if (!isShort(whu)) throw watchError('InvalidWebhookUrl', `whu is an address of at most ${maxUrlLength} characters`)
  try {
    checkAddress(whu)
    return whu
  } catch (cause) {
    throw watchError('InvalidWebhookUrl', cause instanceof Error ? cause.message : 'whu cannot be used')
  }
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxUrlLength
}

function parseListClaim<item>(value: unknown, read: (item: unknown) => item | undefined): readonly item[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxTags) return undefined
  const items = value.map(read).filter((item) => item !== undefined)
  return items.length === value.length ? items : undefined
}

function watchError(tag: string, reason: string): RelayError {
  return new RelayError(-32000, `Internal error: ${reason}`, tag)
}
