import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { startLoginServices, type LoginServices } from '@latchkey/server/testing'
import { bytesToHex, parseTransaction, recoverTransactionAddress, verifyMessage, verifyTypedData } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Entered, HolderUser } from './keyHolder.ts'
import { stretchHere } from '../custody/stretch.ts'
import { openHolder } from './holder.ts'
import { memoryStore, type HolderStore } from './store.ts'

let mail: LocalMail
let services: LoginServices
let ahead = 0
const now = (): number => Date.now() + ahead
const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
}, 60_000)
afterAll(async () => {
  await services.close()
  await mail.close()
})

type Holder = Awaited<ReturnType<typeof openHolder>>

/** A browser, by what it remembers. */
function openBrowser(store: HolderStore, { isFramed = true } = {}): Promise<Holder> {
  const { authUrl, sharesUrl } = services
  return openHolder({
    authUrl,
    sharesUrl,
    projectId,
    store,
    now,
    isFramed,
    stretch: stretchHere,
    later(act) {
      // Nobody waits in a test: what would be wiped in five minutes is wiped when a test says so.
      const timer = setTimeout(act, 10)
      return () => clearTimeout(timer)
    },
    alone: (act) => act(),
  })
}

/** Opens the newest mail to somebody, and presses what it asks for. */
async function approve(email: string, after: number, match: string | undefined): Promise<number> {
  const { id, text } = await mail.waitFor(email, after)
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  expect((await fetch(link.origin + link.pathname, { method: 'POST', body })).status).toBe(200)
  return id
}

