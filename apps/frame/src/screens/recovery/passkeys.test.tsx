import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { createPasskeys, type PasskeyOutcome } from './passkeys.ts'

/** Chromium's virtual authenticator. The browser runs real ceremonies. */
async function addAuthenticator(options: { hasPrf?: boolean; isUserVerified?: boolean } = {}): Promise<string> {
  const session = cdp()
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  })
  onTestFinished(async () => {
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await session.send('WebAuthn.disable')
  })
  return authenticatorId
}

async function countCredentials(authenticatorId: string): Promise<number> {
  const { credentials } = await cdp().send('WebAuthn.getCredentials', { authenticatorId })
  return credentials.length
}

const passkeys = createPasskeys({ credentials: navigator.credentials, rpId: location.hostname, timeoutMs: 5_000 })
const input = new Uint8Array(32).fill(7)
let signal: AbortSignal
let aborter: AbortController

beforeEach(() => {
  aborter = new AbortController()
  ;({ signal } = aborter)
})

const sendRequest = () => ({ input, challenge: crypto.getRandomValues(new Uint8Array(32)), signal })
const create = (except: readonly string[] = []) =>
  passkeys.create({ ...sendRequest(), userName: 'ann@example.org', except })

function getUsedPasskey(outcome: PasskeyOutcome) {
  if (outcome.kind !== 'used') throw new Error(`the ceremony ended as ${outcome.kind}`)
  return outcome.passkey
}

describe('passkeys with PRF [K-16]', () => {
  test('a passkey yields the same 32 bytes on every use, even without an id', async () => {
    await addAuthenticator()
    const made = getUsedPasskey(await create())
    expect(made.output).toHaveLength(32)
    expect(made.publicKey?.length).toBeGreaterThan(80)
    const again = getUsedPasskey(await passkeys.use({ ...sendRequest(), ids: [made.id] }))
    const found = getUsedPasskey(await passkeys.use({ ...sendRequest(), ids: [] }))
    expect([again.id, found.id]).toEqual([made.id, made.id])
    expect([again.output, found.output]).toEqual([made.output, made.output])
  })

  test('another wallet’s input yields other bytes', async () => {
    await addAuthenticator()
    const made = getUsedPasskey(await create())
    const other = getUsedPasskey(
      await passkeys.use({ ...sendRequest(), input: new Uint8Array(32).fill(8), ids: [made.id] }),
    )
    expect(other.output).not.toEqual(made.output)
  })

  test('the challenge is signed after user verification', async () => {
    await addAuthenticator()
    const request = sendRequest()
    const { proof } = getUsedPasskey(await passkeys.use({ ...request, ids: [getUsedPasskey(await create()).id] }))
    const clientData: unknown = JSON.parse(new TextDecoder().decode(proof.clientDataJSON))
    const challenge = btoa(String.fromCharCode(...request.challenge))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
    expect(clientData).toMatchObject({ type: 'webauthn.get', challenge, origin: location.origin })
    expect((proof.authenticatorData[32] ?? 0) & 0b101).toBe(0b101)
  })

  test('an authenticator without PRF is reported', async () => {
    await addAuthenticator({ hasPrf: false })
    expect(await create()).toEqual({ kind: 'unable' })
  })

  test('a passkey without PRF can’t open the wallet', async () => {
    const id = await addAuthenticator({ hasPrf: false })
    const made = await navigator.credentials.create({
      publicKey: {
        rp: { id: location.hostname, name: 'Other' },
        user: { id: new Uint8Array(8), name: 'ann', displayName: 'ann' },
        challenge: new Uint8Array(32),
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required' },
      },
    })
    expect([made?.type, await countCredentials(id)]).toEqual(['public-key', 1])
    expect(await passkeys.use({ ...sendRequest(), ids: [] })).toEqual({ kind: 'unable' })
  })

  test('an unverified user creates no passkey', async () => {
    const id = await addAuthenticator({ isUserVerified: false })
    expect((await create()).kind).toBe('cancelled')
    expect(await countCredentials(id)).toBe(0)
  })

  test('a device with a passkey creates no second one', async () => {
    const id = await addAuthenticator()
    const made = getUsedPasskey(await create())
    expect((await create([made.id])).kind).toBe('cancelled')
    expect(await countCredentials(id)).toBe(1)
  })

  test('leaving the screen ends the ceremony', async () => {
    const id = await addAuthenticator()
    await cdp().send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
    const outcome = create()
    aborter.abort()
    expect(await outcome).toEqual({ kind: 'cancelled' })
    expect(await countCredentials(id)).toBe(0)
  })

  test('a ceremony without a response times out', async () => {
    const id = await addAuthenticator()
    await cdp().send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
    const impatient = createPasskeys({ credentials: navigator.credentials, rpId: location.hostname, timeoutMs: 50 })
    expect(await impatient.use({ ...sendRequest(), ids: [] })).toEqual({ kind: 'cancelled' })
  })

  test('each ceremony requires user verification and this host, and has a timeout [K-16]', async () => {
    const request: unknown[] = []
    const never = (options?: { publicKey?: unknown; signal?: AbortSignal }): Promise<null> => {
      request.push(options?.publicKey)
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      })
    }
    const silent = createPasskeys({ credentials: { create: never, get: never }, rpId: 'wallet.example', timeoutMs: 20 })
    expect(await silent.use({ ...sendRequest(), ids: [] })).toEqual({ kind: 'cancelled' })
    expect(await silent.create({ ...sendRequest(), userName: 'ann', except: [] })).toEqual({ kind: 'cancelled' })
    expect(request).toMatchObject([
      { rpId: 'wallet.example', userVerification: 'required', extensions: { prf: { eval: { first: input } } } },
      {
        rp: { id: 'wallet.example' },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: { prf: { eval: { first: input } } },
      },
    ])
  })

  test('a browser or host without passkeys is reported', async () => {
    const none = createPasskeys({ credentials: undefined, rpId: location.hostname })
    expect(await none.use({ ...sendRequest(), ids: [] })).toEqual({ kind: 'unable' })
    const foreign = createPasskeys({ credentials: navigator.credentials, rpId: 'example.org' })
    expect(await foreign.use({ ...sendRequest(), ids: [] })).toEqual({ kind: 'unable' })
  })
})
