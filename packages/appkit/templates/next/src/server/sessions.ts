import { randomBytes } from 'node:crypto'
import { verifyMessage } from 'viem'
import { parseSiweMessage } from 'viem/siwe'

export type Session = { address: string; chainId: number }

/** Sessions and nonces of this process. */
const store = globalThis as unknown as { sessions?: Map<string, Session>; nonces?: Set<string> }
const sessions = (store.sessions ??= new Map())
const nonces = (store.nonces ??= new Set())

export function createNonce(): string {
  const nonce = randomBytes(16).toString('hex')
  nonces.add(nonce)
  return nonce
}

export function findSession(id: string | undefined): Session | undefined {
  return id === undefined ? undefined : sessions.get(id)
}

export function endSession(id: string | undefined): void {
  if (id !== undefined) sessions.delete(id)
}

/** Returns the id of a new session, or `undefined` if the message or its signature is not valid. */
export async function startSession(message: string, signature: `0x${string}`): Promise<string | undefined> {
  const { address, chainId, nonce } = parseSiweMessage(message)
  if (address === undefined || chainId === undefined || nonce === undefined || !nonces.delete(nonce)) return undefined
  if (!(await verifyMessage({ address, message, signature }))) return undefined
  const id = randomBytes(16).toString('hex')
  sessions.set(id, { address, chainId })
  return id
}
