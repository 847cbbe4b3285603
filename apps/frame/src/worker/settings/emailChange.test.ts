import { describe, expect, test } from 'vitest'
import type { AccountService } from '../../services/accountService.ts'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import type { ShareStore } from '../../services/shareStore.ts'
import { createMemoryStores } from '../../testing/memoryStores.ts'
import type { HolderUser } from '../keyHolder.ts'
import { createEmailChange } from './emailChange.ts'

const [old, email, origin] = ['ann@example.org', 'new@example.org', 'https://app.example']
const notStarted = { status: 409, field: 'email' }

type Setup = {
  readonly user?: HolderUser | undefined
  readonly isMovable?: boolean
  readonly action?: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'
  /** Answers to the polls of the link. */
  readonly states?: readonly unknown[]
  /** Errors of the next calls, by name. */
  readonly failures?: Record<string, Error>
}

function startChange({
  user = { id: 'ann', email: old, accounts: [] },
  isMovable = true,
  action = 'VERIFY_PRIMARY_OTP',
  states = ['approved'],
  failures = {},
}: Setup = {}) {
  const log: unknown[] = []
  const left = [...states]
  const note = (name: string, ...values: readonly unknown[]): void => {
    log.push([name, ...values])
    const failure = failures[name]
    delete failures[name]
    if (failure !== undefined) throw failure
  }
  const account: Partial<AccountService> = {
    updateEmail: async (request) => {
      note('update', request)
      return { id: 'change', action }
    },
    updateEmailPrimary: async (confirmation) => note('primary', confirmation),
    updateEmailSecondary: async (confirmation) => {
      note('secondary', confirmation)
      return { email }
    },
  }
  const shares: Partial<ShareStore> = {
    isContactMovable: async (current) => {
      note('movable', current)
      return isMovable
    },
    changeContact: async (change) => {
      note('contact', change)
      return 1
    },
  }
  const request: ServiceRequest = async (method, path, body) => {
    note(path, method, body)
    if (!path.endsWith('/state')) return { id: 'link', match: 17 }
    const state = left.shift() ?? expect.fail('one poll too many')
    if (state instanceof Error) throw state
    return { state }
  }
  const memory = createMemoryStores()
  const change = createEmailChange({
    // The change calls nothing else.
    account: account as AccountService,
    requests: { shares: request },
    projectId: 'p',
    session: { user: async () => user, save: async (saved) => note('save', saved) },
    known: { add: async (address) => note('known', address) },
    later: (act) => act(),
    stores: async () => ({ ...memory, shares: { ...memory.shares, ...shares } }),
  })
  const begin = () => change.updateEmail({ email, origin })
  return { ...change, begin, log, names: () => log.map((call) => (call as readonly unknown[])[0]) }
}

const linkPath = '/shares/v1/links'

describe('a change of the address', () => {
  test('moves the contact after both codes and the link, whose digits the user compares', async () => {
    const change = startChange({ states: ['open', 'approved'] })
    expect(await change.begin()).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    expect(await change.updateEmailPrimary('1')).toEqual({ email, match: '17' })
    await Promise.all([change.awaitNewAddress(), change.awaitNewAddress()])
    expect(await change.updateEmailSecondary('2')).toEqual({ newEmail: email })
    expect(change.log).toEqual([
      ['movable', old],
      ['update', { email, projectId: 'p', origin }],
      ['primary', { id: 'change', code: '1' }],
      [linkPath, 'POST', { email, projectId: 'p', origin, purpose: 'contact' }],
      [`${linkPath}/state`, 'POST', { id: 'link' }],
      [`${linkPath}/state`, 'POST', { id: 'link' }],
      ['secondary', { id: 'change', code: '2' }],
      ['contact', { email, current: old }],
      ['save', { id: 'ann', email, accounts: [] }],
      ['known', email],
    ])
    await expect(change.updateEmailSecondary('2')).rejects.toMatchObject(notStarted)
  })

  test.each([
    ['without a code of the present address', { action: 'VERIFY_SECONDARY_OTP' as const }],
    ['of an identity provider’s account', { isMovable: false }],
    ['of a user without an address', { user: { id: 'ann', accounts: [] } }],
  ])('%s leaves the contact', async (_, setup) => {
    const change = startChange(setup)
    await change.begin()
    expect(await change.updateEmailPrimary('1')).toBeUndefined()
    await expect(change.awaitNewAddress()).rejects.toMatchObject(notStarted)
    await change.updateEmailSecondary('2')
    expect(change.names()).not.toContain('contact')
    expect(change.names()).not.toContain(linkPath)
    expect(change.names()).toContain('known')
  })

  test('has to begin first', async () => {
    const change = startChange()
    await expect(change.updateEmailPrimary('1')).rejects.toMatchObject(notStarted)
    await expect(change.awaitNewAddress()).rejects.toMatchObject(notStarted)
    await expect(change.updateEmailSecondary('2')).rejects.toMatchObject(notStarted)
    expect(change.log).toEqual([])
  })

  test('repeats only the step that failed', async () => {
    const failures = { [linkPath]: new Error('unreachable'), contact: new Error('unreachable') }
    const change = startChange({ failures })
    await change.begin()
    await expect(change.updateEmailPrimary('1')).rejects.toThrow('unreachable')
    expect(await change.updateEmailPrimary('1')).toEqual({ email, match: '17' })
    expect(await change.updateEmailPrimary('1')).toEqual({ email, match: '17' })
    await change.awaitNewAddress()
    await expect(change.updateEmailSecondary('2')).rejects.toThrow('unreachable')
    expect(await change.updateEmailSecondary('2')).toEqual({ newEmail: email })
    const names = change.names()
    const count = (name: string) => names.filter((each) => each === name).length
    expect([count('primary'), count(linkPath), count('secondary'), count('contact')]).toEqual([1, 2, 1, 2])
  })

  test('is not confirmed by a wrong code', async () => {
    const change = startChange({ failures: { primary: new ServiceRefusal(401, 'code', 'Wrong.') } })
    await change.begin()
    await expect(change.updateEmailPrimary('0')).rejects.toMatchObject({ field: 'code' })
    expect(change.names()).not.toContain(linkPath)
    await change.updateEmailPrimary('1')
    expect(change.names().filter((name) => name === 'primary')).toHaveLength(2)
  })

  test('mails another link only after the first one ended', async () => {
    const over = { status: 410, field: 'link' }
    const change = startChange({ states: [new Error('unreachable'), 'over', 'approved'] })
    await change.begin()
    await change.updateEmailPrimary('1')
    await expect(change.awaitNewAddress()).rejects.toThrow('unreachable')
    await change.updateEmailPrimary('1')
    expect(change.names().filter((name) => name === linkPath)).toHaveLength(1)
    await expect(change.awaitNewAddress()).rejects.toMatchObject(over)
    await expect(change.awaitNewAddress()).rejects.toMatchObject(notStarted)
    await change.updateEmailPrimary('1')
    expect(change.names().filter((name) => name === linkPath)).toHaveLength(2)
    await change.awaitNewAddress()
  })

  test('that another one replaces stops waiting for its link', async () => {
    const change = startChange({ states: Array.from({ length: 100 }, () => 'open') })
    await change.begin()
    await change.updateEmailPrimary('1')
    const waiting = change.awaitNewAddress()
    waiting.catch(() => undefined)
    await change.begin()
    await expect(waiting).rejects.toMatchObject(notStarted)
  })
})
