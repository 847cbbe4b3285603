import { isChainId, type SignInMessage, type SignInSession } from '@latchkey/protocol'
import { isRecord } from '../isRecord.ts'

/** Takes the sessions out of what a storage or a server holds; what is none is left out. */
export function readSessions(value: unknown): readonly SignInSession[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return items.filter(isSession)
}

/** Whether a session counts at a time. */
export function isCurrent({ data }: SignInSession, now: number): boolean {
  const { expirationTime, notBefore } = data
  if (expirationTime !== undefined && !(now < Date.parse(expirationTime))) return false
  return notBefore === undefined || Date.parse(notBefore) <= now
}

function isSession(value: unknown): value is SignInSession {
  if (!isRecord(value) || !isMessage(value['data'])) return false
  return typeof value['message'] === 'string' && typeof value['signature'] === 'string'
}

/** What a session is looked up by has to be there; the rest is for whoever checked it. */
function isMessage(value: unknown): value is SignInMessage {
  if (!isRecord(value)) return false
  const { accountAddress, chainId, expirationTime, notBefore } = value
  if (typeof accountAddress !== 'string' || typeof chainId !== 'string' || !isChainId(chainId)) return false
  return [expirationTime, notBefore].every((time) => time === undefined || typeof time === 'string')
}
