import { httpError, isRecord } from '@latchkey/protocol'
import type { RecoveryMethod } from '../custody/recoveryMethod.ts'
import {
  isProofNeeded,
  postProof,
  postProven,
  type PostToStore,
  type SignForStore,
  type StoreProofRequest,
} from './postProven.ts'
import { ServiceRefusal, type ServiceRequest } from './serviceRequest.ts'
import { shareProof, shareVerifier } from './shareProof.ts'
import { fromBase64url, toBase64url } from './toBase64url.ts'

/** A public account of the wallet. */
export type WalletAccount = { readonly namespace: string; readonly address: string }

/** Identifies an enrolment of a wallet. */
export type EnrolmentPlace = { readonly walletId: Uint8Array; readonly setId: Uint8Array; readonly epoch: number }

/** The recovery key wrapped for one recovery method, as the share store keeps it. */
export type WrappedRecoveryKey = {
  readonly id: string
  readonly method: RecoveryMethod
  readonly wrapped: Uint8Array
  readonly facts: string
}

/** The auth shares at the auth service. */
export type AuthShares = {
  /** `sealed`: the sealed recovery share of the same enrolment. A new device needs it for this share. */
  prepare(
    set: EnrolmentPlace & { share: Uint8Array; accounts: readonly WalletAccount[]; sealed: Uint8Array },
  ): Promise<void>
  read(setId: Uint8Array): Promise<(EnrolmentPlace & { share: Uint8Array }) | undefined>
  /** @param prove signs the challenge that the first enrolment of an epoch needs */
  commit(setId: Uint8Array, prove?: ProveWallet): Promise<void>
  /** Commits the enrolment of a further device with a proof, so that it replaces enrolments that are no longer used. */
  commitProven(setId: Uint8Array, prove: ProveWallet): Promise<void>
  /** Returns the auth share of this device. */
  own(): Promise<(EnrolmentPlace & { share: Uint8Array }) | undefined>
  /**
   * Returns the auth share of an enrolment of any device.
   *
   * @param stored the enrolment from the share store, which proves that the share store approved this device
   */
  any(stored: Pick<StoredEnrolment, 'setId' | 'share'>): Promise<(EnrolmentPlace & { share: Uint8Array }) | undefined>
  /**
   * Revokes a device and ends its sessions.
   *
   * @param prove signs the challenge that the revocation of an established device needs
   */
  revoke(setId: Uint8Array, prove?: ProveWallet): Promise<void>
}

/** Signs a challenge with the keys of the open wallet, see `signWalletProof`. */
export type ProveWallet = (challenge: Uint8Array) => Promise<Uint8Array>

