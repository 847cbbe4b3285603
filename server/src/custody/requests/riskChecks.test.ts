import { expect, test } from 'vitest'
import { createRiskChecks, stepUpMethod } from './riskChecks.ts'
import type { AccessClaims } from './verifyAccessToken.ts'

const now = Date.UTC(2026, 10, 22)
const claims: AccessClaims = { user: 'ann', key: 'laptop', methods: ['email'], session: 's', begunAt: now }
const fiveMinutes = 5 * 60_000

/** Checks of a service that knows the established devices in the list. */
const checksOf = (...established: readonly string[]) =>
  createRiskChecks({
    clock: { now: () => now },
    devices: { isEstablishedDevice: async (user, key) => established.includes(`${user} ${key}`) },
  })
const tooNew = expect.objectContaining({ status: 403, field: 'deviceAge' })

test('a login counts as fresh for five minutes [A-08]', () => {
  const { assertFreshLogin } = checksOf()
  expect(() => assertFreshLogin({ ...claims, begunAt: now - fiveMinutes }, 'export')).not.toThrow()
  expect(() => assertFreshLogin({ ...claims, begunAt: now - fiveMinutes - 1 }, 'export')).toThrow(
    expect.objectContaining({ status: 403, field: 'fresh' }),
  )
})

test('a login that a code for one action renewed counts as fresh for this action only [C-02]', () => {
  const { assertFreshLogin } = checksOf()
  const renewed = { ...claims, methods: ['email', stepUpMethod('export')] }
  expect(() => assertFreshLogin(renewed, 'export')).not.toThrow()
  for (const action of ['delete', 'email'] as const) {
    expect(() => assertFreshLogin(renewed, action)).toThrow(expect.objectContaining({ status: 403, field: 'fresh' }))
  }
})

test('an established device of the same user passes, and no other one [A-08]', async () => {
  const { assertEstablishedDevice } = checksOf('ann laptop', 'ben phone')
  await expect(assertEstablishedDevice(claims)).resolves.toBeUndefined()
  await expect(assertEstablishedDevice({ ...claims, key: 'phone' })).rejects.toEqual(tooNew)
  await expect(assertEstablishedDevice({ ...claims, user: 'ben' })).rejects.toEqual(tooNew)
})

test('a new device passes with a passkey that this service verified in a fresh login only [A-08]', async () => {
  const { assertEstablishedDevice } = createRiskChecks({
    clock: { now: () => now },
    devices: { isEstablishedDevice: async () => false },
    hasProvenPasskey: ({ methods }) => methods.includes('passkey'),
  })
  const byPasskey = { ...claims, methods: ['email', 'passkey'] }
  await expect(assertEstablishedDevice(byPasskey)).resolves.toBeUndefined()
  await expect(assertEstablishedDevice({ ...byPasskey, begunAt: now - fiveMinutes })).resolves.toBeUndefined()
  await expect(assertEstablishedDevice({ ...byPasskey, begunAt: now - fiveMinutes - 1 })).rejects.toEqual(tooNew)
  await expect(assertEstablishedDevice({ ...claims, methods: ['email'] })).rejects.toEqual(tooNew)
})

test('a passkey that only another service reports does not count [A-08]', async () => {
  const { assertEstablishedDevice, hasFreshPasskey } = checksOf()
  const claimed = { ...claims, methods: ['email', 'passkey'] }
  expect(hasFreshPasskey(claimed)).toBe(false)
  await expect(assertEstablishedDevice(claimed)).rejects.toEqual(tooNew)
})
