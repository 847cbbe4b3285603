import type { IncomingMessage } from 'node:http'
import type { Projects } from '../../kit/http/projects.ts'
import { parseWebOrigin } from './attestOrigin.ts'
import type { StorageSource } from '../limits/storageCeilings.ts'
import { verifyClientToken } from './clientToken.ts'

/** An authorized client. */
export type RelayClient = {
  clientId: string
  /** The address and the project that its stored bytes count for. */
  source: StorageSource
  /** The web origin of its page. Empty if there is none. */
  origin: string
  /** True if the client asked for attestations of origins, which only Latchkey wallets understand. */
  wantsOriginAttestations: boolean
}

/**
 * A rejected connection: as an HTTP status, or as a close code with a reason. Clients get `data`; metrics name the `cause` of
 * rejections without it.
 */
export type ConnectionRejection = { status: number; code: number; reason: string; data?: string; cause?: string }

export type AuthorizationRules = {
  projects: Projects
  audiences: readonly string[]
  now: number
  /** The address of the client, as `clientAddress` returns it. */
  address: string
}

/** Authorizes a connection by project, origin and token. Clients look for the exact texts of the reasons. */
export function authorizeConnection(
  request: IncomingMessage,
  { projects, audiences, now, address }: AuthorizationRules,
): RelayClient | ConnectionRejection {
  const query = new URL(request.url ?? '/', 'http://relay').searchParams
  const application = query.get('packageName') ?? query.get('bundleId') ?? undefined
  const project = query.get('projectId')?.toLowerCase()
  const projectCheck = projects.check(project, request.headers.origin, application)
  if (projectCheck === 'missing') return reject(401, 'Unauthorized: missing project id', 'ProjectIdNotSpecified')
  if (projectCheck === 'unknown') return reject(401, 'Unauthorized: invalid key', 'ProjectNotFound')
  if (projectCheck === 'origin-not-allowed') return reject(403, 'Unauthorized: origin not allowed', 'OriginNotAllowed')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const token = verifyClientToken(bearer ?? query.get('auth') ?? undefined, { audiences, now })
  if (!token.ok) return reject(401, token.reason, token.tag)
  const wantsOrigins = query.get('verify') === 'origin'
  return {
    clientId: token.clientId,
    source: { address, project: project ?? '' },
    origin: parseWebOrigin(request.headers.origin),
    wantsOriginAttestations: wantsOrigins,
  }
}

function reject(status: number, reason: string, data: string): ConnectionRejection {
  return { status, code: 3000, reason, data }
}
