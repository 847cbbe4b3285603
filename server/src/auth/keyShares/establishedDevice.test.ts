import { createHash, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakePasskey } from '../../testing/fakePasskey.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../../testing/thief.ts'
import { walletProofBytes } from './verifyWalletProof.ts'

const origin = 'http://app.localhost'
const day = 86_400_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const hashOf = (text: string): string => createHash('sha256').update(Buffer.from(text, 'base64url')).digest('base64url')
const createRefusal = (status: number, field: string) => ({ status, body: { reasons: [{ field }] } })

let mail: LocalMail
let services: LoginServices
let database: DatabaseThief
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, clock })
  database = await openStolenDatabase(services.authDatabaseUrl)
})
afterAll(async () => {
  await database.leave()
  await services.close()
  await mail.close()
})

const post = (client: LoginClient, path: string, body: object) => client.request('POST', `/auth/v1/${path}`, body)

async function logIn(email: string, twin?: LoginClient): Promise<LoginClient> {
  later += 181_000
  const client = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  const before = mail.received()[0]?.id ?? 0
  const { body } = await post(client, 'codes', { email, projectId: 'ab'.repeat(16), origin })
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await post(client, 'codes/redeem', { id: body['id'], email, code })
  client.use((redeemed.body as { tokens: { accessToken: string } }).tokens.accessToken)
  return client
}

/** An enrolment, and the proof that only devices know which the share store approved. */
function createDraft(walletId: string, epoch = 1) {
  return { walletId, setId: randomBase64Url(16), epoch, share: randomBase64Url(94), proof: randomBase64Url(32) }
}

/** A wallet on its owner's device. */
async function openWallet(email: string) {
  const owner = await logIn(email)
  const privateKey = randomBytes(32)
  const accounts = [{ namespace: 'solana', address: base58.encode(ed25519.getPublicKey(privateKey)) }]
  const walletId = randomBase64Url(16)
  const prepare = async (client: LoginClient, { proof, ...set } = createDraft(walletId)) => {
    const prepared = await post(client, 'shares', { ...set, accounts, origin, verifier: hashOf(proof) })
    return { ...set, proof, prepared }
  }
  const enrol = async (client: LoginClient) => {
    const set = await prepare(client)
    expect(await post(client, 'shares/commit', { setId: set.setId })).toMatchObject({ status: 200 })
    return set
  }
  const prove = async (client: LoginClient, key: Uint8Array = privateKey) => {
    const challenge = String((await post(client, 'passkeys/challenge', {})).body['challenge'])
    const signed = walletProofBytes(Buffer.from(challenge, 'base64url'))
    return { challenge, signature: Buffer.from(ed25519.sign(Uint8Array.from(signed), key)).toString('base64url') }
  }
  return { email, owner, walletId, prepare, enrol, prove, set: await enrol(owner) }
}

type Wallet = Awaited<ReturnType<typeof openWallet>>

/** A device that the share store approved, a day after it got the auth share. */
async function openSecondDevice({ email, enrol, set }: Wallet): Promise<LoginClient> {
  const device = await logIn(email)
  expect(await post(device, 'shares/any', { setId: set.setId, proof: set.proof })).toMatchObject({ status: 200 })
  await enrol(device)
  later += day
  return logIn(email, device)
}

