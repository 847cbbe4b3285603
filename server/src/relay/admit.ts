import type { IncomingMessage } from 'node:http'
import type { Projects } from '../kit/projects.ts'
import { readOrigin } from './attestation.ts'
import { verifyClientToken } from './auth.ts'

/** Who may come in. */
export type Visitor = {
  clientId: string
  /** The web origin of its page; empty when it has none or does not say. */
  origin: string
  /** Whether it wants to be told where messages come from, which only wallets of ours understand. */
  wantsOrigins: boolean
}

/** Why a connection is refused: as an HTTP status, or as a close code with words. */
export type Refusal = { status: number; code: number; reason: string; data?: string }

export type Door = { projects: Projects; audiences: readonly string[]; now: number }

/** Decides whether a client may connect. The words are those that clients look for. */
export function admit(request: IncomingMessage, { projects, audiences, now }: Door): Visitor | Refusal {
  const query = new URL(request.url ?? '/', 'http://relay').searchParams
  const application = query.get('packageName') ?? query.get('bundleId') ?? undefined
  const verdict = projects.check(query.get('projectId')?.toLowerCase(), request.headers.origin, application)
  if (verdict === 'missing') return refuse(401, 'Unauthorized: missing project id', 'ProjectIdNotSpecified')
  if (verdict === 'unknown') return refuse(401, 'Unauthorized: invalid key', 'ProjectNotFound')
  if (verdict === 'origin-not-allowed') return refuse(403, 'Unauthorized: origin not allowed', 'OriginNotAllowed')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const token = verifyClientToken(bearer ?? query.get('auth') ?? undefined, { audiences, now })
  if (!token.ok) return refuse(401, token.reason, token.tag)
  const wantsOrigins = query.get('verify') === 'origin'
  return { clientId: token.clientId, origin: readOrigin(request.headers.origin), wantsOrigins }
}

function refuse(status: number, reason: string, data: string): Refusal {
  return { status, code: 3000, reason, data }
}
