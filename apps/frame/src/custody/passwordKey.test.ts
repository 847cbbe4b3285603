import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { watchWipes } from '../testing/watchWipes.ts'
import { createPasswordKey, restorePasswordKey, type Evaluate, type StretchPassword } from './passwordKey.ts'
import { unwrapRecoveryKey, wrapRecoveryKey } from './recoveryMethod.ts'
import { stretchWithArgon2 } from './stretchWithArgon2.ts'

/** The OPRF of the auth service. */
const fakeOprfService = (): { evaluate: Evaluate; seen: Uint8Array[] } => {
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
const stretchQuickly: StretchPassword = async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt])
const password = 'correct horse battery'
const place = { walletId: new Uint8Array(16), method: 'password' } as const

describe('the key of a password', () => {
  test('depends on the normalized password only', async () => {
    const { evaluate } = fakeOprfService()
    const { key, facts } = await createPasswordKey({ password: 'Pässwörd!', evaluate, stretch: stretchQuickly })
    expect(
      await restorePasswordKey({ password: 'Pa\u0308sswo\u0308rd!', evaluate, stretch: stretchQuickly, facts }),
    ).toEqual(key)
    expect(await restorePasswordKey({ password: 'Passwörd!', evaluate, stretch: stretchQuickly, facts })).not.toEqual(
      key,
    )
    expect((await createPasswordKey({ password: 'Pässwörd!', evaluate, stretch: stretchQuickly })).key).not.toEqual(key)
  })

  test('can’t be guessed with the stored data alone, without the auth service [K-09]', { tags: 'abuse' }, async () => {
    const { evaluate } = fakeOprfService()
    const { key, facts } = await createPasswordKey({ password, evaluate, stretch: stretchQuickly })
    const wrapped = await wrapRecoveryKey(key, place, new Uint8Array(32).fill(7))
    const list = [password, ...Array.from({ length: 999 }, (_, at) => `word${at}`)]
    // Offline, the attacker has to replace the service's secret.
    const own = fakeOprfService()
    const outcomes = await Promise.allSettled(
      list.map(async (guess) =>
        unwrapRecoveryKey(
          await restorePasswordKey({ password: guess, facts, evaluate: own.evaluate, stretch: stretchQuickly }),
          place,
          wrapped,
        ),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
    const right = await restorePasswordKey({ password, facts, evaluate, stretch: stretchQuickly })
    expect(await unwrapRecoveryKey(right, place, wrapped)).toEqual(new Uint8Array(32).fill(7))
  })

  test('is requested with a different blinded input each time', async () => {
    const { evaluate, seen } = fakeOprfService()
    const { facts } = await createPasswordKey({ password, evaluate, stretch: stretchQuickly })
    await restorePasswordKey({ password, facts, evaluate, stretch: stretchQuickly })
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
  })

  test('leaves no stretched input in memory', async () => {
    const { evaluate } = fakeOprfService()
    const inputs: Uint8Array[] = []
    const watched: StretchPassword = async (input, salt) => {
      inputs.push(input)
      return stretchQuickly(input, salt)
    }
    const { facts } = await createPasswordKey({ password, evaluate, stretch: watched })
    await restorePasswordKey({ password, facts, evaluate, stretch: watched })
    expect(inputs).toEqual([new Uint8Array(64), new Uint8Array(64)])
  })

  test.each([
    [
      'after a success',
      async (evaluate: Evaluate) => createPasswordKey({ password, evaluate, stretch: stretchQuickly }),
    ],
    [
      'after a refusal of the service',
      async () => {
        const refused = createPasswordKey({
          password,
          evaluate: () => Promise.reject(new Error('refused')),
          stretch: stretchQuickly,
        })
        await expect(refused).rejects.toThrow('refused')
      },
    ],
  ])('leaves neither the password nor the blind in memory %s', async (_name, derive) => {
    const { evaluate } = fakeOprfService()
    const wiped = watchWipes()
    await derive(evaluate)
    expect(wiped).toContainEqual(new TextEncoder().encode(password))
    // The blind is a scalar of 32 bytes, and random.
    expect(wiped.filter(({ length }) => length === 32).some((bytes) => bytes.some((byte) => byte !== 0))).toBe(true)
  })

  test('leaves no stretched input in memory if the stretching fails', async () => {
    const { evaluate } = fakeOprfService()
    const inputs: Uint8Array[] = []
    const failing: StretchPassword = (input) => {
      inputs.push(input)
      return Promise.reject(new Error('no memory'))
    }
    await expect(createPasswordKey({ password, evaluate, stretch: failing })).rejects.toThrow('no memory')
    expect(inputs).toEqual([new Uint8Array(64)])
  })

  test('is the same for characters that look alike to the user, such as ligatures and wide letters', async () => {
    const { evaluate } = fakeOprfService()
    const { key, facts } = await createPasswordKey({ password: 'ﬁve Ｗords', evaluate, stretch: stretchQuickly })
    expect(await restorePasswordKey({ password: 'five Words', evaluate, stretch: stretchQuickly, facts })).toEqual(key)
  })

  test('has another salt of 16 bytes each time', async () => {
    const { evaluate } = fakeOprfService()
    const salts: string[] = []
    const watched: StretchPassword = async (input, salt) => {
      expect(salt).toHaveLength(16)
      salts.push(String(salt))
      return stretchQuickly(input, salt)
    }
    await createPasswordKey({ password, evaluate, stretch: watched })
    await createPasswordKey({ password, evaluate, stretch: watched })
    expect(new Set(salts).size).toBe(2)
    expect(salts).not.toContain(String(new Uint8Array(16)))
  })

  test('uses the version of the service’s secret that it was created with', async () => {
    const versions: (number | undefined)[] = []
    const { evaluate } = fakeOprfService()
    const watched: Evaluate = async (blinded, version) => {
      versions.push(version)
      return { ...(await evaluate(blinded)), version: 3 }
    }
    const { facts } = await createPasswordKey({ password, evaluate: watched, stretch: stretchQuickly })
    expect(JSON.parse(facts)).toEqual({ form: 1, salt: expect.stringMatching(/^[\w-]{22}$/), oprf: 3 })
    await restorePasswordKey({ password, facts, evaluate: watched, stretch: stretchQuickly })
    expect(versions).toEqual([undefined, 3])
  })

  test.each([
    '',
    'null',
    '7',
    '"form"',
    '[]',
    '{}',
    '{"form":2,"salt":"AAAAAAAAAAAAAAAAAAAAAA","oprf":1}',
    '{"form":1,"salt":"AA","oprf":1}',
    '{"form":1,"salt":"AAAAAAAAAAAAAAAAAAAAAAAA","oprf":1}',
    '{"form":1,"salt":"AAAAAAAAAAAAAAAAAAAAA!","oprf":1}',
    '{"form":1,"salt":[0],"oprf":1}',
    '{"form":1,"oprf":1}',
    '{"form":1,"salt":"AAAAAAAAAAAAAAAAAAAAAA","oprf":"1"}',
    '{"form":1,"salt":"AAAAAAAAAAAAAAAAAAAAAA"}',
  ])('is refused with facts like %j', async (facts) => {
    const { evaluate, seen } = fakeOprfService()
    await expect(restorePasswordKey({ password, facts, evaluate, stretch: stretchQuickly })).rejects.toEqual(
      expect.objectContaining({
        code: 'custody/unreadable',
        context: { what: 'The stored data of the password' },
      }),
    )
    expect(seen).toEqual([])
  })
})