describe('a thief of one login code, a day later', () => {
  test('removes no device, adds no passkey and exports nothing [C-05] [C-08]', async () => {
    const { email, owner, set, enrol } = await openWallet('phished@example.org')
    const thief = await logIn(email)
    const latest = mail.received()[0]?.id
    const guessed = await post(thief, 'shares/any', { setId: set.setId, proof: randomBase64Url(32) })
    expect(guessed).toMatchObject(createRefusal(404, 'user'))
    expect(mail.received()[0]?.id).toBe(latest)
    await enrol(thief)
    later += day
    const again = await logIn(email, thief)
    const { devices } = (await post(again, 'devices', {})).body as { devices: { setId: string }[] }
    expect(devices).toHaveLength(2)
    expect(await post(again, 'shares/revoke', { setId: set.setId })).toMatchObject(createRefusal(403, 'deviceAge'))
    const { id, publicKey } = createFakePasskey()
    expect(await post(again, 'passkeys', { id, publicKey })).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await post(again, 'exported', {})).toMatchObject(createRefusal(403, 'deviceAge'))
    const back = await logIn(email, owner)
    expect(await post(back, 'shares/own', {})).toMatchObject({ status: 200, body: { share: set.share } })
  })

  test('gets no access by proofs of its own enrolments, even with a second key [C-08]', async () => {
    const { email, enrol } = await openWallet('circle@example.org')
    const thieves = [await logIn(email), await logIn(email)]
    const sets = await Promise.all(thieves.map(enrol))
    for (const thief of thieves) {
      for (const { setId, proof } of sets) {
        expect(await post(thief, 'shares/any', { setId, proof })).toMatchObject({ status: 200 })
      }
    }
    later += day
    expect(await post(await logIn(email, thieves[0]), 'exported', {})).toMatchObject(createRefusal(403, 'deviceAge'))
  })

  test('begins no epoch, even if the thief knows the wallet id [C-05] [C-08]', async () => {
    const { email, owner, set, walletId, prepare } = await openWallet('epoch@example.org')
    const thief = await logIn(email)
    later += day
    const { prepared } = await prepare(await logIn(email, thief), createDraft(walletId, 2))
    expect(prepared).toMatchObject(createRefusal(403, 'deviceAge'))
    expect(await post(await logIn(email, owner), 'shares/own', {})).toMatchObject({ body: { share: set.share } })
  })
})

describe('a thief of one login code, at once', () => {
  test('can’t use up the codes of the owner’s device [A-25]', { tags: 'abuse' }, async () => {
    const { email, owner } = await openWallet('emptied@example.org')
    const [thief, accomplice] = [await logIn(email), await logIn(email)]
    const requestCode = async (client: LoginClient) => {
      later += 31_000
      return (await post(client, 'codes', { email, projectId: 'ab'.repeat(16), origin })).status
    }
    for (let count = 0; count < 12; count += 1) await requestCode(thief)
    // A login alone gives no budget of its own.
    expect(await requestCode(accomplice)).toBe(429)
    await expect(logIn(email, owner)).resolves.toBeDefined()
  })

  test(
    'can’t use up the password attempts of the owner’s devices, old or new [A-25] [K-09]',
    { tags: 'abuse' },
    async () => {
      const { email, owner, set } = await openWallet('guessed@example.org')
      // One of sixteen random values is an element of the group, for which the response is 200.
      const blinded = Buffer.alloc(32, 0xff).toString('base64url')
      const guess = async (client: LoginClient) => (await post(client, 'oprf', { blinded })).status
      const thief = await logIn(email)
      for (let count = 0; count < 20; count += 1) {
        later += 12_000
        expect(await guess(thief)).toBe(400)
      }
      later += 60_000
      expect(await guess(thief)).toBe(429)
      expect(await guess(await logIn(email, owner))).toBe(400)
      const fresh = await logIn(email)
      expect(await guess(fresh)).toBe(429)
      // The share store approved it, as in a recovery.
      await post(fresh, 'shares/any', { setId: set.setId, proof: set.proof })
      expect(await guess(fresh)).toBe(400)
    },
  )
})

