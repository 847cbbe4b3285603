import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomEmail, startAccountProbe, type AccountProbe } from '../../testing/accountProbe.ts'

let probe: AccountProbe
const known = randomEmail()

beforeAll(async () => {
  probe = await startAccountProbe()
  await probe.register(known)
})
afterAll(() => probe.close())

describe.each(['auth', 'shares'] as const)('the existence of an account at the %s service', (service) => {
  test('does not show in the status, fields or headers of the response [A-05]', async () => {
    const { work: _, milliseconds: __, ...ofKnown } = await probe.probe(service, known)
    expect(ofKnown.status).toBe(200)
    expect(await probe.probe(service, randomEmail())).toMatchObject(ofKnown)
  })

  test('changes neither the statements nor their order nor the time of the mail [A-05]', async () => {
    const { work } = await probe.probe(service, known)
    expect(work).toContain('mail')
    expect(work.length).toBeGreaterThan(3)
    for (const email of [randomEmail(), known, randomEmail()]) {
      expect((await probe.probe(service, email)).work).toEqual(work)
    }
  })
})

test('additional work for a known address shows in the recorded work [A-05]', async () => {
  const leaking = await startAccountProbe({
    async beforeMail(email, { kysely }) {
      if (email === known) await sql`select 1`.execute(kysely)
    },
  })
  const { work } = await leaking.probe('auth', known)
  expect(work).not.toEqual((await leaking.probe('auth', randomEmail())).work)
  await leaking.close()
})
