import { createHash, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakePasskey } from '../../testing/fakePasskey.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../../testing/thief.ts'
import { walletProofBytes } from '../keyShares/verifyWalletProof.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const hour = 3_600_000
const day = 24 * hour
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
/** The key of all wallets of this file. */
const walletKey = randomBytes(32)
const accounts = [{ namespace: 'solana', address: base58.encode(ed25519.getPublicKey(walletKey)) }]
const createRefusal = (status: number, field: string) => ({ status, body: { reasons: [{ field }] } })

describe.each(['one', 'split'] as const)('an account, in layout %s', (layout) => {
  let mail: LocalMail
  let services: LoginServices
  let thief: DatabaseThief
  let later = 0
  const clock = { now: () => Date.now() + later }

  beforeAll(async () => {
    mail = await startMail()
    services = await startLoginServices({ mailUrl: mail.url, layout, clock })
    thief = await openStolenDatabase(services.authDatabaseUrl)
  })
  afterAll(async () => {
    await thief.leave()
    await services.close()
    await mail.close()
  })

  /** Performs an action and waits for the mail that it causes. */
  async function mailFor(email: string, act: () => Promise<unknown>): Promise<string> {
    later += 181_000
    const before = mail.received()[0]?.id ?? 0
    await act()
    return (await mail.waitFor(email, before)).text
  }
  const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const linkIn = (text: string): URL => new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  const press = async (link: URL): Promise<string> =>
    (await fetch(link.origin + link.pathname, { method: 'POST', body: link.searchParams })).text()

  async function login(email: string, twin?: LoginClient): Promise<LoginClient> {
    const client = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
    let id: unknown
    const text = await mailFor(email, async () => {
      ;({
        body: { id },
      } = await client.request('POST', '/auth/v1/codes', { email, projectId, origin }))
    })
    const redeemed = await client.request('POST', '/auth/v1/codes/redeem', { id, email, code: codeIn(text) })
    client.use((redeemed.body as { tokens: { accessToken: string } }).tokens.accessToken)
    return client
  }
  /** Enrols a device. The proof is known to devices that the share store approved. */
  async function enrol(client: LoginClient, walletId = randomBase64Url(16)) {
    const [setId, proof] = [randomBase64Url(16), randomBase64Url(32)]
    const verifier = createHash('sha256').update(Buffer.from(proof, 'base64url')).digest('base64url')
    const share = { walletId, setId, epoch: 1, share: randomBase64Url(94), verifier, accounts, origin }
    await client.request('POST', '/auth/v1/shares', share)
    await client.request('POST', '/auth/v1/shares/commit', { setId })
    return { walletId, setId, proof }
  }
  async function withWallet(email: string): Promise<LoginClient> {
    const client = await login(email)
    await enrol(client)
    return client
  }
  /** A proof that the wallet is open on the device. */
  async function prove(client: LoginClient, key: Uint8Array = walletKey) {
    const challenge = String((await client.request('POST', '/auth/v1/passkeys/challenge', {})).body['challenge'])
    const signed = Uint8Array.from(walletProofBytes(Buffer.from(challenge, 'base64url')))
    return { challenge, signature: Buffer.from(ed25519.sign(signed, key)).toString('base64url') }
  }
  const requestDeletion = (client: LoginClient, proof?: object) =>
    client.request('POST', '/auth/v1/deletion', proof === undefined ? {} : { proof })
  const refusals = async (): Promise<string[]> =>
    (await thief.run('select event from auth_refusal')).map(({ event }) => String(event))

  describe('changes its address', () => {
    const name = (who: string) => `${who}-${layout}@example.org`
    /** Confirms a change with the code of the current address, and returns the reply that completes it. */
    async function confirmPrimary(client: LoginClient, from: string, to: string) {
      let id: unknown
      const first = await mailFor(from, async () => {
        const { status, body } = await client.request('POST', '/auth/v1/email/update', { email: to, projectId, origin })
        expect([status, body['action']]).toEqual([200, 'VERIFY_PRIMARY_OTP'])
        ;({ id } = body)
      })
      const second = await mailFor(to, async () => {
        const response = { id, code: codeIn(first) }
        expect((await client.request('POST', '/auth/v1/email/primary', response)).status).toBe(200)
      })
      return { id, code: codeIn(second) }
    }
    async function change(client: LoginClient, from: string, to: string) {
      const reply = await confirmPrimary(client, from, to)
      let changed: unknown
      const notice = await mailFor(from, async () => {
        changed = await client.request('POST', '/auth/v1/email/secondary', reply)
      })
      expect(changed).toEqual({ status: 200, body: { email: to } })
      return linkIn(notice)
    }

    test('with codes of both addresses, and the previous address can revert it for three days [R4.3.4]', async () => {
      const [old, next] = [name('old'), name('next')]
      const client = await withWallet(old)
      const { body: user } = await client.request('GET', '/auth/v1/user')
      const link = await change(client, old, next)
      expect((await client.request('GET', '/auth/v1/user')).body).toMatchObject({ id: user['id'], email: next })
      // Mail systems open links, which must change nothing.
      for (const _ of Array.from({ length: 3 })) expect(await (await fetch(link)).text()).toContain('Undo the change')
      expect((await client.request('GET', '/auth/v1/user')).body).toMatchObject({ email: next })
      expect(await press(link)).toContain('has moved back to this address')
      expect((await client.request('GET', '/auth/v1/user')).status).toBe(401)
      expect((await (await login(old)).request('GET', '/auth/v1/user')).body).toMatchObject({
        id: user['id'],
        email: old,
      })
      expect(await press(link)).toContain('This link is no longer valid')
    })

    test(
      'which the previous address reverts with all later changes, so that a link in between is void [C-09]',
      { tags: 'abuse' },
      async () => {
        const [old, middle, last] = [name('first'), name('middle'), name('last')]
        const client = await withWallet(old)
        const link = await change(client, old, middle)
        const between = await change(await login(middle, client), middle, last)
        expect(await press(link)).toContain('has moved back to this address')
        expect(await press(between)).toContain('This link is no longer valid')
        expect((await (await login(old)).request('GET', '/auth/v1/user')).body).toMatchObject({ email: old })
      },
    )

    test('without a mailbox only after a fresh login, and the known address can revert it [C-09]', async () => {
      const [old, next] = [name('social'), name('stolen')]
      const client = await withWallet(old)
      const { id: user } = (await client.request('GET', '/auth/v1/user')).body
      // As after a login at a provider.
      await thief.run(`update auth_user set mailbox = null where id = '${String(user)}'`)
      const update = () => client.request('POST', '/auth/v1/email/update', { email: next, projectId, origin })
      later += 6 * 60_000
      expect(await update()).toMatchObject(createRefusal(403, 'fresh'))
      later -= 6 * 60_000
      let id: unknown
      const text = await mailFor(next, async () => {
        ;({ id } = (await update()).body)
      })
      const notice = await mailFor(old, async () => {
        const reply = { id, code: codeIn(text) }
        expect((await client.request('POST', '/auth/v1/email/secondary', reply)).status).toBe(200)
      })
      expect(await press(linkIn(notice))).toContain('has moved back to this address')
      expect((await client.request('GET', '/auth/v1/user')).status).toBe(401)
      expect(await thief.run(`select mailbox from auth_user where id = '${String(user)}'`)).toEqual([{ mailbox: null }])
    })

    test(
      'which the previous address reverts even if a thief who reads its mail made a wallet with it [C-09]',
      { tags: 'abuse' },
      async () => {
        const [old, next] = [name('burnt'), name('thief')]
        const client = await withWallet(old)
        const { body: user } = await client.request('GET', '/auth/v1/user')
        const link = await change(client, old, next)
        const squatter = await withWallet(old)
        const { body: other } = await squatter.request('GET', '/auth/v1/user')
        expect(other['id']).not.toBe(user['id'])
        expect(await press(link)).toContain('has moved back to this address')
        expect((await client.request('GET', '/auth/v1/user')).status).toBe(401)
        const owner = await login(old)
        expect((await owner.request('GET', '/auth/v1/user')).body).toMatchObject({ id: user['id'], email: old })
        // The other wallet loses the address only.
        expect((await squatter.request('GET', '/auth/v1/user')).body).toMatchObject({ id: other['id'] })
      },
    )

    /** Lets a statement fail in the middle of an action, as a crash does. */
    async function crashAt(table: string, condition: string, act: () => Promise<unknown>): Promise<void> {
      await thief.run(`
        create or replace function crash() returns trigger language plpgsql as 'begin raise exception ''crash''; end';
        create trigger crash before update on ${table} for each row when (${condition}) execute function crash()`)
      await act()
      await thief.run(`drop trigger crash on ${table}`)
    }

    test('which the previous address reverts even after a crash in the middle of a first attempt [C-09]', async () => {
      const [old, next] = [name('crash'), name('crashed')]
      const client = await withWallet(old)
      const link = await change(client, old, next)
      await crashAt('auth_session', 'new.ended_at is not null', () => press(link))
      expect((await client.request('GET', '/auth/v1/user')).body).toMatchObject({ email: next })
      expect(await press(link)).toContain('has moved back to this address')
      expect((await client.request('GET', '/auth/v1/user')).status).toBe(401)
    })

    test('not at all if a crash prevents that the previous address could revert it [C-09]', async () => {
      const [old, next] = [name('half'), name('halfway')]
      const client = await withWallet(old)
      const reply = await confirmPrimary(client, old, next)
      await crashAt('auth_email_change', 'new.done_at is not null', async () => {
        expect((await client.request('POST', '/auth/v1/email/secondary', reply)).status).toBe(500)
      })
      expect((await client.request('GET', '/auth/v1/user')).body).toMatchObject({ email: old })
    })

    test('permanently after three days', async () => {
      const [old, next] = [name('slow'), name('slower')]
      const link = await change(await withWallet(old), old, next)
      later += 3 * day
      expect(await press(link)).toContain('This link is no longer valid')
      expect((await (await login(next)).request('GET', '/auth/v1/user')).body).toMatchObject({ email: next })
      await services.sweep()
      expect(await thief.run('select id from auth_email_change where revert_until is not null')).toEqual([])
    })

    test('is rejected without the code of the current address, with the code of another device, and to a taken address [A-06]', async () => {
      const [old, next] = [name('owner'), name('taken')]
      await withWallet(next)
      const client = await withWallet(old)
      let id: unknown
      const text = await mailFor(old, async () => {
        const { body } = await client.request('POST', '/auth/v1/email/update', { email: next, projectId, origin })
        ;({ id } = body)
      })
      const result = { id, code: codeIn(text) }
      expect(await client.request('POST', '/auth/v1/email/secondary', result)).toMatchObject(createRefusal(404, 'id'))
      const other = await login(old)
      expect(await other.request('POST', '/auth/v1/email/primary', result)).toMatchObject(createRefusal(404, 'id'))
      const again = await mailFor(next, async () => {
        expect((await client.request('POST', '/auth/v1/email/primary', result)).status).toBe(200)
      })
      const taken = await client.request('POST', '/auth/v1/email/secondary', { id, code: codeIn(again) })
      expect(taken).toMatchObject(createRefusal(409, 'email'))
      expect((await client.request('GET', '/auth/v1/user')).body).toMatchObject({ email: old })
    })

    test('only with a code of the current address, even if that address was added after the change started', async () => {
      const [old, next] = [name('came'), name('between')]
      const client = await withWallet(old)
      const { body: user } = await client.request('GET', '/auth/v1/user')
      const [row] = await thief.run(
        `select encode(mailbox, 'hex') as mailbox from auth_user where id = '${String(user['id'])}'`,
      )
      await thief.run(`update auth_user set mailbox = null where id = '${String(user['id'])}'`)
      let id: unknown
      const text = await mailFor(next, async () => {
        const { body } = await client.request('POST', '/auth/v1/email/update', { email: next, projectId, origin })
        expect(body['action']).toBe('VERIFY_SECONDARY_OTP')
        ;({ id } = body)
      })
      await thief.run(
        `update auth_user set mailbox = '\\x${String(row?.['mailbox'])}' where id = '${String(user['id'])}'`,
      )
      const reply = { id, code: codeIn(text) }
      expect(await client.request('POST', '/auth/v1/email/secondary', reply)).toMatchObject(createRefusal(404, 'id'))
      await thief.run(`update auth_user set mailbox = null where id = '${String(user['id'])}'`)
      expect((await client.request('POST', '/auth/v1/email/secondary', reply)).body).toEqual({ email: next })
    })
  })

  test('code redeemed by another frame is rejected and logged [A-06]', async () => {
    const email = `theft-${layout}@example.org`
    const client = await createLoginClient(services.authUrl, { clock })
    let id: unknown
    const text = await mailFor(email, async () => {
      ;({
        body: { id },
      } = await client.request('POST', '/auth/v1/codes', { email, projectId, origin }))
    })
    const other = await createLoginClient(services.authUrl, { clock })
    const login = { id, email, code: codeIn(text) }
    expect(await other.request('POST', '/auth/v1/codes/redeem', login)).toMatchObject(createRefusal(401, 'code'))
    expect(await refusals()).toContain('code refused')
    expect((await client.request('POST', '/auth/v1/codes/redeem', login)).status).toBe(200)
  })

  test('refresh token is rejected with another key, and its use is logged [A-17]', async () => {
    const email = `refresh-${layout}@example.org`
    const client = await createLoginClient(services.authUrl, { clock })
    let id: unknown
    const text = await mailFor(email, async () => {
      ;({
        body: { id },
      } = await client.request('POST', '/auth/v1/codes', { email, projectId, origin }))
    })
    const { body } = await client.request('POST', '/auth/v1/codes/redeem', { id, email, code: codeIn(text) })
    const { refreshToken } = (body as { tokens: { refreshToken: string } }).tokens
    const attacker = await createLoginClient(services.authUrl, { clock })
    expect(await attacker.request('POST', '/auth/v1/tokens', { refreshToken })).toMatchObject(
      createRefusal(401, 'token'),
    )
    expect(await refusals()).toContain('token refused')
  })

  describe('on a new device', () => {
    const risky = ['/auth/v1/exported', '/auth/v1/deletion'] as const

    test.each(risky)('cannot use %s for a day, unless the device created the wallet [A-08]', async (path) => {
      const email = `new-${path.slice(9)}-${layout}@example.org`
      const founder = await login(email)
      const { setId, proof } = await enrol(founder)
      const laptop = await login(email)
      expect((await laptop.request('POST', '/auth/v1/shares/any', { setId, proof })).status).toBe(200)
      expect(await laptop.request('POST', path, {})).toMatchObject(createRefusal(403, 'deviceAge'))
      later += day
      const tomorrow = await login(email, laptop)
      const notice = await mailFor(email, async () => {
        // After eleven minutes the login is no longer fresh, and the device is as new as before.
        expect((await tomorrow.request('POST', path, {})).status).toBe(200)
      })
      expect(notice).toMatch(/recovery phrase .* was shown|will be deleted/)
      const again = await login(email, founder)
      expect((await again.request('POST', path, {})).status).toBe(200)
      later += 5 * 60_000 + 1_000
      expect(await again.request('POST', path, {})).toMatchObject(createRefusal(403, 'fresh'))
    })

    test('passes with a registered passkey, and with no forged assertion [A-08]', async () => {
      const email = `passkey-${layout}@example.org`
      const founder = await withWallet(email)
      const passkey = createFakePasskey()
      const noted = { id: passkey.id, publicKey: passkey.publicKey }
      expect((await founder.request('POST', '/auth/v1/passkeys', noted)).status).toBe(200)
      const laptop = await login(email)
      expect(await laptop.request('POST', '/auth/v1/passkeys', noted)).toMatchObject(createRefusal(403, 'deviceAge'))
      const challenge = async () =>
        String((await laptop.request('POST', '/auth/v1/passkeys/challenge', {})).body['challenge'])
      const prove = (proof: object) => laptop.request('POST', '/auth/v1/passkeys/prove', proof)
      const good = passkey.respond(await challenge())
      for (const wrong of [
        passkey.respond(randomBase64Url(32)),
        passkey.respond(await challenge(), { type: 'webauthn.create' }),
        passkey.respond(await challenge(), { host: 'evil.example' }),
        passkey.respond(await challenge(), { flags: 0b001 }),
        { ...createFakePasskey().respond(await challenge()), id: passkey.id },
        { ...passkey.respond(await challenge()), signature: randomBase64Url(70) },
      ]) {
        expect(await prove(wrong)).toMatchObject(createRefusal(401, 'passkey'))
      }
      const { status, body } = await prove(good)
      expect(status).toBe(200)
      expect(await prove(good)).toMatchObject(createRefusal(401, 'passkey'))
      expect(await laptop.request('POST', '/auth/v1/exported', {})).toMatchObject(createRefusal(403, 'deviceAge'))
      laptop.use(String(body['accessToken']))
      expect((await laptop.request('POST', '/auth/v1/exported', {})).status).toBe(200)
      later += 5 * 60_000 + 1_000
      expect(await laptop.request('POST', '/auth/v1/exported', {})).toMatchObject(createRefusal(403, 'fresh'))
    })
  })

  test('is neither exported nor deleted if its owner cannot be notified [A-08] [A-18]', async () => {
    const email = `untold-${layout}@example.org`
    const client = await withWallet(email)
    mail.refuse('try later')
    expect(await client.request('POST', '/auth/v1/exported', {})).toMatchObject(createRefusal(503, 'mail'))
    expect(await client.request('POST', '/auth/v1/deletion', {})).toMatchObject(createRefusal(503, 'mail'))
    mail.refuse(undefined)
    expect((await client.request('GET', '/auth/v1/user')).body).not.toHaveProperty('deletionAt')
  })

  test('gets a fresh session for one action with a code from its own address, which names it [C-02]', async () => {
    const email = `stepup-${layout}@example.org`
    const client = await withWallet(email)
    later += 6 * 60_000
    expect(await client.request('POST', '/auth/v1/exported', {})).toMatchObject(createRefusal(403, 'fresh'))
    const stepUp = async (action: string) => {
      let id: unknown
      const text = await mailFor(email, async () => {
        ;({
          body: { id },
        } = await client.request('POST', '/auth/v1/stepup', { origin, action }))
      })
      return { text, reply: { id, code: codeIn(text) } }
    }
    const redeem = (reply: object, action: string) =>
      client.request('POST', '/auth/v1/stepup/redeem', { ...reply, action })
    const exporting = await stepUp('export')
    expect(exporting.text).toContain('to show the keys of your wallet')
    expect(await redeem(exporting.reply, 'delete')).toMatchObject(createRefusal(401, 'code'))
    client.use(String((await redeem(exporting.reply, 'export')).body['accessToken']))
    // A thief who got the code under the pretext of an export can’t delete with it.
    expect(await client.request('POST', '/auth/v1/deletion', {})).toMatchObject(createRefusal(403, 'fresh'))
    expect((await client.request('POST', '/auth/v1/exported', {})).status).toBe(200)
    const deleting = await stepUp('delete')
    expect(deleting.text).toContain('to delete your wallet')
    client.use(String((await redeem(deleting.reply, 'delete')).body['accessToken']))
    expect(await client.request('POST', '/auth/v1/exported', {})).toMatchObject(createRefusal(403, 'fresh'))
    expect((await client.request('POST', '/auth/v1/deletion', {})).status).toBe(200)
    const strange = await client.request('POST', '/auth/v1/stepup', {
      origin: 'http://a.example\nCall this number',
      action: 'export',
    })
    expect(strange).toMatchObject(createRefusal(400, 'origin'))
  })

  test(
    'is not deleted by a thief of the mailbox before a month, and not while its owner uses it [A-08] [C-08]',
    { tags: 'abuse' },
    async () => {
      const email = `month-${layout}@example.org`
      const owner = await login(email)
      const { setId, proof } = await enrol(owner)
      // The share store approved the thief's device by the mailbox, a day ago.
      const device = await login(email)
      await device.request('POST', '/auth/v1/shares/any', { setId, proof })
      later += day
      const thief = await login(email, device)
      const wrong = await prove(thief, randomBytes(32))
      expect(await requestDeletion(thief, wrong)).toMatchObject(createRefusal(401, 'wallet'))
      const scheduled = async () => Number((await requestDeletion(thief)).body['at']) - clock.now()
      expect(await scheduled()).toBeGreaterThan(29 * day)
      later += 4 * day
      await services.sweep()
      const session = await login(email)
      expect((await session.request('GET', '/auth/v1/user')).body).toMatchObject({ accounts })
      // Any session cancels it, and so does the device of the owner that opens the wallet.
      await session.request('POST', '/auth/v1/deletion/cancel', {})
      expect((await session.request('GET', '/auth/v1/user')).body).not.toHaveProperty('deletionAt')
      const again = await login(email, thief)
      expect((await requestDeletion(again)).status).toBe(200)
      const back = await login(email, owner)
      expect((await back.request('POST', '/auth/v1/shares/own', {})).status).toBe(200)
      expect((await back.request('GET', '/auth/v1/user')).body).not.toHaveProperty('deletionAt')
      // With a proof, it is three days, and the wallet may be opened in the meantime.
      const { body } = await requestDeletion(back, await prove(back))
      expect(Number(body['at']) - clock.now()).toBeLessThanOrEqual(3 * day)
      await back.request('POST', '/auth/v1/shares/own', {})
      expect((await back.request('GET', '/auth/v1/user')).body).toMatchObject({ deletionAt: body['at'] })
    },
  )

  test(
    'is deleted after three days, unless its owner cancels in the frame or by mail [K-13]',
    { tags: 'abuse' },
    async () => {
      const [kept, linked, gone] = ['kept', 'linked', 'gone'].map((who) => `${who}-${layout}@example.org`)
      const request = async (email = '') => {
        const client = await withWallet(email)
        let at: unknown
        const text = await mailFor(email, async () => {
          at = (await requestDeletion(client, await prove(client))).body['at']
        })
        expect((await client.request('GET', '/auth/v1/user')).body).toMatchObject({ deletionAt: at })
        return { client, link: linkIn(text) }
      }
      const [one, two] = [await request(kept), await request(linked)]
      await one.client.request('POST', '/auth/v1/deletion/cancel', {})
      expect(await (await fetch(two.link)).text()).toContain('Keep the wallet')
      expect(await press(two.link)).toContain('Your wallet will not be deleted')
      const three = await request(gone)
      later += 3 * day
      await services.sweep()
      for (const email of [kept, linked]) {
        const { body } = await (await login(email ?? '')).request('GET', '/auth/v1/user')
        expect(body['accounts']).toHaveLength(1)
      }
      expect((await three.client.request('GET', '/auth/v1/user')).status).toBe(401)
      expect((await (await login(gone ?? '')).request('GET', '/auth/v1/user')).body).not.toHaveProperty('accounts')
    },
  )

  test('lists its devices and revokes one with its sessions [K-08]', async () => {
    const email = `devices-${layout}@example.org`
    const laptop = await login(email)
    const { walletId } = await enrol(laptop)
    const { devices } = (await laptop.request('POST', '/auth/v1/devices', {})).body as { devices: { setId: string }[] }
    expect(devices).toMatchObject([{ origin, current: true, browser: expect.any(String) }])
    const lost = await login(email)
    const { setId } = await enrol(lost, walletId)
    const owner = await login(email, laptop)
    const revoke = () => owner.request('POST', '/auth/v1/shares/revoke', { setId })
    expect((await lost.request('GET', '/auth/v1/user')).status).toBe(200)
    expect(await mailFor(email, revoke)).toContain('A device was removed')
    expect((await lost.request('GET', '/auth/v1/user')).status).toBe(401)
    expect((await owner.request('POST', '/auth/v1/devices', {})).body).toMatchObject({ devices: [{ current: true }] })
  })

  test('writes a log that cannot be changed', async () => {
    for (const statement of ['delete from auth_audit', 'update auth_audit set at = 0', 'truncate auth_audit']) {
      await expect(thief.run(statement)).rejects.toThrow('entries of this log stay')
    }
    expect(JSON.stringify(await thief.run('select * from auth_audit'))).not.toMatch(/@example|127\.0\.0\.1/)
  })
})
