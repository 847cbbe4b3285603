import { describe, expect, test } from 'vitest'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { KeyShareStores } from '../../wallet/enrol.ts'
import { enterWallet } from './enterWallet.ts'
import { createExternalLogin } from './externalLogin.ts'

describe('a provider login', () => {
  test('fails if the service’s link binds the response to another device [A-11]', async () => {
    const begun = (uri: string) =>
      createExternalLogin({
        auth: async () => ({ id: 'one', uri, match: '17' }),
        shares: async () => ({ id: 'two', uri: 'https://google.example/authorize' }),
        projectId: 'ab'.repeat(16),
        thumbprint: 'mine',
        farcaster: undefined,
        now: () => 0,
        pause: async () => undefined,
      }).beginSocial({ provider: 'google', origin: 'http://app.localhost', always: false })
    const refusal = 'The login service returned the link of another login.'
    await expect(begun('https://google.example/authorize?nonce=another')).rejects.toThrow(refusal)
    await expect(begun('https://google.example/authorize')).rejects.toThrow(refusal)
  })
})

describe('an existing wallet', () => {
  test('is not replaced if the share store lost it [K-04]', async () => {
    const made: string[] = []
    const refuse = async () => {
      made.push('something')
      throw new ServiceRefusal(500, 'test', 'Nothing may be made.')
    }
    const stores = {
      auth: { own: async () => undefined, prepare: refuse },
      shares: { find: async () => undefined, autoKey: refuse, prepare: refuse },
      device: { read: async () => undefined, write: refuse },
      // Other requests are not expected.
    } as unknown as KeyShareStores
    const entering = enterWallet({ stores, getMethodKey: async () => undefined, isNew: false, now: () => 0 })
    await expect(entering).rejects.toMatchObject({ status: 404, field: 'wallet' })
    expect(made).toEqual([])
  })
})