/** The recovery shares, the vault and the wrapped recovery keys at the share store. */
export type ShareStore = {
  prepare(
    set: EnrolmentPlace & {
      share: Uint8Array
      vault?: Uint8Array
      wraps?: readonly WrappedRecoveryKey[]
      /** The key that later proofs of this wallet are verified with. */
      proofKey?: Uint8Array
    },
  ): Promise<void>
  read(setId: Uint8Array): Promise<StoredEnrolment | undefined>
  /** @param sign signs the proof that the first enrolment of a later epoch needs */
  commit(setId: Uint8Array, sign?: SignForStore): Promise<void>
  /** As `commitProven` of the auth service. */
  commitProven(setId: Uint8Array, sign: SignForStore): Promise<void>
  /** Returns the latest enrolment, except the listed ones. */
  find(except?: readonly Uint8Array[]): Promise<StoredEnrolment | undefined>
  /** @param sign signs the proof that the removal of an established device needs */
  remove(setId: Uint8Array, sign?: SignForStore): Promise<void>
  /** Lists the devices that the share store admits. */
  devices(): Promise<readonly AdmittedDevice[]>
  /** Removes a device by the thumbprint of its key, as `remove`. */
  removeDevice(key: string, sign: SignForStore): Promise<void>
  /** Returns the key of the automatic recovery method. The store creates it on the first request. */
  autoKey(): Promise<Uint8Array>
  recoveryMethods(): Promise<readonly StoredRecoveryMethod[]>
  /** @throws ServiceRefusal 403 `deviceAge` if the device is too new */
  addRecoveryMethod(wrap: WrappedRecoveryKey, sign: SignForStore): Promise<void>
  /**
   * Registers the public key (SubjectPublicKeyInfo, ES256) of a passkey that is a recovery method, so that it approves new devices.
   */
  addPasskey(passkey: { id: Uint8Array; publicKey: Uint8Array }, sign: SignForStore): Promise<void>
  /** True if this address approves the user's new devices and can be replaced. @throws ServiceRefusal 403 `deviceAge` */
  isContactMovable(current: string): Promise<boolean>
  /**
   * Sets the address that approves new devices. The present one gets a mail with a link that stops the change.
   *
   * @returns when it takes effect, in milliseconds since the epoch
   */
  changeContact(change: { email: string; current: string }): Promise<number>
  /** Lists the new devices of the user that wait for an approval. */
  waitingDevices(): Promise<readonly WaitingDevice[]>
  /** @throws ServiceRefusal 401 `match`, 404 `id` */
  approveWaitingDevice(id: string, match: string): Promise<void>
  stopWaitingDevice(id: string): Promise<void>
  /**
   * Returns this device's enrolment under the user id that the auth service lost.
   *
   * @throws ServiceRefusal 403 `device` if this device has none, is too new, or was not approved lately, or if that user still exists
   */
  findLost(): Promise<LostEnrolment>
  /**
   * Moves the wallet of a lost user id to the logged-in user.
   *
   * @param sign signs the proof that this needs
   */
  adopt(previous: string, sign: SignForStore): Promise<void>
  /** Deletes everything after three days. */
  requestDeletion(sign: SignForStore): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

/** A device that the share store admits, by the thumbprint of its key. */
export type AdmittedDevice = {
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly current: boolean
}

/** A new device that waits for the approval of a known one. */
export type WaitingDevice = {
  readonly id: string
  readonly browser: string
  /** The approximate place of its request as a code, see `formatPlace`. */
  readonly place?: string
  /** Time of its request, and time of its admission without an approval, in milliseconds since the epoch. */
  readonly at: number
  readonly opensAt: number
}

/** A recovery method without its secret. */
export type StoredRecoveryMethod = Pick<WrappedRecoveryKey, 'id' | 'method' | 'facts'> & { readonly createdAt: number }

/** An enrolment under a user id that the auth service lost. */
export type LostEnrolment = StoredEnrolment & {
  /** The lost user id. */
  readonly previous: string
  /** The key of the automatic recovery method, if the wallet has it. */
  readonly autoKey?: Uint8Array
}

export type StoredEnrolment = EnrolmentPlace & {
  share: Uint8Array
  vault: Uint8Array
  wraps: readonly WrappedRecoveryKey[]
}

/**
 * Creates the client for auth shares.
 *
 * @param origin page that uses the wallet, for the list of devices
 */
export function createAuthShares(request: ServiceRequest, { origin }: { origin?: string } = {}): AuthShares {
  const post = (path: string, body: object) => request('POST', `/auth/v1/shares${path}`, body)
  const postProof = async (path: string, body: object, prove: ProveWallet) => {
    const { challenge } = await request('POST', '/auth/v1/passkeys/challenge', {})
    const signature = toBase64url(await prove(parseBytes(challenge)))
    return post(path, { ...body, proof: { challenge, signature } })
  }
  const postWalletProof = (path: string, body: object, prove: ProveWallet | undefined) =>
    post(path, body).catch((error: unknown) => {
      if (prove === undefined || !isProofNeeded(error)) throw error
      return postProof(path, body, prove)
    })
  return {
    prepare: async ({ share, accounts, sealed, ...set }) =>
      void (await post('', {
        ...serializePlace(set),
        share: toBase64url(share),
        verifier: toBase64url(shareVerifier(sealed)),
        accounts,
        origin,
      })),
    read: (setId) => catchNotFound(async () => parseStoredShare(await post('/read', { setId: toBase64url(setId) }))),
    commit: async (setId, prove) => void (await postWalletProof('/commit', { setId: toBase64url(setId) }, prove)),
    commitProven: async (setId, prove) => void (await postProof('/commit', { setId: toBase64url(setId) }, prove)),
    own: () => catchNotFound(async () => parseStoredShare(await post('/own', {}))),
    any: ({ setId, share }) =>
      catchNotFound(async () => {
        const proven = { setId: toBase64url(setId), proof: toBase64url(shareProof(share)) }
        return parseStoredShare(await post('/any', proven))
      }),
    revoke: async (setId, prove) => void (await postWalletProof('/revoke', { setId: toBase64url(setId) }, prove)),
  }
}

/**
 * Creates the client of the share store.
 *
 * @param url URL of the share store, without a trailing slash
 */
export function createShareStore(request: ServiceRequest, url: string): ShareStore {
  const toStore = (path: string, body: object) => request('POST', `/shares/v1${path}`, body)
  const toStoreProven = (path: string, body: object, proof: Omit<StoreProofRequest, 'url'>) =>
    postProven(toStore, { path, body }, { ...proof, url })
  const post = (path: string, body: object) => toStore(`/sets${path}`, body)
  return {
    prepare: async ({ share, vault, wraps, proofKey, ...set }) =>
      void (await post('', {
        ...serializePlace(set),
        share: toBase64url(share),
        vault: vault && toBase64url(vault),
        wraps: wraps?.map(({ wrapped, ...wrap }) => ({ ...wrap, wrapped: toBase64url(wrapped) })),
        proofKey: proofKey && toBase64url(proofKey),
      })),
    read: (setId) =>
      catchNotFound(async () => parseStoredEnrolment(await post('/read', { setId: toBase64url(setId) }))),
    ...createCommits(toStore, url),
    find: (except = []) =>
      catchNotFound(async () => parseStoredEnrolment(await post('/find', { except: except.map(toBase64url) }))),
    remove: async (setId, sign) => {
      const action = { purpose: 'remove', setId } as const
      await toStoreProven('/sets/remove', { setId: toBase64url(setId) }, { action, sign })
    },
    devices: async () => parseAdmittedDevices(await toStore('/devices/list', {})),
    removeDevice: async (key, sign) =>
      void (await toStoreProven('/devices/remove', { key }, { action: { purpose: 'remove-device', key }, sign })),
    autoKey: async () => parseBytes((await toStore('/auto', {}))['key']),
    async recoveryMethods() {
      const { ways } = await toStore('/ways/list', {})
      if (!Array.isArray(ways)) throw invalidServiceResponse()
      return ways.map(parseStoredMethod)
    },
    async addRecoveryMethod(method, sign) {
      const { wrapped, ...rest } = method
      const body = { ...rest, wrapped: toBase64url(wrapped) }
      await toStoreProven('/ways', body, { action: { purpose: 'method', method }, sign })
    },
    async addPasskey(passkey, sign) {
      const body = { id: toBase64url(passkey.id), publicKey: toBase64url(passkey.publicKey) }
      await toStoreProven('/passkeys', body, { action: { purpose: 'passkey', ...passkey }, sign })
    },
    isContactMovable: async (current) => (await toStore('/contact/movable', { current }))['isMovable'] === true,
    changeContact: async (change) => parseTime((await toStore('/contact', change))['at']),
    async waitingDevices() {
      const { devices } = await toStore('/devices/waiting', {})
      return Array.isArray(devices) ? devices.map(parseWaitingDevice) : []
    },
    approveWaitingDevice: async (id, match) => void (await toStore('/devices/approve', { id, match })),
    stopWaitingDevice: async (id) => void (await toStore('/devices/stop', { id })),
    ...createAdoption(toStore, url),
    async requestDeletion(sign) {
      const { at } = await toStoreProven('/deletion', {}, { action: { purpose: 'delete' }, sign })
      return { at: parseTime(at) }
    },
    cancelDeletion: async () => void (await toStore('/deletion/cancel', {})),
  }
}

/** The part of the client that makes enrolments live. */
function createCommits(toStore: PostToStore, url: string): Pick<ShareStore, 'commit' | 'commitProven'> {
  const requestOf = (setId: Uint8Array) => ({ path: '/sets/commit', body: { setId: toBase64url(setId) } })
  const actionOf = (setId: Uint8Array) => ({ purpose: 'epoch', setId }) as const
  return {
    async commit(setId, sign) {
      await postProven(toStore, requestOf(setId), { url, action: actionOf(setId), sign })
    },
    async commitProven(setId, sign) {
      await postProof(toStore, requestOf(setId), { url, action: actionOf(setId), sign })
    },
  }
}

/** The part of the client that moves a wallet to a new user id. */
function createAdoption(toStore: PostToStore, url: string): Pick<ShareStore, 'findLost' | 'adopt'> {
  return {
    findLost: async () => parseLostEnrolment(await toStore('/adopt/read', {})),
    async adopt(previous, sign) {
      await postProven(toStore, { path: '/adopt', body: {} }, { url, action: { purpose: 'adopt', previous }, sign })
    },
  }
}

/** Turns 404 into `undefined`. */
async function catchNotFound<found>(look: () => Promise<found>): Promise<found | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 404) return undefined
    throw error
  }
}

