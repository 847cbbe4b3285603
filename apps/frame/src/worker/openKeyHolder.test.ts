import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { openStolenDatabase, startLoginServices, type LoginServices } from '@latchkey/server/testing'
import { bytesToHex, parseTransaction, recoverTransactionAddress, verifyMessage, verifyTypedData } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestHolder } from '../testing/openTestHolder.ts'
import type { HolderUser, KeyHolder } from './keyHolder.ts'
import type { StretchPassword } from '../custody/passwordKey.ts'
import { stretchWithArgon2 } from '../custody/stretchWithArgon2.ts'
import { openRecoveryFile } from '../custody/recoveryFile.ts'
import { deriveAccounts } from '../wallet/enrol.ts'
import { approveByMail, logInByMail } from '../testing/mailedLogin.ts'
import { createMemoryStore, type HolderStore } from './storage/holderStore.ts'

let mail: LocalMail
let services: LoginServices
let ahead = 0
const now = (): number => Date.now() + ahead
const origin = 'http://app.localhost'

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

/** For tests that enter many passwords. */
const stretchQuickly: StretchPassword = async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt])

/** A browser with its storage. */
function openBrowser(store: HolderStore, { isFramed = true, stretch = stretchWithArgon2 } = {}): Promise<KeyHolder> {
  const { authUrl, sharesUrl } = services
  return openTestHolder({ authUrl, sharesUrl, store, now, isFramed, stretch })
}

async function logIn(holder: KeyHolder, email: string): Promise<HolderUser> {
  // Limits: twenty mails per hour and machine, one per half minute and address.
  ahead += 181_000
  return (await logInByMail(mail, holder, { email, origin })).user
}

/** Returns the code of the mail that `act` causes. */
async function codeOf(email: string, act: () => Promise<unknown>): Promise<string> {
  ahead += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  const { text } = await mail.waitFor(email, before)
  return /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
}

/** Enters the code of the present address, and confirms the link to the new one. @returns the code of the new address */
async function confirmNewAddress(
  holder: KeyHolder,
  { email, primary }: { email: string; primary: string },
): Promise<string> {
  ahead += 181_000
  const before = mail.received()[0]?.id ?? 0
  const { match } = (await holder.updateEmailPrimary(primary)) ?? expect.fail('no link')
  const mails = mail.received().filter(({ id, to }) => id > before && to.includes(email))
  const texts = mails.map(({ text }) => text).join(' ')
  const link = new URL(/http:\/\/127\S+\/device\?\S+/.exec(texts)?.[0] ?? expect.fail('no link'))
  expect(await (await fetch(link)).text()).toContain('Move your wallet to this address?')
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  await holder.awaitNewAddress()
  return /\b\d{6}\b/.exec(texts)?.[0] ?? expect.fail('no code')
}

