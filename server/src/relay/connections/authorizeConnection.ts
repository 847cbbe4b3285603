import type { IncomingMessage } from 'node:http'
import type { Access } from '../../kit/http/access.ts'
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
  access: Access
  audiences: readonly string[]
  now: number
  /** The address of the client, as `clientAddress` returns it. */
  address: string
  /** The project, where it is not in the query. */
  project?: string
}

/** Authorizes a connection by project, origin and token. Clients look for the exact texts of the reasons. */
export async function authorizeConnection(
  request: IncomingMessage,
  { access, audiences, now, address, project }: AuthorizationRules,
): Promise<RelayClient | ConnectionRejection> {
  const query = queryOf(request)
  const claim = { ...readProjectClaim(request), ...(project !== undefined && { project: project.toLowerCase() }) }
  const rejection = findProjectRejection(claim, access)
  if (rejection !== undefined) return rejection
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const token = await verifyClientToken(bearer ?? query.get('auth') ?? undefined, { audiences, now })
  if (!token.ok) return reject(401, token.reason, token.tag)
  if (access.isClientBanned(token.clientId)) return clientBanned
  const wantsOrigins = query.get('verify') === 'origin'
  return {
    clientId: token.clientId,
    source: { address, project: claim.project ?? '' },
    origin: parseWebOrigin(request.headers.origin),
    wantsOriginAttestations: wantsOrigins,
  }
}

/**
 * Creates the check of an accepted connection, which finds the reason to end it: its project, its client or its address may
 * be refused by now. There are many idle connections, so it keeps only what it checks, and not the request.
 */
export function createLaterCheck(
  request: IncomingMessage,
  { clientId }: RelayClient,
  access: Access,
): () => ConnectionRejection | undefined {
  const claim = readProjectClaim(request)
  const isAddressBanned = access.createAddressCheck(request)
  return () => {
    if (access.isClientBanned(clientId)) return clientBanned
    if (isAddressBanned()) return reject(403, 'Forbidden: this address is blocked', 'AddressBlocked')
    return findProjectRejection(claim, access)
  }
}

const clientBanned: ConnectionRejection = {
  status: 403,
  code: 3000,
  reason: 'Forbidden: this client is blocked',
  data: 'ClientBlocked',
}

/** The project that a client names, and the proof that it may use it. */
type ProjectClaim = { project: string | undefined; origin: string | undefined; application: string | undefined }

function readProjectClaim(request: IncomingMessage): ProjectClaim {
  const query = queryOf(request)
  return {
    project: query.get('projectId')?.toLowerCase(),
    origin: request.headers.origin,
    application: query.get('packageName') ?? query.get('bundleId') ?? undefined,
  }
}

function findProjectRejection(
  { project, origin, application }: ProjectClaim,
  { projects }: Access,
): ConnectionRejection | undefined {
  const projectCheck = projects.check(project, origin, application)
  if (projectCheck === 'missing') return reject(401, 'Unauthorized: missing project id', 'ProjectIdNotSpecified')
  if (projectCheck === 'unknown') return reject(401, 'Unauthorized: invalid key', 'ProjectNotFound')
  if (projectCheck === 'origin-not-allowed') return reject(403, 'Unauthorized: origin not allowed', 'OriginNotAllowed')
  return undefined
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? '/', 'http://relay').searchParams
}

function reject(status: number, reason: string, data: string): ConnectionRejection {
  return { status, code: 3000, reason, data }
}
