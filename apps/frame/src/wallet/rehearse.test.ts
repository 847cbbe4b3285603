import { openStolenDatabase, type DatabaseThief } from '@latchkey/server/testing'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCustodyAttack, victimPasswords, type CustodyAttack } from '../testing/custodyAttack.ts'
import { rehearse } from './rehearse.ts'

let attack: CustodyAttack
let auth: DatabaseThief
let shares: DatabaseThief
beforeAll(async () => {
  attack = await startCustodyAttack('split')
  auth = await openStolenDatabase(attack.world.services.authDatabaseUrl)
  shares = await openStolenDatabase(attack.world.services.sharesDatabaseUrl)
})
afterAll(async () => {
  await auth.leave()
  await shares.leave()
  await attack.close()
})

/** The stored wallets, without times, counters and proofs. */
const readStoredRows = async (): Promise<readonly unknown[]> => [
  await auth.run('select wallet_id, epoch, accounts from auth_wallet order by user_id'),
  await auth.run('select set_id, share, live_at from auth_share order by set_id'),
  await shares.run('select * from share_wallet order by user_id'),
  await shares.run('select set_id, share, live_at from share_set order by set_id'),
  await shares.run('select * from share_wrap order by user_id, id'),
]

describe('a rehearsal', () => {
  test.each([
    ['automatic', 'auto'],
    ['strong', 'password'],
  ] as const)(
    'with the %s method opens the wallet and changes nothing [D-05]',
    { tags: 'abuse' },
    async (method, id) => {
      const { device, wallet } = await attack.createVictim(method)
      const before = [await readStoredRows(), await device.device.read()]
      const { entropy } = await rehearse(device, id, attack.ownerKeys(device, victimPasswords.strong))
      expect(entropy).toEqual(wallet.entropy)
      expect([await readStoredRows(), await device.device.read()]).toEqual(before)
    },
  )

  test('fails with a wrong password [D-05]', async () => {
    const { device } = await attack.createVictim('strong')
    const wrong = rehearse(device, 'password', attack.ownerKeys(device, 'another one entirely'))
    await expect(wrong).rejects.toMatchObject({ code: 'custody/unreadable' })
  })

  test('uses no other method than the given one [D-05]', async () => {
    const { device } = await attack.createVictim('automatic')
    const other = rehearse(device, 'password', attack.ownerKeys(device, ''))
    await expect(other).rejects.toMatchObject({ code: 'custody/unreadable' })
  })

  test.each([
    [
      'recovery method',
      'update share_wrap set wrapped = $other.wrapped from share_wrap as other',
      'custody/unreadable',
    ],
    ['vault', 'update share_wallet set vault = $other.vault from share_wallet as other', 'custody/unreadable'],
  ])('notices that the %s was replaced [D-05]', { tags: 'abuse' }, async (_, statement, code) => {
    const [victim, attacker] = [await attack.createVictim('automatic'), await attack.createVictim('automatic')]
    const table = statement.split(' ')[1] ?? ''
    await shares.run(
      `${statement.replace('$', '')} where ${table}.user_id = '${victim.device.user}' and other.user_id = '${attacker.device.user}'`,
    )
    const tested = rehearse(victim.device, 'auto', attack.ownerKeys(victim.device, ''))
    await expect(tested).rejects.toMatchObject({ code })
  })

  test('notices that the auth service lost its share of the latest enrolment [D-05]', async () => {
    const { device } = await attack.createVictim('automatic')
    const { setId } = (await device.device.read()) ?? expect.fail('not enrolled')
    await auth.run(`update auth_share set live_at = null, set_id = '\\x00' where set_id = '\\x${bytesToHex(setId)}'`)
    const tested = rehearse(device, 'auto', attack.ownerKeys(device, ''))
    await expect(tested).rejects.toMatchObject({ code: 'custody/invalid-share' })
  })
})
