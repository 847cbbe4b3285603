import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { createPasswordKey, restorePasswordKey, type Evaluate, type Stretch } from './passwordKey.ts'
import { unwrapRecoveryKey, wrapRecoveryKey } from './recoveryMethod.ts'
import { stretchWithArgon2 } from './stretchWithArgon2.ts'

/** The OPRF of the auth service. */
const service = (): { evaluate: Evaluate; seen: Uint8Array[] } => {
  const { secretKey } = suite.oprf.generateKeyPair()
  const seen: Uint8Array[] = []
  return {
    seen,
    async evaluate(blinded, version = 1) {
      seen.push(blinded)
      return { evaluated: suite.oprf.blindEvaluate(secretKey, blinded), version }
    },
  }
}
/** A cheap stretch for tests that don't depend on its cost. */
const stretch: Stretch = async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt])
const password = 'correct horse battery'
const place = { walletId: new Uint8Array(16), method: 'password' } as const

describe('the key of a password', () => {
  test('depends on the normalized password only', async () => {
    const { evaluate } = service()
    const { key, facts } = await createPasswordKey({ password: 'Pässwörd!', evaluate, stretch })
    expect(await restorePasswordKey({ password: 'Pa\u0308sswo\u0308rd!', evaluate, stretch, facts })).toEqual(key)
    expect(await restorePasswordKey({ password: 'Passwörd!', evaluate, stretch, facts })).not.toEqual(key)
    expect((await createPasswordKey({ password: 'Pässwörd!', evaluate, stretch })).key).not.toEqual(key)
  })

  test('can’t be guessed with the stored data alone, without the auth service [K-09]', async () => {
    const { evaluate } = service()
    const { key, facts } = await createPasswordKey({ password, evaluate, stretch })
    const wrapped = await wrapRecoveryKey(key, place, new Uint8Array(32).fill(7))
    const list = [password, ...Array.from({ length: 999 }, (_, at) => `word${at}`)]
    // Offline, the attacker has to replace the service's secret.
    const own = service()
    const outcomes = await Promise.allSettled(
      list.map(async (guess) =>
        unwrapRecoveryKey(
          await restorePasswordKey({ password: guess, facts, evaluate: own.evaluate, stretch }),
          place,
          wrapped,
        ),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
    const right = await restorePasswordKey({ password, facts, evaluate, stretch })
    expect(await unwrapRecoveryKey(right, place, wrapped)).toEqual(new Uint8Array(32).fill(7))
  }, 60_000)

  test('is requested with a different blinded input each time', async () => {
    const { evaluate, seen } = service()
    const { facts } = await createPasswordKey({ password, evaluate, stretch })
    await restorePasswordKey({ password, facts, evaluate, stretch })
    expect(seen[0]).not.toEqual(seen[1])
  })

  test('is stretched by Argon2id with 64 MiB and three iterations', async () => {
    const bytes = await stretchWithArgon2(
      new TextEncoder().encode('password'),
      new TextEncoder().encode('somesaltsomesalt'),
    )
    expect(bytes).toHaveLength(32)
    const { argon2id } = await import('hash-wasm')
    const given = { password: 'password', salt: 'somesaltsomesalt', outputType: 'binary' } as const
    expect(bytes).toEqual(
      await argon2id({ ...given, iterations: 3, memorySize: 65_536, parallelism: 1, hashLength: 32 }),
    )
  }, 60_000)

  test.each(['', '{}', '{"form":2,"salt":"AAAAAAAAAAAAAAAAAAAAAA","oprf":1}', '{"form":1,"salt":"AA","oprf":1}'])(
    'is refused with facts like %j',
    async (facts) => {
      const { evaluate, seen } = service()
      await expect(restorePasswordKey({ password, facts, evaluate, stretch })).rejects.toEqual(
        expect.objectContaining({ code: 'custody/unreadable' }),
      )
      expect(seen).toEqual([])
    },
  )
})
