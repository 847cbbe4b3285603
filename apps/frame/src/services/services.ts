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
  /** Takes a device away; its sessions end. */
  revoke(setId: Uint8Array): Promise<void>
}

/** What the share store keeps. */
export type ShareKeeper = {
  prepare(set: SetPlace & { share: Uint8Array; vault?: Uint8Array; wraps?: readonly KeptWrap[] }): Promise<void>
  read(setId: Uint8Array): Promise<KeptSet | undefined>
  commit(setId: Uint8Array): Promise<void>
  /** The wallet, by its latest enrolment that is not left out. */
  find(except?: readonly Uint8Array[]): Promise<KeptSet | undefined>
  remove(setId: Uint8Array): Promise<void>
  /** The key of the way that needs nothing of the visitor; made on first asking. */
  autoKey(): Promise<Uint8Array>
  ways(): Promise<readonly KeptWay[]>
  /** @throws ServiceRefusal 403 `deviceAge` on a device that is too new for that */
  addWay(wrap: KeptWrap): Promise<void>
  /** Names the address that new devices are approved from. @returns when it counts, in milliseconds since the epoch */
  changeContact(email: string): Promise<number>
  /** Takes over what is kept, after the auth service lost who this is: with an approved device that brought a part itself. */
  adopt(): Promise<void>
  /** Has everything deleted after three days. */
  requestDeletion(): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

/** A way to recover, as it may be shown. */
export type KeptWay = Pick<KeptWrap, 'id' | 'method' | 'facts'> & { readonly createdAt: number }

export type KeptSet = SetPlace & { share: Uint8Array; vault: Uint8Array; wraps: readonly KeptWrap[] }

/**
 * The auth service over HTTP.
 *
 * @param origin the page that the wallet is used on, for showing it among the devices
 */
export function createAuthKeeper(ask: Ask, { origin }: { origin?: string } = {}): AuthKeeper {
  const post = (path: string, body: object) => ask('POST', `/auth/v1/shares${path}`, body)
  return {
    prepare: async ({ share, accounts, ...set }) =>
      void (await post('', { ...writePlace(set), share: writeBytes(share), accounts, origin })),
    read: (setId) => orNothing(async () => readShare(await post('/read', { setId: writeBytes(setId) }))),
    commit: async (setId) => void (await post('/commit', { setId: writeBytes(setId) })),
    own: () => orNothing(async () => readShare(await post('/own', {}))),
    any: (setId) => orNothing(async () => readShare(await post('/any', { setId: writeBytes(setId) }))),
    revoke: async (setId) => void (await post('/revoke', { setId: writeBytes(setId) })),
  }
}

/** The share store over HTTP. */
export function createShareKeeper(ask: Ask): ShareKeeper {
  const toStore = (path: string, body: object) => ask('POST', `/shares/v1${path}`, body)
  const post = (path: string, body: object) => toStore(`/sets${path}`, body)
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
    find: (except = []) => orNothing(async () => readKept(await post('/find', { except: except.map(writeBytes) }))),
    remove: async (setId) => void (await post('/remove', { setId: writeBytes(setId) })),
    autoKey: async () => bytesOf((await toStore('/auto', {}))['key']),
    async ways() {
      const { ways } = await toStore('/ways/list', {})
      if (!Array.isArray(ways)) throw invalid()
      return ways.map(readWay)
    },
    addWay: async ({ wrapped, ...way }) => void (await toStore('/ways', { ...way, wrapped: writeBytes(wrapped) })),
    changeContact: async (email) => timeOf((await toStore('/contact', { email }))['at']),
    adopt: async () => void (await toStore('/adopt', {})),
    requestDeletion: async () => ({ at: timeOf((await toStore('/deletion', {}))['at']) }),
    cancelDeletion: async () => void (await toStore('/deletion/cancel', {})),
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

function readWay(way: unknown): KeptWay {
  if (!isRecord(way)) throw invalid()
  const { id, method, facts, createdAt } = way
  if (typeof id !== 'string' || typeof facts !== 'string' || !isMethod(method)) throw invalid()
  return { id, method, facts, createdAt: timeOf(createdAt) }
}

function timeOf(value: unknown): number {
  if (typeof value !== 'number') throw invalid()
  return value
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
