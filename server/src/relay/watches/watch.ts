import type { SafeFetch } from '../../kit/safeFetch.ts'
import { mistakeInAudience, mistakeInTimes, readSignedToken, type SignedToken } from '../auth.ts'
import { RelayError } from '../errors.ts'

/** Which side of a message a watched client is on. */
export const watchKinds = ['subscriber', 'publisher'] as const
export type WatchKind = (typeof watchKinds)[number]

/** What may become of a message: it was taken, it waits because its receiver is away, its receiver has it. */
export const watchStatuses = ['accepted', 'queued', 'delivered'] as const
export type WatchStatus = (typeof watchStatuses)[number]

/** Which watch is meant: a client has one for each service and webhook. */
export type WatchKey = {
  /** The id of the client that is watched, and that signed for it. */
  client: string
  /** The address of the service that is told. */
  service: string
  /** Where it is told. */
  webhook: string
}

/** Somebody's wish to be told what becomes of a client's messages. */
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

const longestLife = 30 * 24 * 60 * 60
const longestAddress = 256
const mostTags = 1_000

/**
 * Reads the JWT by which a client has itself watched.
 *
 * @throws RelayError that names the claim that is wrong
 */
export function readWatch(token: unknown, rules: WatchRules): Watch {
  const { claims, ...key } = readToken(token, 'irn_watchRegister', rules)
  const { iat, exp, typ, tag, sts } = claims
  if (typeof exp !== 'number' || exp - Number(iat) > longestLife) {
    throw refuse('InvalidTtl', 'a watch ends after 30 days at most')
  }
  const kind = watchKinds.find((known) => known === typ)
  if (kind === undefined) throw refuse('InvalidJwt', 'typ is subscriber or publisher')
  const tags = readList(tag, (item) => (Number.isSafeInteger(item) ? Number(item) : undefined))
  if (tags === undefined) throw refuse('InvalidJwt', 'tag is a list of numbers')
  const statuses = readList(sts, (item) => watchStatuses.find((known) => known === item))
  if (statuses === undefined) throw refuse('InvalidJwt', `sts is a list of ${watchStatuses.join(', ')}`)
  return { ...key, kind, tags, statuses, expiresAt: exp * 1000 }
}

/**
 * Reads the JWT by which a client ends a watch.
 *
 * @throws RelayError that names the claim that is wrong
 */
export function readWatchEnd(token: unknown, rules: WatchRules): WatchKey {
  const { client, service, webhook } = readToken(token, 'irn_watchUnregister', rules)
  return { client, service, webhook }
}

function readToken(token: unknown, action: string, rules: WatchRules): WatchKey & { claims: Claims } {
  const signed = typeof token === 'string' ? readSignedToken(token) : 'a JWT is expected'
  if (typeof signed === 'string') throw refuse('InvalidJwt', signed)
  const { issuer: client, claims } = signed
  const mistake = mistakeInTimes(claims, rules.now) ?? mistakeInAudience(claims['aud'], rules.audiences)
  if (mistake !== undefined) throw refuse('InvalidJwt', mistake)
  if (claims['act'] !== action) throw refuse('InvalidAction', `act is ${action}`)
  const service = readService(claims['sub'])
  const webhook = readWebhook(claims['whu'], rules)
  return { client, service, webhook, claims }
}

function readService(sub: unknown): string {
  if (isShort(sub) && URL.canParse(sub)) return sub
  throw refuse('InvalidServiceUrl', `sub is an address of at most ${longestAddress} characters`)
}

/** What the names of an address lead to is looked at whenever it is told something. */
function readWebhook(whu: unknown, { checkAddress }: WatchRules): string {
  if (!isShort(whu)) throw refuse('InvalidWebhookUrl', `whu is an address of at most ${longestAddress} characters`)
  try {
    checkAddress(whu)
    return whu
  } catch (cause) {
    throw refuse('InvalidWebhookUrl', cause instanceof Error ? cause.message : 'whu cannot be used')
  }
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestAddress
}

function readList<item>(value: unknown, read: (item: unknown) => item | undefined): readonly item[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostTags) return undefined
  const items = value.map(read).filter((item) => item !== undefined)
  return items.length === value.length ? items : undefined
}

function refuse(tag: string, reason: string): RelayError {
  return new RelayError(-32000, `Internal error: ${reason}`, tag)
}
