import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64url, toBase64url } from '../../services/toBase64url.ts'
import type { ServiceRequest } from '../../services/serviceRequest.ts'
import type { PasskeyProof, PasskeyRequest, RecoveryCredential } from '../keyHolder.ts'

/** The approval of this new device by a passkey of the user, as the second proof of a login. */
export type DevicePasskey = {
  createRequest(): Promise<PasskeyRequest>
  /** @throws ServiceRefusal 401 `passkey`, 404 `id` */
  prove(passkey: { proof: PasskeyProof; output: Uint8Array }): Promise<void>
  /** Resolves once the share store has accepted the passkey. */
  readonly used: Promise<void>
  /** The passkey that was used, which also opens the wallet. */
  credential(): RecoveryCredential | undefined
}

export type DevicePasskeyDependencies = {
  /** Sends requests to the share store as the logged-in user. */
  readonly shares: ServiceRequest
  /** Thumbprint of the device key. */
  readonly thumbprint: string
}

/**
 * Creates the approval by a passkey.
 *
 * The passkey signs the purpose and this device with the challenge of the share store. The auth service gets its own challenges
 * signed, and could otherwise pass on one that the share store created for another device.
 */
export function createDevicePasskey({ shares, thumbprint }: DevicePasskeyDependencies): DevicePasskey {
  let credential: RecoveryCredential | undefined
  let resolve = (): void => undefined
  const used = new Promise<void>((done) => (resolve = done))
  return {
    used,
    credential: () => credential,
    async createRequest() {
      const { challenge, input } = await shares('POST', '/shares/v1/devices/passkey/challenge', {})
      const prefix = concatBytes(utf8ToBytes('latchkey/device-passkey/1'), fromBase64url(thumbprint))
      return { input: fromBase64url(String(input)), challenge: concatBytes(prefix, fromBase64url(String(challenge))) }
    },
    async prove({ proof: { id, authenticatorData, clientDataJSON, signature }, output }) {
      await shares('POST', '/shares/v1/devices/passkey', {
        id,
        authenticatorData: toBase64url(authenticatorData),
        clientDataJSON: toBase64url(clientDataJSON),
        signature: toBase64url(signature),
      })
      credential = { method: 'passkey', id, output }
      resolve()
    },
  }
}
