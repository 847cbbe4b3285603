import { type UpdateEmailAction, httpError, isRecord } from '@latchkey/protocol'
import { type ServiceRequest } from './serviceRequest.ts'
import type { ProveWallet } from './shareStore.ts'
import { fromBase64url, toBase64url } from './toBase64url.ts'

/** Tokens of a session, as the auth service issues them. */
export type SessionTokens = {
  /** For the auth service. */
  readonly accessToken: string
  /** For the share store. */
  readonly sharesToken: string
  readonly refreshToken: string
  readonly expiresAt: number
}

/** A device that holds a key share, or that is logged in. */
export type EnrolledDevice = {
  /** `undefined` if the device is only logged in. */
  readonly setId: string | undefined
  /** Thumbprint of the device key (RFC 7638). */
  readonly key: string
  readonly browser: string
  readonly origin: string | undefined
  readonly createdAt: number
  readonly current: boolean
}

/** A passkey's response to a challenge of the auth service (WebAuthn assertion, raw bytes). */
export type PasskeyAssertion = {
  readonly id: Uint8Array
  readonly authenticatorData: Uint8Array
  readonly clientDataJSON: Uint8Array
  readonly signature: Uint8Array
}

/** An action that a code confirms. The mail names it. */
export type StepUpAction = 'export' | 'delete'

/** The account functions of the auth service. A refusal is a `ServiceRefusal` with a message for the user. */
export type AccountService = {
  /** Evaluates a blinded password (OPRF). @throws ServiceRefusal 429 `password` after too many guesses */
  evaluate(blinded: Uint8Array, version?: number): Promise<{ evaluated: Uint8Array; version: number }>
  updateEmail(sendRequest: { email: string; projectId: string; origin: string }): Promise<{
    action: UpdateEmailAction
    id: string
  }>
  updateEmailPrimary(confirmation: { id: string; code: string }): Promise<void>
  updateEmailSecondary(confirmation: { id: string; code: string }): Promise<{ email: string }>
  /**
   * Mails a code to the user's address, for one action that needs a fresh login. It is accepted for no other one. @throws ServiceRefusal 401 `mailbox` if
   * the account has no address
   */
  stepUp(sendRequest: { origin: string; action: StepUpAction }): Promise<{ id: string }>
  redeemStepUp(confirmation: { id: string; code: string; action: StepUpAction }): Promise<SessionTokens>
  /** Registers a passkey's public key (SubjectPublicKeyInfo, ES256). */
  addPasskey(passkey: { id: Uint8Array; publicKey: Uint8Array }): Promise<void>
  removePasskey(id: Uint8Array): Promise<void>
  /** Returns a challenge for the same `get` that yields the PRF output, or for `proveWallet`. */
  passkeyChallenge(): Promise<Uint8Array>
  /** @returns tokens of a session that records the passkey */
  provePasskey(assertion: PasskeyAssertion): Promise<SessionTokens>
  /** Proves that this device opened the wallet, which resets the count of failed passwords. */
  proveWallet(proof: { challenge: Uint8Array; signature: Uint8Array }): Promise<void>
  /** Records an export. Call it before you show secrets. @throws ServiceRefusal 403 `fresh`, `device` */
  noteExport(): Promise<{ at: number }>
  devices(): Promise<readonly EnrolledDevice[]>
  /** Ends the sessions of another device, which then has to log in again. Idempotent. @throws ServiceRefusal 403 `deviceAge` */
  endSessions(key: string): Promise<void>
  /** Ends the sessions of all other devices. @throws ServiceRefusal 403 `deviceAge` */
  endOtherSessions(): Promise<void>
  /**
   * Requests the deletion of the account: after three days with a proof that the wallet is open, otherwise after thirty.
   *
   * @param prove signs a challenge of the auth service
   */
  requestDeletion(prove?: ProveWallet): Promise<{ at: number }>
  cancelDeletion(): Promise<void>
}

const challengeBytes = 32

