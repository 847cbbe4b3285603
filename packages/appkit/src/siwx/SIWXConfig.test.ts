import { formatSignInMessage, type SignInSession } from '@latchkey/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { InformalMessenger } from './InformalMessenger.ts'
import type { SIWXStorage } from './LocalStorage.ts'
import { DefaultSIWX, SIWXConfig } from './SIWXConfig.ts'
import { EIP155Verifier, SolanaVerifier } from './SIWXVerifier.ts'

// The first key of every development chain. It is funded there only.
const alice = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const request = { chainId: 'eip155:1', accountAddress: alice.address } as const

function fakeSessions(): SIWXStorage & { readonly sessions: readonly SignInSession[] } {
  let sessions: readonly SignInSession[] = []
  return {
    get sessions() {
      return sessions
    },
    add: async (session) => void (sessions = [...sessions, session]),
    set: async (all) => void (sessions = all),
    get: async () => sessions,
    delete: async () => void (sessions = []),
  }
}

const messenger = new InformalMessenger({ domain: 'example.org', uri: 'https://example.org', statement: 'Welcome.' })

async function createSignedSession(): Promise<SignInSession> {
  const data = await messenger.createMessage(request)
  const message = formatSignInMessage(data)
  return { data, message, signature: await alice.signMessage({ message }) }
}

describe('SIWXConfig', () => {
  test('stores a session that all its verifiers accept', async () => {
    const storage = fakeSessions()
    const siwx = new SIWXConfig({ messenger, storage, verifiers: [new EIP155Verifier(), new SolanaVerifier()] })
    const session = await createSignedSession()
    await siwx.addSession(session)
    expect(await siwx.getSessions('eip155:1', alice.address)).toEqual([session])
  })

  test('refuses a session with another message, another account or no verifier', async () => {
    const storage = fakeSessions()
    const siwx = new SIWXConfig({ messenger, storage, verifiers: [new EIP155Verifier()] })
    const session = await createSignedSession()
    const forged = { ...session, message: session.message.replace('Welcome.', 'Transfer.') }
    const stolen = { ...session, data: { ...session.data, accountAddress: `0x${'1'.repeat(40)}` } }
    await expect(siwx.addSession(forged)).rejects.toThrow('The signature is not valid')
    await expect(siwx.addSession(stolen)).rejects.toThrow('The signature is not valid')
    await expect(siwx.setSessions([session, forged])).rejects.toThrow('The signature is not valid')
    const without = new SIWXConfig({ messenger, storage, verifiers: [new SolanaVerifier()] })
    await expect(without.addSession(session)).rejects.toThrow('The signature is not valid')
    expect(storage.sessions).toEqual([])
  })

  test('an empty list signs out', async () => {
    const siwx = new SIWXConfig({ messenger, storage: fakeSessions(), verifiers: [new EIP155Verifier()] })
    await siwx.addSession(await createSignedSession())
    await siwx.setSessions([])
    expect(await siwx.getSessions('eip155:1', alice.address)).toEqual([])
  })
})

describe('DefaultSIWX', () => {
  test('leaves verification to the adapters unless it has verifiers', () => {
    expect(new DefaultSIWX().verifiesInPage).toBe(true)
    expect(new DefaultSIWX({ verifiers: [new EIP155Verifier()] }).verifiesInPage).toBe(false)
  })

  test('is required by default', () => {
    expect(new DefaultSIWX().getRequired()).toBe(true)
    expect(new DefaultSIWX({ required: false }).getRequired()).toBe(false)
  })
})

test('InformalMessenger takes the nonce of the app, and draws a random one without it', async () => {
  const own = new InformalMessenger({ domain: 'example.org', uri: 'https://example.org', getNonce: () => 'nonce12345' })
  expect((await own.createMessage(request)).nonce).toBe('nonce12345')
  const [first, second] = [await messenger.createMessage(request), await messenger.createMessage(request)]
  expect(first.nonce).not.toBe(second.nonce)
  expect(first.nonce).toHaveLength(32)
})
