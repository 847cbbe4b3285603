import { LatchkeyError, type UpdateEmailAction } from '@latchkey/protocol'
import { isRecord, type Ask } from './ask.ts'
import { readBytes, writeBytes } from './bytes.ts'

/** A session's tokens, as the auth service tells them. */
export type ToldTokens = { readonly accessToken: string; readonly refreshToken: string; readonly expiresAt: number }

/** A device that has a part of the wallet key. */
export type ToldDevice = {
  readonly setId: string
  readonly browser: string
  readonly origin: string | undefined
  readonly createdAt: number
  readonly current: boolean
}

/** What a passkey answered to a challenge of the auth service (WebAuthn's assertion, its bytes as they are). */
export type PasskeyAnswer = {
  readonly id: Uint8Array
  readonly authenticatorData: Uint8Array
  readonly clientDataJSON: Uint8Array
  readonly signature: Uint8Array
}

/** What who is logged in may do with his account. Refusals are `ServiceRefusal`s whose sentence is for the visitor. */
export type Account = {
  /** The auth service's word on a blinded password. @throws ServiceRefusal 429 `password` after too many guesses */
  evaluate(blinded: Uint8Array, version?: number): Promise<{ evaluated: Uint8Array; version: number }>
  updateEmail(ask: { email: string; projectId: string; origin: string }): Promise<{
    action: UpdateEmailAction
    id: string
  }>
  updateEmailPrimary(answer: { id: string; code: string }): Promise<void>
  updateEmailSecondary(answer: { id: string; code: string }): Promise<{ email: string }>
  /** Mails a code to one's own address, for what wants a fresh login. @throws ServiceRefusal 401 `mailbox` without one */
  stepUp(ask: { origin: string }): Promise<{ id: string }>
  stepUpBy(answer: { id: string; code: string }): Promise<ToldTokens>
  /** Notes a passkey's public key (SubjectPublicKeyInfo, ES256), by which it is known again. */
  addPasskey(passkey: { id: Uint8Array; publicKey: Uint8Array }): Promise<void>
  removePasskey(id: Uint8Array): Promise<void>
  /** What the passkey has to sign: the `challenge` of the very `get` whose PRF output is taken. */
  passkeyChallenge(): Promise<Uint8Array>
  /** @returns tokens of a session that says that a passkey was shown */
  provePasskey(answer: PasskeyAnswer): Promise<ToldTokens>
  /** To be asked before secrets are shown. @throws ServiceRefusal 403 `fresh`, `device` */
  noteExport(): Promise<{ at: number }>
  devices(): Promise<readonly ToldDevice[]>
  requestDeletion(): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

/** The account over HTTP. */
export function createAccount(ask: Ask): Account {
  const post = (path: string, body: object = {}) => ask('POST', `/auth/v1${path}`, body)
  return {
    async evaluate(blinded, version) {
      const answer = await post('/oprf', { blinded: writeBytes(blinded), version })
      return { evaluated: readBytes(textOf(answer, 'evaluated')), version: numberOf(answer, 'version') }
    },
    async updateEmail(asked) {
      const answer = await post('/email/update', asked)
      const action = textOf(answer, 'action')
      if (action !== 'VERIFY_PRIMARY_OTP' && action !== 'VERIFY_SECONDARY_OTP') throw invalid()
      return { action, id: textOf(answer, 'id') }
    },
    updateEmailPrimary: async (answer) => void (await post('/email/primary', answer)),
    updateEmailSecondary: async (answer) => ({ email: textOf(await post('/email/secondary', answer), 'email') }),
    stepUp: async (asked) => ({ id: textOf(await post('/stepup', asked), 'id') }),
    stepUpBy: async (answer) => readTokens(await post('/stepup/redeem', answer)),
    addPasskey: async ({ id, publicKey }) =>
      void (await post('/passkeys', { id: writeBytes(id), publicKey: writeBytes(publicKey) })),
    removePasskey: async (id) => void (await post('/passkeys/remove', { id: writeBytes(id) })),
    passkeyChallenge: async () => readBytes(textOf(await post('/passkeys/challenge'), 'challenge')),
    async provePasskey({ id, authenticatorData, clientDataJSON, signature }) {
      const answer = {
        id: writeBytes(id),
        authenticatorData: writeBytes(authenticatorData),
        clientDataJSON: writeBytes(clientDataJSON),
        signature: writeBytes(signature),
      }
      return readTokens(await post('/passkeys/prove', answer))
    },
    noteExport: async () => ({ at: numberOf(await post('/exported'), 'at') }),
    async devices() {
      const { devices } = await post('/devices')
      if (!Array.isArray(devices)) throw invalid()
      return devices.map(readDevice)
    },
    requestDeletion: async () => ({ at: numberOf(await post('/deletion'), 'at') }),
    cancelDeletion: async () => void (await post('/deletion/cancel')),
  }
}

function readTokens(answer: Record<string, unknown>): ToldTokens {
  return {
    accessToken: textOf(answer, 'accessToken'),
    refreshToken: textOf(answer, 'refreshToken'),
    expiresAt: numberOf(answer, 'expiresAt'),
  }
}

function readDevice(device: unknown): ToldDevice {
  if (!isRecord(device)) throw invalid()
  return {
    setId: textOf(device, 'setId'),
    browser: textOf(device, 'browser'),
    origin: typeof device['origin'] === 'string' ? device['origin'] : undefined,
    createdAt: numberOf(device, 'createdAt'),
    current: device['current'] === true,
  }
}

function textOf(answer: Record<string, unknown>, field: string): string {
  const value = answer[field]
  if (typeof value !== 'string') throw invalid()
  return value
}

function numberOf(answer: Record<string, unknown>, field: string): number {
  const value = answer[field]
  if (typeof value !== 'number') throw invalid()
  return value
}

function invalid(): Error {
  return new LatchkeyError('http/invalid-answer', { what: 'the wallet' })
}
