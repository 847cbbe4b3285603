import { createHash, randomBytes } from 'node:crypto'
import { startMail, type LocalMail, type ReceivedMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const day = 86_400_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const createRefusal = (status: number, field: string) => ({ status, body: { reasons: [{ field }] } })
const hashOf = (text: string): string => createHash('sha256').update(Buffer.from(text, 'base64url')).digest('base64url')

let mail: LocalMail
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, clock })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

/** Returns the mail that an action causes. */
async function mailFor(email: string, act: () => Promise<unknown>): Promise<ReceivedMail> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  return mail.waitFor(email, before)
}

async function logIn(email: string, twin?: LoginClient): Promise<LoginClient> {
  const client = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  let id: unknown
  const { text } = await mailFor(email, async () => {
    ;({ id } = (await client.request('POST', '/auth/v1/codes', { email, projectId, origin })).body)
  })
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const { body } = await client.request('POST', '/auth/v1/codes/redeem', { id, email, code })
  client.use((body as { tokens: { accessToken: string } }).tokens.accessToken)
  return client
}

/** Enrols a device. The proof is known to devices that the share store returned its data to. */
async function enrol(client: LoginClient, walletId = randomBase64Url(16)) {
  const share = { walletId, setId: randomBase64Url(16), epoch: 1, share: randomBase64Url(94) }
  const proof = randomBase64Url(32)
  const accounts = [{ namespace: 'a', address: 'b' }]
  await client.request('POST', '/auth/v1/shares', { ...share, accounts, origin, verifier: hashOf(proof) })
  const commit = () => client.request('POST', '/auth/v1/shares/commit', { setId: share.setId })
  return { ...share, proof, commit, status: (await commit()).status }
}

test('a login with a code alone yields no auth share on a new device [C-06]', async () => {
  const email = 'alone@example.org'
  const owner = await logIn(email)
  const { setId, share, proof } = await enrol(owner)
  const attacker = await logIn(email)
  const read = (client: LoginClient) => client.request('POST', '/auth/v1/shares/read', { setId })
  expect(await read(owner)).toMatchObject({ status: 200, body: { share } })
  expect(await read(attacker)).toMatchObject(createRefusal(404, 'setId'))
  const any = (body: object) => attacker.request('POST', '/auth/v1/shares/any', body)
  expect((await any({})).status).toBe(400)
  expect((await any({ setId })).status).toBe(400)
  expect(await any({ setId, proof: randomBase64Url(32) })).toMatchObject(createRefusal(404, 'user'))
  // The stored verifier is not a proof, so a copy of the database yields none.
  expect(await any({ setId, proof: hashOf(proof) })).toMatchObject(createRefusal(404, 'user'))
  expect(await attacker.request('POST', '/auth/v1/shares/own', {})).toMatchObject(createRefusal(404, 'key'))
  expect(await any({ setId, proof })).toMatchObject({ status: 200, body: { share } })
})

test('the proof of one user or enrolment gives no access to another [C-06]', async () => {
  const ann = await enrol(await logIn('ann@example.org'))
  const ben = await logIn('ben@example.org')
  const own = await enrol(ben)
  const any = (body: object) => ben.request('POST', '/auth/v1/shares/any', body)
  expect(await any({ setId: ann.setId, proof: ann.proof })).toMatchObject(createRefusal(404, 'user'))
  expect(await any({ setId: own.setId, proof: ann.proof })).toMatchObject(createRefusal(404, 'user'))
})

test('the verifier of an enrolment can’t be replaced [C-06]', async () => {
  const client = await logIn('twice@example.org')
  const { setId, walletId, share } = await enrol(client)
  const again = { walletId, setId, epoch: 1, share, accounts: [{ namespace: 'a', address: 'b' }] }
  await client.request('POST', '/auth/v1/shares', { ...again, verifier: hashOf(randomBase64Url(32)) })
  const attacker = await logIn('twice@example.org')
  const proof = randomBase64Url(32)
  await attacker.request('POST', '/auth/v1/shares', { ...again, verifier: hashOf(proof) })
  const any = await attacker.request('POST', '/auth/v1/shares/any', { setId, proof })
  expect(any).toMatchObject(createRefusal(404, 'user'))
})

test('a new device can’t change the address or revoke the founding device [C-05]', async () => {
  const email = 'founder@example.org'
  const founder = await logIn(email)
  const { setId, walletId } = await enrol(founder)
  const attacker = await logIn(email)
  await enrol(attacker, walletId)
  const change = (client: LoginClient) =>
    client.request('POST', '/auth/v1/email/update', { email: 'mallory@example.net', projectId, origin })
  const revoke = (client: LoginClient, id = setId) => client.request('POST', '/auth/v1/shares/revoke', { setId: id })
  expect(await change(attacker)).toMatchObject(createRefusal(403, 'deviceAge'))
  expect(await revoke(attacker)).toMatchObject(createRefusal(403, 'deviceAge'))
  // An enrolment that isn't live belongs to a device as well.
  expect(await revoke(attacker, randomBase64Url(16))).toMatchObject(createRefusal(403, 'deviceAge'))
  expect((await founder.request('GET', '/auth/v1/user')).status).toBe(200)
  later += day
  // The day counts from a proof, and a login is none.
  expect(await revoke(await logIn(email, attacker))).toMatchObject(createRefusal(403, 'deviceAge'))
})

