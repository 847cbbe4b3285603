import { isChainId, type SignInMessage, type SignInSession, isRecord } from '@latchkey/protocol'

/** Parses the sessions of a storage or a server. Invalid entries are left out. */
export function readSessions(value: unknown): readonly SignInSession[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return items.filter(isSession)
}

/** True if a session is valid at a time. */
export function isCurrent({ data }: SignInSession, now: number): boolean {
  const { expirationTime, notBefore } = data
  if (expirationTime !== undefined && !(now < Date.parse(expirationTime))) return false
  return notBefore === undefined || Date.parse(notBefore) <= now
}

function isSession(value: unknown): value is SignInSession {
  if (!isRecord(value) || !isMessage(value['data'])) return false
  return typeof value['message'] === 'string' && typeof value['signature'] === 'string'
}

/** Validates the fields that sessions are found by. The verifier validates the rest. */
function isMessage(value: unknown): value is SignInMessage {
  if (!isRecord(value)) return false
  const { accountAddress, chainId, expirationTime, notBefore } = value
  if (typeof accountAddress !== 'string' || typeof chainId !== 'string' || !isChainId(chainId)) return false
  return [expirationTime, notBefore].every((time) => time === undefined || typeof time === 'string')
}