describe('a new user', () => {
  test('approves the browser with the digits, enters the code and has a wallet on both namespaces', async () => {
    const holder = await openBrowser(createMemoryStore())
    expect(await holder.restore()).toBeUndefined()
    const user = await logIn(holder, 'ann@example.org')
    expect(user).toMatchObject({ email: 'ann@example.org' })
    expect(user.accounts.map(({ namespace }) => namespace)).toEqual(['eip155', 'solana'])
    expect(await holder.restore()).toEqual(user)
  })

  test('needs only a code in the same browser after a reload [K-03]', async () => {
    const store = createMemoryStore()
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

  test('has the same wallet in another browser [K-03]', { tags: 'abuse' }, async () => {
    const one = await logIn(await openBrowser(createMemoryStore()), 'cat@example.org')
    const other = await logIn(await openBrowser(createMemoryStore()), 'cat@example.org')
    expect(other.accounts).toEqual(one.accounts)
  })

  test('gets link and code in the language that the frame is shown in [C-03]', async () => {
    const holder = await openBrowser(createMemoryStore())
    await holder.setLanguage('de')
    await logIn(holder, 'dora@example.org')
    const subjects = mail.received().filter(({ to }) => to.includes('dora@example.org'))
    expect(subjects.map(({ subject }) => subject).toReversed()).toEqual([
      'Ein neues Gerät zulassen?',
      expect.stringMatching(/^Anmelden: \d{6}$/),
    ])
  })

  test('can enter the right code after a wrong one', async () => {
    const holder = await openBrowser(createMemoryStore())
    ahead += 181_000
    const before = mail.received()[0]?.id ?? 0
    const { match } = await holder.sendCode({ email: 'dan@example.org', origin })
    const link = await approveByMail(mail, 'dan@example.org', before, match)
    await holder.awaitDevice()
    const { text } = await mail.waitFor('dan@example.org', link)
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    await expect(holder.redeem(wrong)).rejects.toThrow('This code is wrong or has expired.')
    expect(await holder.redeem(code)).toMatchObject({ user: { email: 'dan@example.org' } })
  })
})

describe('a signature', () => {
  let holder: KeyHolder
  let evm: `0x${string}`
  let solana: string
  beforeAll(async () => {
    holder = await openBrowser(createMemoryStore())
    const { accounts } = await logIn(holder, 'eve@example.org')
    evm = accounts[0]?.address as `0x${string}`
    solana = accounts[1]?.address ?? ''
  })

  test('belongs to the wallet’s address, even after the keys were wiped', async () => {
    for (const text of ['once', 'twice']) {
      const message = new TextEncoder().encode(text)
      const signature = bytesToHex(await holder.sign({ kind: 'evm-message', message }))
      expect(await verifyMessage({ address: evm, message: text, signature })).toBe(true)
      await holder.lock()
    }
  })

  test('covers the typed data unchanged', async () => {
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

  test('covers the requested transaction', async () => {
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

  test('covers the exact bytes on Solana', async () => {
    const bytes = new TextEncoder().encode('hello')
    const signature = await holder.sign({ kind: 'solana', bytes })
    expect(ed25519.verify(signature, bytes, base58.decode(solana))).toBe(true)
  })
})

describe('the logged-in user', () => {
  test('removes lost passkeys, which would block each other’s removal [K-08]', { tags: 'abuse' }, async () => {
    const holder = await openBrowser(createMemoryStore())
    await logIn(holder, 'rex@example.org')
    const ids = [1, 2].map((byte) => Buffer.from(new Uint8Array(16).fill(byte)).toString('base64url'))
    for (const id of ids) await holder.addPasskey({ id, output: new Uint8Array(32).fill(7), facts: '{}' })
    // Another device added them, and this one does not have their keys.
    await holder.lock()
    for (const id of ids) {
      const refusal = { code: 'custody/recovery-method-needed', context: { method: 'passkey' } }
      await expect(holder.removeRecoveryMethod(id)).rejects.toMatchObject(refusal)
    }
    await holder.removeRecoveryMethod(ids[0] ?? '', [], { dropsPasskeys: true })
    expect((await holder.recoveryMethods()).map(({ method }) => method)).toEqual(['auto'])
  })

  test('recovers on a new device with the password once it is the only method', { tags: 'abuse' }, async () => {
    const email = 'hal@example.org'
    const holder = await openBrowser(createMemoryStore())
    const { accounts } = await logIn(holder, email)
    await holder.addPassword('a long sentence of mine')
    expect((await holder.recoveryMethods()).map(({ method }) => method).toSorted()).toEqual(['auto', 'password'])
    await holder.lock()
    await expect(holder.removeRecoveryMethod('auto')).rejects.toMatchObject({ code: 'custody/recovery-method-needed' })
    await holder.removeRecoveryMethod('auto', [{ method: 'password', password: 'a long sentence of mine' }])
    expect((await holder.recoveryMethods()).map(({ method }) => method)).toEqual(['password'])
    await expect(holder.removeRecoveryMethod('password')).rejects.toMatchObject({
      code: 'custody/last-recovery-method',
    })

    ahead += 181_000
    const other = await openBrowser(createMemoryStore())
    const before = mail.received()[0]?.id ?? 0
    const { match } = await other.sendCode({ email, origin })
    const link = await approveByMail(mail, email, before, match)
    await other.awaitDevice()
    const { text } = await mail.waitFor(email, link)
    const entered = await other.redeem(/\b\d{6}\b/.exec(text)?.[0] ?? '')
    expect(entered).toEqual({ recoveryMethods: [expect.objectContaining({ method: 'password' })] })
    expect(await other.restore()).toBeUndefined()
    await expect(other.recoverWith({ method: 'password', password: 'another one entirely' })).rejects.toMatchObject({
      code: 'custody/unreadable',
    })
    expect(await other.recoverWith({ method: 'password', password: 'a long sentence of mine' })).toMatchObject({
      accounts,
    })
  })

  test('rehearses the recovery with the password again, and the date counts for that password only [D-05] [D-04]', async () => {
    const holder = await openBrowser(createMemoryStore(), { stretch: stretchQuickly })
    const { id } = await logIn(holder, 'gus@example.org')
    await holder.addPassword('a long sentence of mine')
    expect((await holder.recoveryStatus()).testedAt).toEqual({})
    // A key that was used on this page proves nothing.
    await expect(holder.rehearseRecovery('password')).rejects.toMatchObject({ code: 'custody/unreadable' })
    const wrong = holder.rehearseRecovery('password', { method: 'password', password: 'another one entirely' })
    await expect(wrong).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect((await holder.recoveryStatus()).testedAt).toEqual({})
    const database = await openStolenDatabase(services.authDatabaseUrl)
    const failures = async () => (await database.run(`select failures from auth_oprf where user_id = '${id}'`))[0]
    expect(await failures()).toEqual({ failures: 2 })

    const { at } = await holder.rehearseRecovery('password', {
      method: 'password',
      password: 'a long sentence of mine',
    })
    expect(await failures()).toEqual({ failures: 0 })
    await database.leave()
    await holder.rehearseRecovery('auto')
    expect(await holder.recoveryStatus()).toEqual({
      isDeviceEnrolled: true,
      otherDevices: 0,
      isRecoverable: true,
      testedAt: { auto: expect.any(Number), password: at },
    })
    await holder.addPassword('another long sentence')
    expect(Object.keys((await holder.recoveryStatus()).testedAt)).toEqual(['auto'])
  })

  test('replaces a damaged automatic method, which a rehearsal reports, by a password [D-03]', async () => {
    const email = 'jan@example.org'
    const holder = await openBrowser(createMemoryStore(), { stretch: stretchQuickly })
    const { id, accounts } = await logIn(holder, email)
    const database = await openStolenDatabase(services.sharesDatabaseUrl)
    await database.run(`update share_wrap set wrapped = '\\x${'00'.repeat(60)}' where user_id = '${id}'`)
    await database.leave()
    await expect(holder.rehearseRecovery('auto')).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect(await holder.recoveryMethods()).toMatchObject([{ id: 'auto', isUnreadable: true }])
    await holder.addPassword('a long sentence of mine')
    expect((await holder.recoveryMethods()).map(({ method }) => method)).toEqual(['password'])
    const credential = { method: 'password', password: 'a long sentence of mine' } as const
    expect(await holder.rehearseRecovery('password', credential)).toEqual({ at: expect.any(Number) })
    expect(await holder.restore()).toMatchObject({ accounts })
  })

  test('lists devices that one service alone knows, and removes them [C-07]', { tags: 'abuse' }, async () => {
    const email = 'ike@example.org'
    const [laptop, phone] = [await openBrowser(createMemoryStore()), await openBrowser(createMemoryStore())]
    const { id } = await logIn(laptop, email)
    await logIn(phone, email)
    const [own, other] = (await laptop.devices()).toSorted((one, two) => Number(two.current) - Number(one.current))
    expect([own?.onlyAt, other?.onlyAt]).toEqual([undefined, undefined])
    const removed = other?.key ?? expect.fail('no other device')
    const auth = await openStolenDatabase(services.authDatabaseUrl)
    await auth.run(`delete from auth_share where user_id = '${id}' and key_thumbprint = '${removed}'`)
    await auth.leave()
    expect(await laptop.devices()).toMatchObject([
      { current: true },
      { setId: undefined, key: removed, onlyAt: 'shares', current: false },
    ])
    await laptop.revokeDevice(undefined, { key: removed, stolen: false })
    expect(await laptop.devices()).toMatchObject([{ current: true }])

    const tablet = await openBrowser(createMemoryStore())
    await logIn(tablet, email)
    const lost = (await laptop.devices()).find(({ current }) => !current) ?? expect.fail('no other device')
    const shares = await openStolenDatabase(services.sharesDatabaseUrl)
    await shares.run(`delete from share_device where user_id = '${id}' and key_thumbprint = '${lost.key}'`)
    await shares.leave()
    expect(await laptop.devices()).toContainEqual({ ...lost, onlyAt: 'auth' })
    await laptop.revokeDevice(lost.setId, { key: lost.key, stolen: false })
    expect(await laptop.devices()).toMatchObject([{ current: true }])
  })

  test('lists the devices, and a revoked one can’t open the wallet', async () => {
    const email = 'ida@example.org'
    const [laptop, phone] = [await openBrowser(createMemoryStore()), await openBrowser(createMemoryStore())]
    const { accounts } = await logIn(laptop, email)
    await logIn(phone, email)
    await phone.lock()
    const devices = await laptop.devices()
    expect(devices.map(({ current }) => current).toSorted()).toEqual([false, true])
    expect(devices[0]).toMatchObject({ origin })
    const lost = devices.find(({ current }) => !current)?.setId ?? expect.fail('no other device')
    await laptop.revokeDevice(lost, { stolen: true })
    // An approval by mail lasts a quarter of an hour.
    ahead += 16 * 60_000
    const order = { kind: 'evm-message', message: new Uint8Array(1) } as const
    await expect(phone.sign(order)).rejects.toMatchObject({ status: 401 })
    expect(await phone.restore()).toBeUndefined()
    expect((await laptop.sign(order)).length).toBe(65)
    expect(await laptop.restore()).toMatchObject({ accounts })
  })

  test('exports the secrets of the same accounts on a top-level page, never in a frame', async () => {
    const framed = await openBrowser(createMemoryStore())
    await logIn(framed, 'jon@example.org')
    await expect(framed.reveal()).rejects.toThrow('Secrets are shown on a top-level page only.')
    const own = await openBrowser(createMemoryStore(), { isFramed: false })
    const { accounts } = await logIn(own, 'kim@example.org')
    const { phrase, evm, solana } = await own.reveal()
    expect(privateKeyToAccount(evm as `0x${string}`).address).toBe(accounts[0]?.address)
    expect(mnemonicToAccount(phrase).address).toBe(accounts[0]?.address)
    expect(base58.encode(base58.decode(solana).slice(32))).toBe(accounts[1]?.address)
  })

  test(
    'writes a recovery file of the same wallet on a top-level page, never in a frame [S-12]',
    { tags: 'abuse' },
    async () => {
      const framed = await openBrowser(createMemoryStore())
      await logIn(framed, 'una@example.org')
      await expect(framed.recoveryFile('four calm herons')).rejects.toThrow('on a top-level page only')
      const own = await openBrowser(createMemoryStore(), { isFramed: false })
      const { accounts } = await logIn(own, 'pam@example.org')
      const before = mail.received()[0]?.id ?? 0
      const file = await own.recoveryFile('four calm herons')
      // The user is notified, as after an export of the keys.
      await mail.waitFor('pam@example.org', before)
      const entropy = await openRecoveryFile(file, { password: 'four calm herons', stretch: stretchWithArgon2 })
      expect(await deriveAccounts(entropy ?? new Uint8Array())).toEqual(accounts)
    },
  )

  test('changes the e-mail address with a code from each address', async () => {
    const holder = await openBrowser(createMemoryStore())
    const user = await logIn(holder, 'leo@example.org')
    const primary = await codeOf('leo@example.org', async () => {
      expect(await holder.updateEmail({ email: 'lea@example.org', origin })).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    })
    const secondary = await confirmNewAddress(holder, { email: 'lea@example.org', primary })
    expect(await holder.updateEmailSecondary(secondary)).toEqual({ newEmail: 'lea@example.org' })
    expect(await holder.restore()).toEqual({ ...user, email: 'lea@example.org' })
    const notices = mail.received().filter(({ to }) => to.includes('leo@example.org'))
    expect(notices.slice(0, 2).map(({ subject }) => subject)).toEqual([
      'Another address will approve your new devices',
      'The email address of your wallet has changed',
    ])
  })

  test('repeats only the share store’s part of a change of address that failed there [C-04]', async () => {
    const holder = await openBrowser(createMemoryStore())
    await logIn(holder, 'pia@example.org')
    const primary = await codeOf('pia@example.org', () => holder.updateEmail({ email: 'pia@example.net', origin }))
    const secondary = await confirmNewAddress(holder, { email: 'pia@example.net', primary })
    await services.stop('shares')
    await expect(holder.updateEmailSecondary(secondary)).rejects.toMatchObject({ code: 'http/unreachable' })
    await services.start()
    const before = mail.received()[0]?.id ?? 0
    expect(await holder.updateEmailSecondary(secondary)).toEqual({ newEmail: 'pia@example.net' })
    expect((await mail.waitFor('pia@example.org', before)).subject).toContain('Another address')
  })

  test('does not move the wallet before the new address has confirmed it to the share store [K-11] [C-04]', async () => {
    const holder = await openBrowser(createMemoryStore())
    await logIn(holder, 'sue@example.org')
    const primary = await codeOf('sue@example.org', () => holder.updateEmail({ email: 'sue@example.net', origin }))
    await expect(holder.awaitNewAddress()).rejects.toMatchObject({ status: 409 })
    const link = await holder.updateEmailPrimary(primary)
    const mails = mail.received().filter(({ to }) => to.includes('sue@example.net'))
    expect(mails).toHaveLength(2)
    // The repeated step sends no other mail.
    expect(await holder.updateEmailPrimary(primary)).toEqual(link)
    expect(mail.received().filter(({ to }) => to.includes('sue@example.net'))).toEqual(mails)
    const [secondary] = mails.flatMap(({ text }) => /\b\d{6}\b/.exec(text) ?? [])
    const refusal = { status: 403, field: 'confirmation' }
    await expect(holder.updateEmailSecondary(secondary ?? '')).rejects.toMatchObject(refusal)
  })

  test('can’t change the address on a new device, and no mail is sent [C-05]', async () => {
    const [founder, attacker] = [await openBrowser(createMemoryStore()), await openBrowser(createMemoryStore())]
    await logIn(founder, 'quin@example.org')
    await logIn(attacker, 'quin@example.org')
    const before = mail.received()[0]?.id
    const refusal = { status: 403, field: 'deviceAge' }
    await expect(attacker.updateEmail({ email: 'mallory@example.net', origin })).rejects.toMatchObject(refusal)
    const devices = await attacker.devices()
    const target = devices.find(({ current }) => !current)?.setId ?? expect.fail('no other device')
    await expect(attacker.revokeDevice(target, { stolen: true })).rejects.toMatchObject(refusal)
    expect(mail.received()[0]?.id).toBe(before)
  })

  test('requests the deletion in three days and cancels it', async () => {
    const holder = await openBrowser(createMemoryStore())
    await logIn(holder, 'mia@example.org')
    const { at } = await holder.requestDeletion()
    expect(at - now()).toBeGreaterThan(71 * 3_600_000)
    expect(await holder.restore()).toMatchObject({ deletionAt: at })
    await holder.cancelDeletion()
    expect(await holder.restore()).not.toHaveProperty('deletionAt')
  })
})