/** Creates the client of the auth service's account functions. */
export function createAccountService(sendRequest: ServiceRequest): AccountService {
  const post = (path: string, body: object = {}) => sendRequest('POST', `/auth/v1${path}`, body)
  async function passkeyChallenge(): Promise<Uint8Array> {
    const challenge = fromBase64url(getText(await post('/passkeys/challenge'), 'challenge'))
    // Longer ones are those of the share store, which this service must not pass on.
    if (challenge.length !== challengeBytes) throw invalidResponse()
    return challenge
  }
  return {
    async evaluate(blinded, version) {
      const response = await post('/oprf', { blinded: toBase64url(blinded), version })
      return { evaluated: fromBase64url(getText(response, 'evaluated')), version: getNumber(response, 'version') }
    },
    async updateEmail(request) {
      const response = await post('/email/update', request)
      const action = getText(response, 'action')
      if (action !== 'VERIFY_PRIMARY_OTP' && action !== 'VERIFY_SECONDARY_OTP') throw invalidResponse()
      return { action, id: getText(response, 'id') }
    },
    updateEmailPrimary: async (confirmation) => void (await post('/email/primary', confirmation)),
    updateEmailSecondary: async (confirmation) => ({
      email: getText(await post('/email/secondary', confirmation), 'email'),
    }),
    stepUp: async (request) => ({ id: getText(await post('/stepup', request), 'id') }),
    redeemStepUp: async (confirmation) => parseSessionTokens(await post('/stepup/redeem', confirmation)),
    addPasskey: async ({ id, publicKey }) =>
      void (await post('/passkeys', { id: toBase64url(id), publicKey: toBase64url(publicKey) })),
    removePasskey: async (id) => void (await post('/passkeys/remove', { id: toBase64url(id) })),
    passkeyChallenge,
    async provePasskey({ id, authenticatorData, clientDataJSON, signature }) {
      const body = {
        id: toBase64url(id),
        authenticatorData: toBase64url(authenticatorData),
        clientDataJSON: toBase64url(clientDataJSON),
        signature: toBase64url(signature),
      }
      return parseSessionTokens(await post('/passkeys/prove', body))
    },
    proveWallet: async ({ challenge, signature }) =>
      void (await post('/shares/prove', { challenge: toBase64url(challenge), signature: toBase64url(signature) })),
    noteExport: async () => ({ at: getNumber(await post('/exported'), 'at') }),
    async devices() {
      const { devices } = await post('/devices')
      if (!Array.isArray(devices)) throw invalidResponse()
      return devices.map(parseEnrolledDevice)
    },
    endSessions: async (key) => void (await post('/sessions/end', { key })),
    endOtherSessions: async () => void (await post('/sessions/end-others')),
    async requestDeletion(prove) {
      if (prove === undefined) return { at: getNumber(await post('/deletion'), 'at') }
      const challenge = await passkeyChallenge()
      const proof = { challenge: toBase64url(challenge), signature: toBase64url(await prove(challenge)) }
      return { at: getNumber(await post('/deletion', { proof }), 'at') }
    },
    cancelDeletion: async () => void (await post('/deletion/cancel')),
  }
}

function parseSessionTokens(response: Record<string, unknown>): SessionTokens {
  return {
    accessToken: getText(response, 'accessToken'),
    sharesToken: getText(response, 'sharesToken'),
    refreshToken: getText(response, 'refreshToken'),
    expiresAt: getNumber(response, 'expiresAt'),
  }
}

function parseEnrolledDevice(device: unknown): EnrolledDevice {
  if (!isRecord(device)) throw invalidResponse()
  return {
    setId: typeof device['setId'] === 'string' ? device['setId'] : undefined,
    key: getText(device, 'key'),
    browser: getText(device, 'browser'),
    origin: typeof device['origin'] === 'string' ? device['origin'] : undefined,
    createdAt: getNumber(device, 'createdAt'),
    current: device['current'] === true,
  }
}

function getText(response: Record<string, unknown>, field: string): string {
  const value = response[field]
  if (typeof value !== 'string') throw invalidResponse()
  return value
}

function getNumber(response: Record<string, unknown>, field: string): number {
  const value = response[field]
  if (typeof value !== 'number') throw invalidResponse()
  return value
}

function invalidResponse(): Error {
  return httpError('http/invalid-response', { subject: 'the wallet' })
}
