import { frameRequest } from '@latchkey/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RpcError } from '../chain/rpcError.ts'
import { exportSecrets } from '../custody/secrets.ts'
import { createHandlers, type HandlersDependencies } from '../page/createHandlers.ts'
import { createDispatcher } from '../page/dispatcher.ts'
import { startCustodyAttack, victimPasswords, type CustodyAttack, type Victim } from '../testing/custodyAttack.ts'
import { fakeHolder } from '../testing/fakeHolder.ts'
import type { KeyHolder } from '../worker/keyHolder.ts'
import { recover } from './recover.ts'

// The cells about apps of the table in docs/embedded-wallet.md.

let attack: CustodyAttack
beforeAll(async () => {
  attack = await startCustodyAttack('one')
})
afterAll(() => attack.close())

const names = ['GET_USER', 'IS_CONNECTED', 'GET_CHAIN_ID', 'GET_SEED', 'REVEAL', 'RECOVER', 'EXPORT', 'AUTO_KEY']
const methods = [
  'eth_accounts',
  'eth_chainId',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'solana_signTransaction',
  'eth_sign',
  'eth_decrypt',
  'wallet_exportPrivateKey',
  'reveal',
  'sign',
  'rehearseRecovery',
]

/** The frame of a logged-in user with an open wallet, who rejects every request. */
async function openFrame({ wallet, device: { user: id }, email }: Victim) {
  const secrets = await exportSecrets(wallet.entropy)
  const user = { id, email, accounts: wallet.accounts }
  const [replies, approvals, calls]: [unknown[], string[], string[]] = [[], [], []]
  const reach = async <result>(verb: keyof KeyHolder, value: result): Promise<result> => {
    calls.push(verb)
    return value
  }
  // Of the frame only the parts that the app's requests reach are real: dispatcher and handlers.
  const dependencies = {
    config: { networks: [{ chainId: 'eip155:1', name: 'First Network' }] },
    holder: fakeHolder({
      reveal: () => reach('reveal', secrets),
      sign: () => reach('sign', wallet.entropy),
      recoverWith: () => reach('recoverWith', user),
    }),
    pageSession: { find: async () => user, get: async () => user },
    chain: { request: async () => '0x1' },
    smart: {
      networks: [],
      accounts: async () => user.accounts,
      describeAccounts: async () => ({ address: user.accounts[0]?.address }),
      respond: async () => undefined,
    },
    approve: async ({ method }: { method: string }) => {
      approvals.push(method)
      throw new RpcError(4_001, 'User rejected the request.')
    },
    firstChainId: 'eip155:1',
    origin: () => 'https://app.example.org',
  } as unknown as HandlersDependencies
  const dispatcher = createDispatcher({
    handlers: createHandlers(dependencies),
    send: (message) => replies.push(message),
    localizeFailure: () => undefined,
    now: () => replies.length * 1_000,
  })
  return { ...dispatcher, secrets, replies, approvals, calls }
}

test.each([
  ['automatic recovery', 'automatic'],
  ['password or passkey', 'strong'],
  ['password or passkey', 'passkey'],
] as const)(
  'an app that uses the wallet, %s (%s): it can’t get the keys; it can only ask [K-10]',
  async (_, method) => {
    const victim = await attack.createVictim(method)
    const { receive, secrets, replies, approvals, calls } = await openFrame(victim)
    const requests = [
      ...names.map((name) => ({ type: `@w3m-app/${name}`, id: name, payload: {} })),
      ...methods.map((name) => frameRequest('RPC_REQUEST', name, { method: name, params: [] })),
    ]
    for (const request of requests) {
      receive(request)
      await new Promise((resolve) => void setTimeout(resolve))
    }
    const received = JSON.stringify(replies)
    expect(received).toContain(victim.wallet.accounts[0]?.address)
    expect(approvals).toEqual(expect.arrayContaining(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']))
    expect(calls).toEqual([])
    for (const secret of [
      secrets.phrase,
      secrets.evm.slice(2),
      secrets.solana,
      Buffer.from(victim.wallet.entropy).toString('hex'),
    ]) {
      expect(received).not.toContain(secret)
    }
  },
)

describe('an app that relays a login, which the user confirms in a form of the app', () => {
  test('automatic recovery: it can rebuild the keys [K-10]', async () => {
    const { wallet, email } = await attack.createVictim('automatic')
    const device = await attack.world.fresh(email)
    const recovered = await recover(device, attack.ownerKeys(device, ''))
    expect(recovered.entropy).toEqual(wallet.entropy)
  })

  test('password: it needs the password, typed in this form [K-10]', async () => {
    const { wallet, email } = await attack.createVictim('strong')
    const device = await attack.world.fresh(email)
    await expect(recover(device, attack.ownerKeys(device, 'a guessed password'))).rejects.toMatchObject({
      code: 'custody/unreadable',
    })
    const recovered = await recover(device, attack.ownerKeys(device, victimPasswords.strong))
    expect(recovered.entropy).toEqual(wallet.entropy)
  })

  test('passkey: it can’t rebuild the keys [K-10]', async () => {
    const { email } = await attack.createVictim('passkey')
    const device = await attack.world.fresh(email)
    // The browser uses the passkey for the origin of the frame only.
    await expect(recover(device, async () => undefined)).rejects.toMatchObject({ code: 'custody/unreadable' })
    await expect(recover(device, async () => new Uint8Array(32))).rejects.toMatchObject({ code: 'custody/unreadable' })
  })
})
