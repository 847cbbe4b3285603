import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
  type JsonWebKey,
} from 'node:crypto'
import { createServer } from 'node:http'
import { listenLocally, recordRequests, type RecordedRequest, type RecordedRequests } from './recordRequests.ts'

/**
 * A push service with the browser behind it, written from RFC 8030, 8188, 8291 and 8292 with the primitives of Node.js: it
 * shares no code with the sender.
 */
export type WebPushReceiver = RecordedRequests & {
  url: string
  /** Creates a subscription of a browser at this service. */
  subscribe(): BrowserSubscription
  close(): Promise<void>
}

/** A browser's subscription, and its secrets. */
export type BrowserSubscription = {
  /** The text that a page registers: `JSON.stringify(subscription.toJSON())`. */
  token: string
  path: string
  /** Decrypts a request as the browser does. @throws Error if it was changed or is for another browser */
  decrypt(request: RecordedRequest): Record<string, unknown>
}

/** Starts the service. */
export async function startWebPushReceiver(): Promise<WebPushReceiver> {
  const recorded = recordRequests({ status: 201 })
  const server = createServer(recorded.listener)
  const url = `http://127.0.0.1:${await listenLocally(server)}`

  return {
    ...recorded,
    url,
    subscribe() {
      const key = createECDH('prime256v1')
      key.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(8).toString('hex')}`
      const keys = { p256dh: key.getPublicKey().toString('base64url'), auth: auth.toString('base64url') }
      return {
        token: JSON.stringify({ endpoint: url + path, expirationTime: null, keys }),
        path,
        decrypt: ({ body }) => JSON.parse(decryptPush(body, { key, auth }).toString()) as Record<string, unknown>,
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Decrypts the body of a push message in a single record (RFC 8188 section 2, RFC 8291 section 3.4). */
export function decryptPush(body: Buffer, { key, auth }: { key: ECDH; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  if (sealed.length > body.readUInt32BE(16)) throw new Error('There is more than one record.')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), senderKey])
  const secret = derive(key.computeSecret(senderKey), auth, info, 32)
  const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong.')
  return padded.subarray(0, end)
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

/** The key and the claims of a verified `Authorization` header. */
export type VerifiedVapid = { publicKey: string; claims: Record<string, unknown> }

/** Verifies an `Authorization` header (RFC 8292). @throws Error if its signature is wrong */
export function verifyVapid({ headers: { authorization = '' } }: RecordedRequest): VerifiedVapid {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as JsonWebKey
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const isValid = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isValid) throw new Error('The signature of the header is wrong.')
  return { publicKey, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown> }
}