test('a device can revoke itself, and the owner’s device can revoke a new one at once [C-05] [K-08]', async () => {
  const email = 'self@example.org'
  const founder = await logIn(email)
  const founding = await enrol(founder)
  const one = await logIn(email)
  const [own, two] = [await enrol(one, founding.walletId), await logIn(email)]
  const { setId } = await enrol(two, founding.walletId)
  const revoke = (client: LoginClient, id: string) => client.request('POST', '/auth/v1/shares/revoke', { setId: id })
  const latest = mail.received()[0]?.id
  expect((await revoke(one, own.setId)).status).toBe(200)
  expect(mail.received()[0]?.id).toBe(latest)
  const owner = await logIn(email, founder)
  const { subject } = await mailFor(email, () => revoke(owner, setId))
  expect(subject).toBe('A device was removed from your wallet')
  expect((await two.request('GET', '/auth/v1/user')).status).toBe(401)
  const itself = await logIn(email, founder)
  expect((await revoke(itself, founding.setId)).status).toBe(200)
})

test('the owner is notified of every new device, and the link of the notice removes it [C-07]', async () => {
  const email = 'notified@example.org'
  const founder = await logIn(email)
  const { walletId } = await enrol(founder)
  const attacker = await logIn(email)
  let enrolled: Awaited<ReturnType<typeof enrol>> | undefined
  const { subject, text } = await mailFor(email, async () => {
    enrolled = await enrol(attacker, walletId)
  })
  expect(subject).toBe('A new device can open your wallet')
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  // Mail systems open links, which must change nothing.
  expect(await (await fetch(link)).text()).toContain('Remove the device')
  expect((await attacker.request('GET', '/auth/v1/user')).status).toBe(200)
  const press = async (query: URLSearchParams) =>
    (await fetch(link.origin + link.pathname, { method: 'POST', body: query })).text()
  const forged = new URLSearchParams({ id: link.searchParams.get('id') ?? '', secret: randomBase64Url(32) })
  expect(await press(forged)).toContain('no longer valid')
  expect(await press(link.searchParams)).toContain('The device was removed')
  expect(await press(link.searchParams)).toContain('no longer valid')
  expect(await (await fetch(link)).text()).toContain('no longer valid')
  const unknown = new URLSearchParams({ id: 'unknown', secret: randomBase64Url(32) })
  expect(await press(unknown)).toContain('no longer valid')
  expect((await attacker.request('GET', '/auth/v1/user')).status).toBe(401)
  const again = await logIn(email, attacker)
  expect((await again.request('POST', '/auth/v1/shares/own', {})).status).toBe(404)
  expect(enrolled?.status).toBe(200)
})

test('a device that gets a share and never enrols is notified of, once, and its link removes it [C-07]', async () => {
  const email = 'silent@example.org'
  const { setId, proof, walletId } = await enrol(await logIn(email))
  const attacker = await logIn(email)
  const any = () => attacker.request('POST', '/auth/v1/shares/any', { setId, proof })
  mail.refuse('try later')
  expect(await any()).toMatchObject(createRefusal(503, 'mail'))
  mail.refuse(undefined)
  const { subject, text } = await mailFor(email, any)
  expect(subject).toBe('A new device can open your wallet')
  const latest = mail.received()[0]?.id
  expect((await any()).status).toBe(200)
  expect((await enrol(attacker, walletId)).status).toBe(200)
  expect(mail.received()[0]?.id).toBe(latest)
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  const press = await fetch(link.origin + link.pathname, { method: 'POST', body: link.searchParams })
  expect(await press.text()).toContain('The device was removed')
  expect((await attacker.request('GET', '/auth/v1/user')).status).toBe(401)
})

test('a device that its owner can’t be notified of is not enrolled, and the first device needs no notice [C-07]', async () => {
  const email = 'unnotified@example.org'
  const founder = await logIn(email)
  mail.refuse('try later')
  const { walletId, status } = await enrol(founder)
  mail.refuse(undefined)
  expect(status).toBe(200)
  const attacker = await logIn(email)
  mail.refuse('try later')
  const enrolled = await enrol(attacker, walletId)
  mail.refuse(undefined)
  expect(enrolled.status).toBe(503)
  expect((await attacker.request('POST', '/auth/v1/shares/own', {})).status).toBe(404)
  expect((await enrolled.commit()).status).toBe(200)
})
