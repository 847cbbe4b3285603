import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The response to a challenge, in the form of the services' requests. Each value is base64url. */
export type FakeAssertion = {
  readonly id: string
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
}

/** Values that differ from those of a genuine ceremony of the frame. */
export type FakeCeremony = {
  readonly type?: string
  readonly host?: string
  readonly origin?: string
  readonly flags?: number
}

/** A passkey in software. */
export type FakePasskey = {
  /** Credential id, base64url. */
  readonly id: string
  /** SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string
  /** Signs a challenge (base64url) as WebAuthn specifies. */
  respond(challenge: string, ceremony?: FakeCeremony): FakeAssertion
}

/** Creates a passkey on P-256 for the frame at `testFrameUrl`. */
export function createFakePasskey(): FakePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const id = randomBytes(20).toString('base64url')
  return {
    id,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    respond(challenge, ceremony = {}) {
      const { type = 'webauthn.get', host = 'wallet.localhost', flags = 0b101 } = ceremony
      const { origin = 'http://wallet.localhost:4605' } = ceremony
      const clientData = Buffer.from(JSON.stringify({ type, challenge, origin }))
      const rpIdHash = createHash('sha256').update(host).digest()
      const authenticatorData = Buffer.concat([rpIdHash, Buffer.of(flags, 0, 0, 0, 1)])
      const hashed = createHash('sha256').update(clientData).digest()
      return {
        id,
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authenticatorData, hashed]), privateKey).toString('base64url'),
      }
    },
  }
}
