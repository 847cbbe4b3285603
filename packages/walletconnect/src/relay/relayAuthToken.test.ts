import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { fromBase64Url, hexToBytes, randomBytes, encodeUtf8, decodeUtf8 } from '../crypto/bytes.ts'
import { createSigner } from '../crypto/createKeyPair.ts'
import { platformCurves } from '../crypto/platformCurves.ts'
import { portableCurves } from '../crypto/portableCurves.ts'
import { createRelayAuthToken } from './relayAuthToken.ts'

const audience = 'wss://relay.example.org/relay'
const issuedAt = 1_735_689_600

describe('the token for a relay', () => {
  test('contains the client’s did:key, the relay and a day, and is signed by the client', async () => {
    const seed = randomBytes(32)
    const signer = await createSigner(seed)
    const token = await createRelayAuthToken({ signer, audience, subject: 'ab'.repeat(32), issuedAt })
    const [header = '', claims = '', signature = ''] = token.split('.')
    expect(JSON.parse(decodeUtf8(fromBase64Url(header)))).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    const publicKey = ed25519.getPublicKey(seed)
    expect(JSON.parse(decodeUtf8(fromBase64Url(claims)))).toEqual({
      iss: `did:key:z${base58.encode(Uint8Array.from([0xed, 0x01, ...publicKey]))}`,
      sub: 'ab'.repeat(32),
      aud: audience,
      iat: issuedAt,
      exp: issuedAt + 86_400,
      act: 'client_auth',
    })
    expect(ed25519.verify(fromBase64Url(signature), encodeUtf8(`${header}.${claims}`), publicKey)).toBe(true)
  })

  test('has no padding and no characters that URLs escape', async () => {
    const signer = await portableCurves.createSigner(randomBytes(32))
    const token = await createRelayAuthToken({ signer, audience, subject: '??>>~~', issuedAt })
    expect(token).toMatch(/^[-\w]+\.[-\w]+\.[-\w]+$/)
  })
})

describe('signers', () => {
  test('of the platform and in JavaScript create equal signatures, so a client keeps its id (RFC 8032 §7.1)', async () => {
    const seed = hexToBytes('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
    for (const curves of [platformCurves, portableCurves]) {
      const signer = await curves.createSigner(seed)
      expect(signer.publicKey).toEqual(hexToBytes('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'))
      expect(await signer.sign(new Uint8Array())).toEqual(
        hexToBytes(
          'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
        ),
      )
    }
  })
})