const serializePlace = ({ walletId, setId, epoch }: EnrolmentPlace) => ({
  walletId: toBase64url(walletId),
  setId: toBase64url(setId),
  epoch,
})

function parseStoredShare(response: Record<string, unknown>): EnrolmentPlace & { share: Uint8Array } {
  const { walletId, setId, epoch, share } = response
  if (typeof epoch !== 'number') throw invalidServiceResponse()
  return { walletId: parseBytes(walletId), setId: parseBytes(setId), epoch, share: parseBytes(share) }
}

function parseStoredEnrolment(result: Record<string, unknown>): StoredEnrolment {
  const { vault, wraps } = result
  if (!Array.isArray(wraps)) throw invalidServiceResponse()
  return { ...parseStoredShare(result), vault: parseBytes(vault), wraps: wraps.map(parseWrappedKey) }
}

function parseLostEnrolment(result: Record<string, unknown>): LostEnrolment {
  const { previous, autoKey } = result
  const stored = { ...parseStoredEnrolment(result), previous: parseText(previous) }
  return autoKey === undefined ? stored : { ...stored, autoKey: parseBytes(autoKey) }
}

function parseWrappedKey(wrap: unknown): WrappedRecoveryKey {
  if (!isRecord(wrap)) throw invalidServiceResponse()
  const { id, method, wrapped, facts } = wrap
  if (typeof id !== 'string' || typeof facts !== 'string' || !isRecoveryMethod(method)) throw invalidServiceResponse()
  return { id, method, wrapped: parseBytes(wrapped), facts }
}