async function logIn(holder: Holder, email: string): Promise<HolderUser> {
  // One machine gets twenty mails an hour, one address one in half a minute.
  ahead += 181_000
  let latest = mail.received()[0]?.id ?? 0
  const { action, match } = await holder.sendCode({ email, origin })
  if (action === 'VERIFY_DEVICE') {
    latest = await approve(email, latest, match)
    await holder.awaitDevice()
  }
  const { text } = await mail.waitFor(email, latest)
  const entered = await holder.redeem(/\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code'))
  return userOf(entered)
}

function userOf(entered: Entered): HolderUser {
  return 'user' in entered ? entered.user : expect.fail(`something else is wanted: ${JSON.stringify(entered)}`)
}

/** The code of a mail that comes while something is done. */
async function codeOf(email: string, act: () => Promise<unknown>): Promise<string> {
  ahead += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  const { text } = await mail.waitFor(email, before)
  return /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
}

describe('somebody new', () => {
  test('approves the browser by the digits, types the code, and has a wallet on both families', async () => {
    const holder = await openBrowser(memoryStore())
    expect(await holder.restore()).toBeUndefined()
    const user = await logIn(holder, 'ann@example.org')
    expect(user).toMatchObject({ email: 'ann@example.org' })
    expect(user.accounts.map(({ namespace }) => namespace)).toEqual(['eip155', 'solana'])
    expect(await holder.restore()).toEqual(user)
  })

  test('is known by the same browser after the page was closed, and needs a code only [K-03]', async () => {
    const store = memoryStore()
    const user = await logIn(await openBrowser(store), 'ben@example.org')
    const reopened = await openBrowser(store)
    expect(await reopened.restore()).toEqual(user)
    expect(await reopened.sendCode({ email: 'Ben@example.org', origin })).toEqual({ action: 'CONNECT' })
    await reopened.signOut()
    expect(await reopened.restore()).toBeUndefined()
    ahead += 181_000
    const before = mail.received()[0]?.id ?? 0
    expect(await reopened.sendCode({ email: 'ben@example.org', origin })).toEqual({ action: 'VERIFY_OTP' })
    const { text } = await mail.waitFor('ben@example.org', before)
    expect(await reopened.redeem(/\b\d{6}\b/.exec(text)?.[0] ?? '')).toEqual({ user })
  })

  test('has the same wallet in another browser [K-03]', async () => {
    const one = await logIn(await openBrowser(memoryStore()), 'cat@example.org')
    const other = await logIn(await openBrowser(memoryStore()), 'cat@example.org')
    expect(other.accounts).toEqual(one.accounts)
  })

  test('is told of a wrong code, and may type the right one', async () => {
    const holder = await openBrowser(memoryStore())
    ahead += 181_000
    const before = mail.received()[0]?.id ?? 0
    const { match } = await holder.sendCode({ email: 'dan@example.org', origin })
    const link = await approve('dan@example.org', before, match)
    await holder.awaitDevice()
    const { text } = await mail.waitFor('dan@example.org', link)
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    await expect(holder.redeem(wrong)).rejects.toThrow('This code is wrong or too old.')
    expect(await holder.redeem(code)).toMatchObject({ user: { email: 'dan@example.org' } })
  })
})

describe('what is signed', () => {
  let holder: Holder
  let evm: `0x${string}`
  let solana: string
  beforeAll(async () => {
    holder = await openBrowser(memoryStore())
    const { accounts } = await logIn(holder, 'eve@example.org')
    evm = accounts[0]?.address as `0x${string}`
    solana = accounts[1]?.address ?? ''
  })

  test('is signed by the very address, after the keys were wiped, too', async () => {
    for (const text of ['once', 'twice']) {
      const message = new TextEncoder().encode(text)
      const signature = bytesToHex(await holder.sign({ kind: 'evm-message', message }))
      expect(await verifyMessage({ address: evm, message: text, signature })).toBe(true)
      await holder.lock()
    }
  })

  test('is typed data as it was written', async () => {
    const data = {
      domain: { name: 'Mail', version: '1', chainId: 1n },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Mail: [
          { name: 'to', type: 'address' },
          { name: 'size', type: 'uint256' },
        ],
      },
      primaryType: 'Mail',
      message: { to: evm, size: 12n },
    } as const
    const written = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
    const signature = bytesToHex(await holder.sign({ kind: 'evm-typed-data', json: JSON.stringify(data, written) }))
    expect(await verifyTypedData({ ...data, address: evm, signature })).toBe(true)
  })

  test('is a transaction that says what was ordered', async () => {
    const transaction = {
      chainId: 31_337,
      nonce: 3,
      to: evm,
      value: 10n ** 18n,
      data: '0xabcd' as const,
      gas: 21_000n,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    }
    const serializedTransaction = bytesToHex(await holder.sign({ kind: 'evm-transaction', transaction }))
    expect(parseTransaction(serializedTransaction)).toMatchObject({ ...transaction, to: evm.toLowerCase() })
    expect(await recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` })).toBe(
      evm,
    )
  })

  test('is signed on Solana over the very bytes', async () => {
    const bytes = new TextEncoder().encode('hello')
    const signature = await holder.sign({ kind: 'solana', bytes })
    expect(ed25519.verify(signature, bytes, base58.decode(solana))).toBe(true)
  })
})

describe('who is logged in', () => {
  test('recovers on a new device by a password only, once nothing else opens the wallet', async () => {
    const email = 'hal@example.org'
    const holder = await openBrowser(memoryStore())
    const { accounts } = await logIn(holder, email)
    await holder.addPassword('a long sentence of mine')
    expect((await holder.ways()).map(({ method }) => method).toSorted()).toEqual(['auto', 'password'])
    await holder.lock()
    await expect(holder.removeWay('auto')).rejects.toMatchObject({ code: 'custody/way-needed' })
    await holder.removeWay('auto', [{ method: 'password', password: 'a long sentence of mine' }])
    expect((await holder.ways()).map(({ method }) => method)).toEqual(['password'])
    await expect(holder.removeWay('password')).rejects.toMatchObject({ code: 'custody/last-way' })

    ahead += 181_000
    const other = await openBrowser(memoryStore())
    const before = mail.received()[0]?.id ?? 0
    const { match } = await other.sendCode({ email, origin })
    const link = await approve(email, before, match)
    await other.awaitDevice()
    const { text } = await mail.waitFor(email, link)
    const entered = await other.redeem(/\b\d{6}\b/.exec(text)?.[0] ?? '')
    expect(entered).toEqual({ ways: [expect.objectContaining({ method: 'password' })] })
    expect(await other.restore()).toBeUndefined()
    await expect(other.recoverBy({ method: 'password', password: 'another one entirely' })).rejects.toMatchObject({
      code: 'custody/unreadable',
    })
    expect(await other.recoverBy({ method: 'password', password: 'a long sentence of mine' })).toMatchObject({
      accounts,
    })
  })

  test('sees the devices, and one that was taken away opens the wallet no more', async () => {
    const email = 'ida@example.org'
    const [laptop, phone] = [await openBrowser(memoryStore()), await openBrowser(memoryStore())]
    const { accounts } = await logIn(laptop, email)
    await logIn(phone, email)
    await phone.lock()
    const devices = await laptop.devices()
    expect(devices.map(({ current }) => current).toSorted()).toEqual([false, true])
    expect(devices[0]).toMatchObject({ origin })
    const lost = devices.find(({ current }) => !current)?.setId ?? expect.fail('no other device')
    await laptop.revokeDevice(lost, { stolen: true })
    // An approval by mail is good for a quarter of an hour.
    ahead += 16 * 60_000
    const order = { kind: 'evm-message', message: new Uint8Array(1) } as const
    await expect(phone.sign(order)).rejects.toMatchObject({ status: 401 })
    expect(await phone.restore()).toBeUndefined()
    expect((await laptop.sign(order)).length).toBe(65)
    expect(await laptop.restore()).toMatchObject({ accounts })
  })

  test('exports what opens the same accounts, on a page of its own and never in a frame', async () => {
    const framed = await openBrowser(memoryStore())
    await logIn(framed, 'jon@example.org')
    await expect(framed.reveal()).rejects.toThrow('Secrets are shown on this site’s own page only.')
    const own = await openBrowser(memoryStore(), { isFramed: false })
    const { accounts } = await logIn(own, 'kim@example.org')
    const { phrase, evm, solana } = await own.reveal()
    expect(privateKeyToAccount(evm as `0x${string}`).address).toBe(accounts[0]?.address)
    expect(mnemonicToAccount(phrase).address).toBe(accounts[0]?.address)
    expect(base58.encode(base58.decode(solana).slice(32))).toBe(accounts[1]?.address)
  })

  test('changes the address by a code of each', async () => {
    const holder = await openBrowser(memoryStore())
    const user = await logIn(holder, 'leo@example.org')
    const primary = await codeOf('leo@example.org', async () => {
      expect(await holder.updateEmail({ email: 'lea@example.org', origin })).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    })
    const secondary = await codeOf('lea@example.org', () => holder.updateEmailPrimary(primary))
    expect(await holder.updateEmailSecondary(secondary)).toEqual({ newEmail: 'lea@example.org' })
    expect(await holder.restore()).toEqual({ ...user, email: 'lea@example.org' })
  })

  test('has everything deleted in three days, or thinks better of it', async () => {
    const holder = await openBrowser(memoryStore())
    await logIn(holder, 'mia@example.org')
    const { at } = await holder.requestDeletion()
    expect(at - now()).toBeGreaterThan(71 * 3_600_000)
    expect(await holder.restore()).toMatchObject({ deletionAt: at })
    await holder.cancelDeletion()
    expect(await holder.restore()).not.toHaveProperty('deletionAt')
  })
})