describe('an established device', () => {
  test('removes another one, and begins an epoch, with a signature of the wallet only [C-08]', async () => {
    const wallet = await openWallet('signed@example.org')
    const { set, walletId, prove, prepare } = wallet
    const device = await openSecondDevice(wallet)
    const needed = createRefusal(401, 'wallet')
    const revoke = (proof?: object) => post(device, 'shares/revoke', { setId: set.setId, ...(proof && { proof }) })
    const next = await prepare(device, createDraft(walletId, 2))
    expect(next.prepared).toMatchObject({ status: 200 })
    const commit = (proof?: object) => post(device, 'shares/commit', { setId: next.setId, ...(proof && { proof }) })
    for (const act of [revoke, commit]) {
      expect(await act()).toMatchObject(needed)
      expect(await act(await prove(device, randomBytes(32)))).toMatchObject(needed)
      expect(await act({ ...(await prove(device)), challenge: randomBase64Url(32) })).toMatchObject(needed)
    }
    const used = await prove(device)
    expect(await revoke(used)).toMatchObject({ status: 200 })
    expect(await commit(used)).toMatchObject(needed)
    expect(await commit(await prove(device))).toMatchObject({ status: 200 })
    expect(await revoke(await prove(device))).toMatchObject({ status: 200 })
    const recorded = await database.run(`
      select event, about from auth_audit where key_thumbprint = '${device.key}' and event <> 'login' order by at`)
    expect(recorded).toEqual([
      { event: 'device revoked', about: wallet.owner.key },
      { event: 'epoch started', about: null },
    ])
  })

  test('commits a share that counts as proven with a signature of the wallet only [C-08]', async () => {
    const { email, enrol, prove } = await openWallet('committed@example.org')
    const device = await logIn(email)
    const { setId } = await enrol(device)
    const isProven = async () => {
      const [row] = await database.run(`
        select proven_at from auth_share where set_id = '\\x${Buffer.from(setId, 'base64url').toString('hex')}'`)
      return row?.['proven_at'] !== null
    }
    const commit = (proof: object) => post(device, 'shares/commit', { setId, proof })
    expect(await commit(await prove(device, randomBytes(32)))).toMatchObject({ status: 200 })
    expect(await isProven()).toBe(false)
    expect(await commit(await prove(device))).toMatchObject({ status: 200 })
    expect(await isProven()).toBe(true)
  })

  test('is not one that was away for ninety days, for another day', async () => {
    const wallet = await openWallet('away@example.org')
    const device = await openSecondDevice(wallet)
    expect(await post(device, 'exported', {})).toMatchObject({ status: 200 })
    later += 91 * day
    const back = await logIn(wallet.email, device)
    expect(await post(back, 'exported', {})).toMatchObject(createRefusal(403, 'deviceAge'))
    later += day
    expect(await post(await logIn(wallet.email, back), 'exported', {})).toMatchObject({ status: 200 })
  })

  test('becomes one a day after it signed with the wallet’s key', async () => {
    const { email, prove, enrol } = await openWallet('opened@example.org')
    const device = await logIn(email)
    await enrol(device)
    expect(await post(device, 'shares/prove', await prove(device))).toMatchObject({ status: 200 })
    expect(await post(device, 'exported', {})).toMatchObject(createRefusal(403, 'deviceAge'))
    later += day
    expect(await post(await logIn(email, device), 'exported', {})).toMatchObject({ status: 200 })
  })

  test('is not the founder after its removal [C-08]', async () => {
    const wallet = await openWallet('founder@example.org')
    const device = await openSecondDevice(wallet)
    const proof = await wallet.prove(device)
    expect(await post(device, 'shares/revoke', { setId: wallet.set.setId, proof })).toMatchObject({ status: 200 })
    const thief = await logIn(wallet.email, wallet.owner)
    expect(await post(thief, 'exported', {})).toMatchObject(createRefusal(403, 'deviceAge'))
  })
})

test('a share with text that is not the origin of a page is refused, because the list of devices shows it [C-07]', async () => {
  const client = await logIn('page@example.org')
  const { proof: _, ...share } = createDraft(randomBase64Url(16))
  const accounts = [{ namespace: 'a', address: 'b' }]
  for (const text of [
    'https://app.example.org/path',
    'https://app.example.org\n',
    'https://user@app.example.org',
    'Your bank. Call +49 30 123456',
    'javascript:alert(1)',
    '\u202Ehttps://gro.elpmaxe',
    '',
  ]) {
    later += 1_000
    const response = await post(client, 'shares', { ...share, accounts, origin: text })
    expect({ text, ...response }).toMatchObject({ text, ...createRefusal(400, 'origin') })
  }
  const shown = 'https://app.example.org:8443'
  expect(await post(client, 'shares', { ...share, accounts, origin: shown })).toMatchObject({ status: 200 })
})