function parseStoredMethod(value: unknown): StoredRecoveryMethod {
  if (!isRecord(value)) throw invalidServiceResponse()
  const { id, method, facts, createdAt } = value
  if (typeof id !== 'string' || typeof facts !== 'string' || !isRecoveryMethod(method)) throw invalidServiceResponse()
  return { id, method, facts, createdAt: parseTime(createdAt) }
}

function parseWaitingDevice(device: unknown): WaitingDevice {
  if (!isRecord(device)) throw invalidServiceResponse()
  const { id, browser, place, at, opensAt } = device
  if (typeof id !== 'string' || typeof browser !== 'string') throw invalidServiceResponse()
  const times = { at: parseTime(at), opensAt: parseTime(opensAt) }
  return { id, browser, ...(typeof place === 'string' && { place }), ...times }
}

function parseAdmittedDevices({ devices }: Record<string, unknown>): readonly AdmittedDevice[] {
  if (!Array.isArray(devices)) throw invalidServiceResponse()
  return devices.map(parseAdmittedDevice)
}

function parseAdmittedDevice(device: unknown): AdmittedDevice {
  if (!isRecord(device)) throw invalidServiceResponse()
  const { key, since, current } = device
  return { key: parseText(key), since: parseTime(since), current: current === true }
}

function parseText(value: unknown): string {
  if (typeof value !== 'string') throw invalidServiceResponse()
  return value
}

function parseTime(value: unknown): number {
  if (typeof value !== 'number') throw invalidServiceResponse()
  return value
}

function isRecoveryMethod(value: unknown): value is RecoveryMethod {
  return value === 'auto' || value === 'password' || value === 'passkey'
}

function parseBytes(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw invalidServiceResponse()
  return fromBase64url(value)
}

function invalidServiceResponse(): Error {
  return httpError('http/invalid-response', { subject: 'the wallet' })
}
