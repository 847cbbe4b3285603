import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toRecoveryPhrase } from '../custody/walletKeys.ts'
import { startCustodyAttack, victimPasswords, type CustodyAttack } from '../testing/custodyAttack.ts'
import { unlock } from './enrol.ts'
import { recover } from './recover.ts'

// Each title is a cell of the table in docs/embedded-wallet.md. The cells about apps are in custodyOfApps.test.ts.

let attack: CustodyAttack

describe('one machine', () => {
  beforeAll(async () => {
    attack = await startCustodyAttack('one')
  })
  afterAll(() => attack.close())

  test('one machine, automatic recovery: its operator can rebuild the keys [K-10]', async () => {
    const victim = await attack.createVictim('automatic')
    expect(await attack.rebuild(victim, attack.operators)).toEqual(victim.wallet)
  })

  test.each(['strong', 'passkey'] as const)(
    'one machine, password or passkey (%s): its operator can’t rebuild the keys [K-10]',
    async (method) => {
      expect(await attack.rebuild(await attack.createVictim(method), attack.operators)).toBeUndefined()
    },
  )

  test('one machine, password or passkey: its operator can guess a weak password with all of the data [K-10]', async () => {
    const victim = await attack.createVictim('weak')
    expect(await attack.rebuild(victim, attack.operators)).toEqual(victim.wallet)
  })
})

describe('two operators', () => {
  beforeAll(async () => {
    attack = await startCustodyAttack('split')
  })
  afterAll(() => attack.close())

  test.each(['auth', 'shares'] as const)(
    'two operators, automatic recovery: %s alone can’t rebuild the keys [K-10]',
    async (one) => {
      const victim = await attack.createVictim('automatic')
      expect(await attack.rebuild(victim, { [one]: attack.operators[one] })).toBeUndefined()
    },
  )

  test.each(['auth', 'shares'] as const)(
    'two operators, password or passkey: %s alone can’t rebuild the keys [K-10]',
    async (one) => {
      for (const method of ['weak', 'strong', 'passkey'] as const) {
        const victim = await attack.createVictim(method)
        expect(await attack.rebuild(victim, { [one]: attack.operators[one] })).toBeUndefined()
      }
    },
  )

  test('two operators, password or passkey: shares alone can’t check a guess of a weak password [K-10] [K-09]', async () => {
    const victim = await attack.createVictim('weak')
    const { auth, shares } = attack.operators
    expect(await attack.openRecoveryShares(victim, { shares })).toEqual([])
    expect(await attack.openRecoveryShares(victim, { shares, auth })).toHaveLength(1)
  })

  test('two operators together, automatic recovery: they can rebuild the keys [K-10]', async () => {
    const victim = await attack.createVictim('automatic')
    expect(await attack.rebuild(victim, attack.operators)).toEqual(victim.wallet)
  })

  test.each(['strong', 'passkey'] as const)(
    'two operators together, password or passkey (%s): they can’t rebuild the keys [K-10]',
    async (method) => {
      expect(await attack.rebuild(await attack.createVictim(method), attack.operators)).toBeUndefined()
    },
  )

  test('two operators together, password or passkey: they can guess a weak password [K-10]', async () => {
    const victim = await attack.createVictim('weak')
    expect(await attack.rebuild(victim, attack.operators)).toEqual(victim.wallet)
  })

  test.each([
    ['automatic recovery', 'automatic'],
    ['password or passkey', 'strong'],
    ['password or passkey', 'passkey'],
  ] as const)(
    'changed code of the frame, %s (%s): it can steal at the next visit [K-10]',
    { tags: 'abuse' },
    async (_, method) => {
      const { device, wallet, email } = await attack.createVictim(method)
      // The changed code runs in the user's browser and sends the phrase away. A known device needs no user input.
      const visit = await attack.world.login(email, device)
      const opened = (await unlock(visit)) ?? expect.fail('not enrolled')
      // On a new device it waits until the user gives the password or the passkey to the page.
      const phone = await attack.world.fresh(email)
      const recovered = await recover(phone, attack.ownerKeys(phone, victimPasswords.strong))
      const phrase = toRecoveryPhrase(wallet.entropy)
      expect([opened, recovered].map(({ entropy }) => toRecoveryPhrase(entropy))).toEqual([phrase, phrase])
    },
  )
})
