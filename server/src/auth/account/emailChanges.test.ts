import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Mail } from '../../custody/mail/mailer.ts'
import { createPlaces } from '../../custody/requests/source/places.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import type { CodeRedemption, CodeRequest } from '../login/codes.ts'
import { createUsers, type Users } from '../login/users.ts'
import { createEmailChanges, type EmailChanges } from './emailChanges.ts'

const [minute, day] = [60_000, 86_400_000]
const [annsAddress, next] = ['ann@example.org', 'new@example.net']
const requester = { origin: 'https://app.example', browser: 'Firefox on Linux', locale: 'en' } as const
const source = { project: 'p', client: '192.168.0.7', requester }
const refusedCode = expect.objectContaining({ status: 401, field: 'code' })
const over = expect.objectContaining({ status: 404, field: 'id' })

let place: TestPostgres
let database: Database
let users: Users
let changes: EmailChanges
let ann = ''
let now = 0
let mails: Mail[] = []
let isMailDown = false
let whileMailing: () => Promise<unknown> = async () => undefined
let events: string[] = []
/** Codes that were sent and not yet redeemed. */
let open: (CodeRequest & { id: string })[] = []

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  const keyEncryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  const kept = { database: database.kysely, clock: { now: () => now }, secrets }
  users = createUsers(kept)
  changes = createEmailChanges({
    ...kept,
    users,
    codes: { send: sendCode, redeem: redeemCode },
    sessions: { endAll: async (user, except) => void events.push(`ended ${user} ${String(except)}`) },
    mailer: { send: sendMail, close: async () => undefined },
    auditLog: { record: async (event, { user, key }) => void events.push(`${event} ${user} ${String(key)}`) },
    places: createPlaces(),
    page: () => 'https://auth.example/revert',
  })
})
beforeEach(async () => {
  now = Date.UTC(2026, 10, 22)
  ;[mails, isMailDown, events, open] = [[], false, [], []]
  whileMailing = async () => undefined
  await sql`delete from auth_user`.execute(database.kysely)
  ann = (await users.findOrCreateByMailbox(mailboxOf(annsAddress), annsAddress)).id
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const mailboxOf = (address: string): Buffer => sha256(address)
const owner = () => ({ user: ann, key: 'laptop' })
async function sendMail(mail: Mail): Promise<void> {
  if (isMailDown) throw new Error('The mail server is down.')
  mails.push(mail)
  await whileMailing()
}
async function sendCode(request: CodeRequest): Promise<{ id: string }> {
  const id = randomUUID()
  open.push({ ...request, id })
  return { id }
}
/** A code is the text `code for` and its address. */
async function redeemCode({ id, email, code, purpose, key }: CodeRedemption) {
  const found = open.find((each) => each.id === id && each.purpose === purpose && each.key === key)
  if (found === undefined || found.email !== email || code !== `code for ${email}`) throw new Problem(401, 'code', 'no')
  open = open.filter((each) => each !== found)
  return { mailbox: mailboxOf(email), email }
}
const codeFor = (email: string): string => `code for ${email}`
const start = (email = next) => changes.start(owner(), email, source)
const confirmPrimary = (id: string, code = codeFor(annsAddress), by = owner()) =>
  changes.confirmPrimary(by, { id, code }, source)
const confirmSecondary = (id: string, code = codeFor(next), by = owner()) =>
  changes.confirmSecondary(by, { id, code }, source)
/** Changes the address, and returns the link that reverts it. */
async function change() {
  const { id } = await start()
  await confirmPrimary(id)
  await confirmSecondary(id)
  return linkIn(mails.at(-1))
}
function linkIn(mail: Mail | undefined): { id: string; secret: string } {
  const { searchParams } = new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? expect.fail('no link'))
  return { id: searchParams.get('id') ?? '', secret: searchParams.get('secret') ?? '' }
}
const removeMailbox = () => sql`update auth_user set mailbox = null where id = ${ann}`.execute(database.kysely)
const countChanges = async () => (await sql`select from auth_email_change`.execute(database.kysely)).rows.length

describe('a change of the address', () => {
  test('needs the code of the current address, then that of the new one [R4.3.4]', async () => {
    const { id, action } = await start('New@Example.net')
    expect(action).toBe('VERIFY_PRIMARY_OTP')
    const sent = {
      ...source,
      email: annsAddress,
      purpose: 'update-primary',
      key: 'laptop',
      newEmail: 'New@example.net',
    }
    expect(open).toEqual([{ ...sent, id: expect.any(String) }])
    await expect(confirmSecondary(id)).rejects.toEqual(over)
    await expect(confirmPrimary(id, 'wrong')).rejects.toEqual(refusedCode)
    await confirmPrimary(id)
    const second = { ...source, email: 'New@example.net', purpose: 'update-secondary', key: 'laptop' }
    expect(open).toEqual([{ ...second, id: expect.any(String) }])
    await expect(confirmSecondary(id, 'wrong')).rejects.toEqual(refusedCode)
    expect(await users.find(ann)).toEqual({ id: ann, email: annsAddress })
    expect(await confirmSecondary(id, codeFor('New@example.net'))).toEqual({ email: 'New@example.net' })
    expect(await users.findMailbox(ann)).toEqual({ mailbox: mailboxOf('New@example.net'), email: 'New@example.net' })
    expect(events).toEqual([`email changed ${ann} laptop`])
    await expect(confirmSecondary(id)).rejects.toEqual(over)
  })

  test('sends a new code to the new address when the first one is confirmed again', async () => {
    const { id } = await start()
    await confirmPrimary(id)
    await confirmPrimary(id, 'not checked again')
    const [first, second] = open
    expect([first?.email, second?.email]).toEqual([next, next])
    await confirmSecondary(id)
    expect(open).toEqual([first])
  })

  test('belongs to one frame of one user, and lasts for twenty minutes [A-06]', async () => {
    const { id } = await start()
    const { id: ben } = await users.findOrCreateByMailbox(mailboxOf('ben'), 'ben@example.org')
    for (const by of [
      { ...owner(), key: 'phone' },
      { ...owner(), user: ben },
    ]) {
      await expect(confirmPrimary(id, codeFor(annsAddress), by)).rejects.toEqual(over)
    }
    await expect(confirmPrimary('x')).rejects.toEqual(over)
    await expect(confirmPrimary(randomUUID())).rejects.toEqual(over)
    now += 20 * minute - 1
    await confirmPrimary(id)
    now += 1
    await expect(confirmSecondary(id)).rejects.toEqual(over)
  })

  test('is not started to the same address, and for no user who is gone', async () => {
    await expect(start('ANN@example.org')).rejects.toEqual(expect.objectContaining({ status: 400, field: 'email' }))
    await expect(start('no address')).rejects.toEqual(expect.objectContaining({ status: 400, field: 'email' }))
    await expect(changes.start({ ...owner(), user: randomUUID() }, next, source)).rejects.toEqual(over)
    expect([open, await countChanges()]).toEqual([[], 0])
  })

  test('to the address of another user fails without a notice', async () => {
    await users.findOrCreateByMailbox(mailboxOf(next), next)
    const { id } = await start()
    await confirmPrimary(id)
    await expect(confirmSecondary(id)).rejects.toEqual(expect.objectContaining({ status: 409, field: 'email' }))
    expect([mails, events]).toEqual([[], []])
  })

  test('does not happen if the previous address cannot be notified [A-18]', async () => {
    const { id } = await start()
    await confirmPrimary(id)
    isMailDown = true
    await expect(confirmSecondary(id)).rejects.toEqual(expect.objectContaining({ status: 503, field: 'mail' }))
    expect(await users.find(ann)).toEqual({ id: ann, email: annsAddress })
    expect(events).toEqual([])
  })

  test('fails if another one came first, and its notice reverts nothing', async () => {
    const { id } = await start()
    await confirmPrimary(id)
    whileMailing = () =>
      sql`update auth_user set mailbox = ${mailboxOf('other')} where id = ${ann}`.execute(database.kysely)
    await expect(confirmSecondary(id)).rejects.toEqual(over)
    expect(await changes.canRevert(linkIn(mails[0]))).toBe(false)
  })

  test('stores no address and no secret in readable form [K-05]', async () => {
    const { secret } = await change()
    const { rows } = await sql<{ row: string }>`select auth_email_change::text as row from auth_email_change`.execute(
      database.kysely,
    )
    for (const text of [annsAddress, next, secret]) {
      expect(rows[0]?.row).not.toContain(text)
      expect(rows[0]?.row).not.toContain(Buffer.from(text).toString('hex'))
    }
  })
})

describe('a user without a mailbox', () => {
  beforeEach(removeMailbox)

  test('confirms the new address only, and the known one is notified [C-09]', async () => {
    const { id, action } = await start()
    expect([action, open.map(({ purpose }) => purpose)]).toEqual(['VERIFY_SECONDARY_OTP', ['update-secondary']])
    await confirmSecondary(id)
    expect(mails.map(({ to }) => to)).toEqual([annsAddress])
    expect(await changes.revert(linkIn(mails[0]))).toBe(true)
    expect([await users.find(ann), await users.hasMailbox(ann)]).toEqual([{ id: ann, email: annsAddress }, false])
  })

  test('and without an address has no one to notify', async () => {
    await sql`update auth_user set email = null where id = ${ann}`.execute(database.kysely)
    const { id, action } = await start(annsAddress)
    expect(action).toBe('VERIFY_SECONDARY_OTP')
    expect(await confirmSecondary(id, codeFor(annsAddress))).toEqual({ email: annsAddress })
    expect(mails).toEqual([])
  })

  test('who got one meanwhile has to confirm it, too', async () => {
    const { id } = await start()
    await sql`update auth_user set mailbox = ${mailboxOf(annsAddress)} where id = ${ann}`.execute(database.kysely)
    await expect(confirmSecondary(id)).rejects.toEqual(over)
  })
})

describe('the link to the previous address', () => {
  test('names the source of the change, and reverts it once, with all sessions [R4.3.4] [C-09]', async () => {
    const link = await change()
    const [mail] = mails
    expect(mail?.to).toBe(annsAddress)
    for (const fact of ['Firefox on Linux', 'local network', 'November 22, 2026']) expect(mail?.text).toContain(fact)
    events = []
    expect(await changes.canRevert(link)).toBe(true)
    expect(await changes.revert(link)).toBe(true)
    expect(await users.findMailbox(ann)).toEqual({ mailbox: mailboxOf(annsAddress), email: annsAddress })
    expect(events).toEqual([`ended ${ann} undefined`, `email change reverted ${ann} undefined`])
    expect(await changes.canRevert(link)).toBe(false)
    expect(await changes.revert(link)).toBe(false)
    expect(events).toHaveLength(2)
  })

  test('reverts once when it is pressed concurrently', async () => {
    const link = await change()
    const results = await Promise.all([1, 2, 3, 4].map(() => changes.revert(link)))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('is of no use with another secret or id, before the change, or after three days', async () => {
    const { id } = await start()
    await confirmPrimary(id)
    const link = await change()
    for (const wrong of [
      { ...link, secret: 'x' },
      { ...link, id: randomUUID() },
      { ...link, id: 'x' },
    ]) {
      expect([await changes.canRevert(wrong), await changes.revert(wrong)]).toEqual([false, false])
    }
    now += 3 * day - 1
    expect(await changes.canRevert(link)).toBe(true)
    now += 1
    expect([await changes.canRevert(link), await changes.revert(link)]).toEqual([false, false])
  })

  test('voids those of later changes, and not those of other users [C-09]', async () => {
    const first = await change()
    const { id } = await start('last@example.net')
    await confirmPrimary(id, codeFor(next))
    await confirmSecondary(id, codeFor('last@example.net'))
    const between = linkIn(mails.at(-1))
    expect(await changes.revert(first)).toBe(true)
    expect(await changes.revert(between)).toBe(false)
    expect((await users.find(ann))?.email).toBe(annsAddress)
  })

  test('takes the address from users who got it meanwhile, and deletes those without a wallet [C-09]', async () => {
    const link = await change()
    const squatter = await users.findOrCreateByMailbox(mailboxOf(annsAddress), annsAddress)
    expect(await changes.revert(link)).toBe(true)
    expect(await users.find(squatter.id)).toBeUndefined()
    const again = await change()
    const withWallet = await users.findOrCreateByMailbox(mailboxOf(annsAddress), annsAddress)
    await sql`insert into auth_wallet (user_id, wallet_id, epoch, accounts, founder)
      values (${withWallet.id}, ${randomBytes(16)}, 1, '[]', 'laptop')`.execute(database.kysely)
    expect(await changes.revert(again)).toBe(true)
    expect(await users.find(withWallet.id)).toBeDefined()
    expect(await users.hasMailbox(withWallet.id)).toBe(false)
  })

  test('reverts nothing for a user who is gone', async () => {
    const link = await change()
    await sql`delete from auth_user where id = ${ann}`.execute(database.kysely)
    expect(await changes.revert(link)).toBe(false)
  })
})

test('a sweep deletes changes that can be neither completed nor reverted, and no others', async () => {
  await change()
  await start('third@example.net')
  now += 20 * minute - 1
  await changes.sweep()
  expect(await countChanges()).toBe(2)
  now += 1
  await changes.sweep()
  expect(await countChanges()).toBe(1)
  now += 3 * day - 20 * minute - 1
  await changes.sweep()
  expect(await countChanges()).toBe(1)
  now += 1
  await changes.sweep()
  expect(await countChanges()).toBe(0)
})
