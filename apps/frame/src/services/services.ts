import { LatchkeyError } from '@latchkey/protocol'
import type { RecoveryMethod } from '../custody/recovery.ts'
import { isRecord, ServiceRefusal, type Ask } from './ask.ts'
import { readBytes, writeBytes } from './bytes.ts'

/** An account of the wallet, as everybody may know it. */
export type WalletAccount = { readonly namespace: string; readonly address: string }

/** Which enrolment of which wallet. */
export type SetPlace = { readonly walletId: Uint8Array; readonly setId: Uint8Array; readonly epoch: number }

/** One way to get the recovery key back, as it is kept. */
export type KeptWrap = {
  readonly id: string
  readonly method: RecoveryMethod
  readonly wrapped: Uint8Array
  readonly facts: string
}

/** What the auth service keeps of a wallet key. */
export type AuthKeeper = {
  prepare(set: SetPlace & { share: Uint8Array; accounts: readonly WalletAccount[] }): Promise<void>
  read(setId: Uint8Array): Promise<(SetPlace & { share: Uint8Array }) | undefined>
  commit(setId: Uint8Array): Promise<void>
  /** The part that was made for this device. */
  own(): Promise<(SetPlace & { share: Uint8Array }) | undefined>
  /** The part of an enrolment, whichever device it is of. */
  any(setId: Uint8Array): Promise<(SetPlace & { share: Uint8Array }) | undefined>
}

/** What the share store keeps. */
export type ShareKeeper = {
  prepare(set: SetPlace & { share: Uint8Array; vault?: Uint8Array; wraps?: readonly KeptWrap[] }): Promise<void>
  read(setId: Uint8Array): Promise<KeptSet | undefined>
  commit(setId: Uint8Array): Promise<void>
  find(): Promise<KeptSet | undefined>
}

export type KeptSet = SetPlace & { share: Uint8Array; vault: Uint8Array; wraps: readonly KeptWrap[] }

/** The auth service over HTTP. */
export function createAuthKeeper(ask: Ask): AuthKeeper {
  const post = (path: string, body: object) => ask('POST', `/auth/v1/shares${path}`, body)
  return {
    prepare: async ({ share, accounts, ...set }) =>
      void (await post('', { ...writePlace(set), share: writeBytes(share), accounts })),
    read: (setId) => orNothing(async () => readShare(await post('/read', { setId: writeBytes(setId) }))),
    commit: async (setId) => void (await post('/commit', { setId: writeBytes(setId) })),
    own: () => orNothing(async () => readShare(await post('/own', {}))),
    any: (setId) => orNothing(async () => readShare(await post('/any', { setId: writeBytes(setId) }))),
  }
}

/** The share store over HTTP. */
export function createShareKeeper(ask: Ask): ShareKeeper {
  const post = (path: string, body: object) => ask('POST', `/shares/v1/sets${path}`, body)
  return {
    prepare: async ({ share, vault, wraps, ...set }) =>
      void (await post('', {
        ...writePlace(set),
        share: writeBytes(share),
        vault: vault && writeBytes(vault),
        wraps: wraps?.map(({ wrapped, ...wrap }) => ({ ...wrap, wrapped: writeBytes(wrapped) })),
      })),
    read: (setId) => orNothing(async () => readKept(await post('/read', { setId: writeBytes(setId) }))),
    commit: async (setId) => void (await post('/commit', { setId: writeBytes(setId) })),
    find: () => orNothing(async () => readKept(await post('/find', {}))),
  }
}

/** What is not there is no failure. */
async function orNothing<found>(look: () => Promise<found>): Promise<found | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 404) return undefined
    throw error
  }
}

const writePlace = ({ walletId, setId, epoch }: SetPlace) => ({
  walletId: writeBytes(walletId),
  setId: writeBytes(setId),
  epoch,
})

function readShare(answer: Record<string, unknown>): SetPlace & { share: Uint8Array } {
  const { walletId, setId, epoch, share } = answer
  if (typeof epoch !== 'number') throw invalid()
  return { walletId: bytesOf(walletId), setId: bytesOf(setId), epoch, share: bytesOf(share) }
}

function readKept(answer: Record<string, unknown>): KeptSet {
  const { vault, wraps } = answer
  if (!Array.isArray(wraps)) throw invalid()
  return { ...readShare(answer), vault: bytesOf(vault), wraps: wraps.map(readWrap) }
}

function readWrap(wrap: unknown): KeptWrap {
  if (!isRecord(wrap)) throw invalid()
  const { id, method, wrapped, facts } = wrap
  if (typeof id !== 'string' || typeof facts !== 'string' || !isMethod(method)) throw invalid()
  return { id, method, wrapped: bytesOf(wrapped), facts }
}

function isMethod(value: unknown): value is RecoveryMethod {
  return value === 'auto' || value === 'password' || value === 'passkey'
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw invalid()
  return readBytes(value)
}

function invalid(): Error {
  return new LatchkeyError('http/invalid-answer', { what: 'the wallet' })
}
