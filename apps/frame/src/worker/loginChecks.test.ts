import { describe, expect, test } from 'vitest'
import { ServiceRefusal } from '../services/ask.ts'
import type { Keepers } from '../wallet/enrol.ts'
import { enterWallet } from './entering.ts'
import { createOtherLogin } from './otherLogin.ts'

describe('a login at a provider', () => {
  test('goes nowhere where the service’s link would bind the answer to another device [A-11]', async () => {
    const begun = (uri: string) =>
      createOtherLogin({
        auth: async () => ({ id: 'one', uri, match: '17' }),
        projectId: 'ab'.repeat(16),
        thumbprint: 'mine',
        now: () => 0,
        pause: async () => undefined,
      }).beginSocial({ provider: 'google', origin: 'http://app.localhost' })
    const refusal = 'The login service gave a link that is not of this login.'
    await expect(begun('https://google.example/authorize?nonce=another')).rejects.toThrow(refusal)
    await expect(begun('https://google.example/authorize')).rejects.toThrow(refusal)
  })
})

describe('a wallet that there was', () => {
  test('is never made again where the share store lost it [K-04]', async () => {
    const made: string[] = []
    const refuse = async () => {
      made.push('something')
      throw new ServiceRefusal(500, 'test', 'Nothing may be made.')
    }
    const keepers = {
      auth: { own: async () => undefined, prepare: refuse },
      shares: { find: async () => undefined, autoKey: refuse, prepare: refuse },
      device: { read: async () => undefined, write: refuse },
      // What is not named here is not asked.
    } as unknown as Keepers
    const entering = enterWallet({ keepers, wayOf: async () => undefined, isNew: false, now: () => 0 })
    await expect(entering).rejects.toMatchObject({ status: 404, field: 'wallet' })
    expect(made).toEqual([])
  })
})
