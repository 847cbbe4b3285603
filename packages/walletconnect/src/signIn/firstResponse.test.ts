import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, fromBase64, randomBytes, toBase64 } from '../crypto/bytes.ts'
import { sealEnvelope, topicOfKey } from '../crypto/envelope.ts'
import { createKeyPair } from '../crypto/createKeyPair.ts'
import { createFirstResponse, openFirstResponse } from './firstResponse.ts'

describe('the first response of a wallet', () => {
  test('is decrypted with the key that it is for, on the topic of that key', async () => {
    const keys = await createKeyPair()
    const { topic, seal: sealed } = await createFirstResponse(bytesToHex(keys.publicKey))
    expect(topic).toBe(topicOfKey(keys.publicKey))
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const result: unknown = JSON.parse(JSON.stringify(value))
        const message = sealed({ id: 1, jsonrpc: '2.0', result })
        expect(await openFirstResponse(keys, message)).toEqual({ kind: 'result', id: 1, result })
        expect(await openFirstResponse(await createKeyPair(), message)).toBeUndefined()
      }),
      { numRuns: 20 },
    )
  })

  test('is not decrypted with a changed bit or from another envelope', async () => {
    const keys = await createKeyPair()
    const response = await createFirstResponse(bytesToHex(keys.publicKey))
    const payload = { id: 1, jsonrpc: '2.0', result: true }
    const bytes = fromBase64(response.seal(payload))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))
        // X25519 ignores the highest bit of a public key (RFC 7748 §5).
        fc.pre(!(at === 32 && bit === 7))
        expect(await openFirstResponse(keys, toBase64(changed))).toBeUndefined()
      }),
      { numRuns: 50 },
    )
    expect(await openFirstResponse(keys, sealEnvelope(JSON.stringify(payload), response.key))).toBeUndefined()
    expect(await openFirstResponse(keys, '')).toBeUndefined()
  })

  test('is neither decrypted nor created with a key whose secret is zero', async () => {
    const keys = await createKeyPair()
    const zero = new Uint8Array(32)
    const message = sealEnvelope('{"id":1,"result":true}', randomBytes(32), zero)
    expect(await openFirstResponse(keys, message)).toBeUndefined()
    await expect(createFirstResponse(bytesToHex(zero))).rejects.toMatchObject({ code: 'session/invalid' })
  })
})
