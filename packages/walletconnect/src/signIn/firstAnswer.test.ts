import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, fromBase64, randomBytes, toBase64 } from '../bytes.ts'
import { seal, topicOf } from '../crypto.ts'
import { createKeyPair } from '../curves.ts'
import { createFirstAnswer, openFirstAnswer } from './firstAnswer.ts'

describe('the first answer of a wallet', () => {
  test('is read by whoever has the key that it is for, on the topic of that key', async () => {
    const keys = await createKeyPair()
    const { topic, seal: sealed } = await createFirstAnswer(bytesToHex(keys.publicKey))
    expect(topic).toBe(topicOf(keys.publicKey))
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const result: unknown = JSON.parse(JSON.stringify(value))
        const message = sealed({ id: 1, jsonrpc: '2.0', result })
        expect(await openFirstAnswer(keys, message)).toEqual({ kind: 'result', id: 1, result })
        expect(await openFirstAnswer(await createKeyPair(), message)).toBeUndefined()
      }),
      { numRuns: 20 },
    )
  })

  test('is not read when a bit of it was changed, nor from another envelope', async () => {
    const keys = await createKeyPair()
    const answer = await createFirstAnswer(bytesToHex(keys.publicKey))
    const payload = { id: 1, jsonrpc: '2.0', result: true }
    const bytes = fromBase64(answer.seal(payload))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))
        // The highest bit of an X25519 key says nothing (RFC 7748 §5).
        fc.pre(!(at === 32 && bit === 7))
        expect(await openFirstAnswer(keys, toBase64(changed))).toBeUndefined()
      }),
      { numRuns: 50 },
    )
    expect(await openFirstAnswer(keys, seal(JSON.stringify(payload), answer.key))).toBeUndefined()
    expect(await openFirstAnswer(keys, '')).toBeUndefined()
  })

  test('is not read with a key that makes the secret zero, and not written for one', async () => {
    const keys = await createKeyPair()
    const zero = new Uint8Array(32)
    const message = seal('{"id":1,"result":true}', randomBytes(32), zero)
    expect(await openFirstAnswer(keys, message)).toBeUndefined()
    await expect(createFirstAnswer(bytesToHex(zero))).rejects.toMatchObject({ code: 'session/invalid' })
  })
})
