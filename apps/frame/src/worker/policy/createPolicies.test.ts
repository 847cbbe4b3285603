import { httpError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { Policy } from '../../policy/policy.ts'
import { createPolicyRecord, type PolicyKind, type PolicyRecord } from '../../policy/policyRecord.ts'
import type { PolicyReport, PolicyService, StoredPolicyRecord } from '../../services/policyService.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { SignRequest } from '../keyHolder.ts'
import { createPolicies } from './createPolicies.ts'

const dayMs = 24 * 60 * 60_000
const entropy = new Uint8Array(16).fill(5)
const chain = 'eip155:1'
const friend = `0x${'f1'.repeat(20)}` as const
const stranger = `0x${'e7'.repeat(20)}` as const
const limit = (units: bigint): Policy => ({ dailyLimit: [{ asset: chain, units }] })
const exceeded = (rule: string) => ({ code: 'policy/exceeded', context: { rule } })
const unavailable = { code: 'policy/unavailable' }
const tooNew = { status: 403, field: 'deviceAge' }

const pay = (value: bigint, to: `0x${string}` = friend): SignRequest => ({
  kind: 'evm-transaction',
  transaction: {
    chainId: 1,
    nonce: 0,
    to,
    value,
    data: '0x',
    gas: 21_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  },
})

/** A service in memory with a clock of its own. */
function openService(name: string, log: string[]) {
  const records = new Map<PolicyKind, StoredPolicyRecord>()
  const state = { now: 100 * dayMs, isDown: false, hasFreshPasskey: false, isEstablished: true, conflicts: 0 }
  let reads = 0
  const service: PolicyService = {
    async read(): Promise<PolicyReport> {
      reads += 1
      if (state.isDown) throw new Error('unreachable')
      const devices = [
        { key: 'other', isEstablished: true },
        { key: 'own', isEstablished: state.isEstablished },
      ]
      return { now: state.now, records: [...records.values()], devices, hasFreshPasskey: state.hasFreshPasskey }
    },
    async write(record, previous) {
      log.push(`${name} ${record.kind} ${record.counter} after ${previous}`)
      if (state.isDown) throw new Error('unreachable')
      if (state.conflicts > 0 || (records.get(record.kind)?.counter ?? 0) !== previous) {
        state.conflicts -= 1
        throw new ServiceRefusal(409, 'policy', 'No.')
      }
      records.set(record.kind, { ...record, storedAt: state.now })
    },
  }
  return { service, records, state, reads: () => reads }
}

/** A device of a wallet, and its services in memory. */
function openPolicies() {
  const log: string[] = []
  const [auth, shares] = [openService('auth', log), openService('shares', log)]
  const device = { memory: undefined as readonly PolicyRecord[] | undefined, isApproved: false }
  const policies = createPolicies({
    services: { auth: auth.service, shares: shares.service },
    deviceKey: 'own',
    memory: async () => ({
      read: async () => device.memory,
      write: async (records) => void (device.memory = records),
    }),
    accounts: async () => [{ namespace: 'eip155', address: `0x${'aa'.repeat(20)}` }],
    entropy: async () => entropy.slice(),
    isApproved: () => device.isApproved,
  })
  const pass = (milliseconds: number): void => {
    for (const { state } of [auth, shares]) state.now += milliseconds
  }
  return { ...policies, auth, shares, device, log, pass }
}

async function openWith(policy: Policy) {
  const opened = openPolicies()
  await opened.save(policy, 0)
  opened.log.length = 0
  return opened
}

describe('a daily limit', () => {
  test('counts payments at both services before they are signed, until the day ends at both', async () => {
    const { admit, log, auth, shares } = await openWith(limit(100n))
    await admit(pay(60n))
    expect(log).toEqual(['auth spending 1 after 0', 'shares spending 1 after 0'])
    await expect(admit(pay(41n))).rejects.toMatchObject(exceeded('daily'))
    await admit(pay(40n))
    await expect(admit(pay(1n))).rejects.toMatchObject(exceeded('daily'))
    auth.state.now += dayMs
    await expect(admit(pay(1n))).rejects.toMatchObject(exceeded('daily'))
    shares.state.now += dayMs
    await admit(pay(100n))
    auth.state.now -= dayMs
    shares.state.now -= dayMs
    await expect(admit(pay(1n))).rejects.toMatchObject(exceeded('daily'))
  })

  test.each(['auth', 'shares'] as const)('refuses payments while %s does not respond', async (name) => {
    const { admit, log, ...services } = await openWith(limit(100n))
    services[name].state.isDown = true
    await expect(admit(pay(1n))).rejects.toMatchObject(exceeded('offline'))
    expect(log).toEqual([])
    expect(await services.exceededRule([pay(1n)])).toMatchObject({ rule: 'offline' })
  })

  test('counts what a second device approved, although it is above the limit', async () => {
    const { admit, device, exceededRule } = await openWith(limit(100n))
    device.isApproved = true
    await admit(pay(150n))
    device.isApproved = false
    expect(await exceededRule([pay(1n)])).toMatchObject({ rule: 'daily', spent: [{ asset: chain, units: 150n }] })
    await expect(admit(pay(1n))).rejects.toMatchObject(exceeded('daily'))
  })

  test('counts concurrent payments of one page one after the other', async () => {
    const { admit } = await openWith(limit(100n))
    const results = await Promise.allSettled([pay(60n), pay(60n), pay(30n)].map(admit))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test.each([4, 5])('tries again after another device counted, at most five times: %i', async (conflicts) => {
    const { admit, auth, log } = await openWith(limit(100n))
    auth.state.conflicts = conflicts
    const admitted = admit(pay(1n))
    if (conflicts === 5) await expect(admitted).rejects.toMatchObject(exceeded('offline'))
    else await admitted
    expect(log.filter((line) => line.startsWith('auth')).length).toBe(5)
  })

  test('passes on a refusal of a service, and refuses after a failed write', async () => {
    const opened = await openWith(limit(100n))
    const { write } = opened.shares.service
    opened.shares.service.write = async () => {
      throw new ServiceRefusal(401, 'token', 'No.')
    }
    await expect(opened.admit(pay(1n))).rejects.toMatchObject({ status: 401 })
    opened.shares.service.write = async () => {
      throw new Error('unreachable')
    }
    await expect(opened.admit(pay(1n))).rejects.toMatchObject(exceeded('offline'))
    opened.shares.service.write = write
    // Both failed attempts count at the auth service, which wrote them.
    await expect(opened.admit(pay(99n))).rejects.toMatchObject(exceeded('daily'))
  })

  test('does not count harmless requests, and asks no service about them', async () => {
    const { admit, exceededRule, auth, log } = await openWith(limit(0n))
    const before = auth.reads()
    await admit(pay(0n, `0x${'aa'.repeat(20)}`))
    expect(await exceededRule([pay(0n, `0x${'aa'.repeat(20)}`)])).toBeUndefined()
    expect([auth.reads(), log]).toEqual([before, []])
  })
})

describe('a list of receivers', () => {
  const friends: Policy = { onlyKnownReceivers: [`${chain}:${friend}`] }

  test('refuses others, and needs one service only', async () => {
    const { admit, exceededRule, auth, log } = await openWith(friends)
    auth.state.isDown = true
    await admit(pay(5n))
    await expect(admit(pay(5n, stranger))).rejects.toMatchObject(exceeded('receiver'))
    expect(await exceededRule([pay(5n), pay(5n, stranger)])).toMatchObject({ rule: 'receiver' })
    expect(await exceededRule([pay(5n)])).toBeUndefined()
    expect(log).toEqual([])
  })

  test('does not apply to a request that a second device approved', async () => {
    const { admit, device } = await openWith(friends)
    device.isApproved = true
    expect(await admit(pay(5n, stranger))).toBeUndefined()
  })
})

describe('a device', () => {
  test('that has never loaded the rules needs both services, and asks for none once it knows that there are none', async () => {
    const { admit, exceededRule, auth, shares } = openPolicies()
    auth.state.isDown = true
    await expect(admit(pay(1n))).rejects.toMatchObject(unavailable)
    auth.state.isDown = false
    expect(await exceededRule([pay(1n)])).toBeUndefined()
    const before = shares.reads()
    expect(await exceededRule([pay(1n)])).toBeUndefined()
    expect(shares.reads()).toBe(before)
  })

  test('keeps the rules that it knows when both services return none, older or foreign ones', async () => {
    const { admit, view, auth, shares, save } = await openWith(limit(100n))
    const older = [auth, shares].map(({ records }) => new Map(records))
    await save(limit(10n), 1)
    for (const [index, { records }] of [auth, shares].entries()) {
      records.clear()
      for (const [kind, record] of older[index] ?? []) records.set(kind, record)
    }
    await expect(admit(pay(11n))).rejects.toMatchObject(exceeded('daily'))
    for (const { records } of [auth, shares]) records.clear()
    await expect(admit(pay(11n))).rejects.toMatchObject(exceeded('daily'))
    const content = new TextEncoder().encode('{}')
    const foreign = await createPolicyRecord(new Uint8Array(16), { kind: 'policy', counter: 9, content })
    auth.records.set('policy', { ...foreign, storedAt: 0 })
    await expect(admit(pay(11n))).rejects.toMatchObject(exceeded('daily'))
    shares.state.isDown = true
    const { copies, counter } = await view()
    expect({ copies, counter }).toEqual({ copies: { auth: 'foreign', shares: 'unreachable' }, counter: 2 })
  })

  test('stores the newest rules again at a service that lost them', async () => {
    const { view, shares, log } = await openWith(limit(100n))
    shares.records.clear()
    expect((await view()).copies).toEqual({ auth: 'current', shares: 'behind' })
    expect(log).toEqual(['shares policy 1 after 0'])
    expect((await view()).copies).toEqual({ auth: 'current', shares: 'current' })
    expect(log.length).toBe(1)
  })

  test.each([new ServiceRefusal(401, 'wallet', 'No.'), httpError('http/unreachable', { origin: 'https://a.example' })])(
    'shows the rules although a service does not store them again: %s',
    async (error) => {
      const { view, shares } = await openWith(limit(100n))
      shares.records.clear()
      shares.service.write = async () => {
        throw error
      }
      expect((await view()).policy).toEqual(limit(100n))
    },
  )

  test('remembers the rules and the sums of the day, each of which a service could lose', async () => {
    const { admit, device, auth, shares } = await openWith(limit(100n))
    await admit(pay(60n))
    expect(device.memory?.map(({ kind }) => kind)).toEqual(['policy', 'spending'])
    for (const { records } of [auth, shares]) records.clear()
    await expect(admit(pay(41n))).rejects.toMatchObject(exceeded('daily'))
  })
})

describe('a change of the rules', () => {
  test('needs both services and the counter that the user saw', async () => {
    const { save, auth, shares, log } = await openWith(limit(100n))
    await expect(save(limit(10n), 0)).rejects.toMatchObject({ code: 'policy/conflict' })
    for (const { state } of [auth, shares]) {
      state.isDown = true
      await expect(save(limit(10n), 1)).rejects.toMatchObject(unavailable)
      state.isDown = false
    }
    expect(log).toEqual([])
    auth.state.conflicts = 1
    await expect(save(limit(10n), 1)).rejects.toMatchObject({ code: 'policy/conflict' })
    const { write } = auth.service
    auth.service.write = async () => {
      throw new Error('unreachable')
    }
    await expect(save(limit(10n), 1)).rejects.toMatchObject(unavailable)
    auth.service.write = write
    expect((await save(limit(10n), 1)).policy).toEqual(limit(10n))
  })

  test('is newer than the records of all, also if a service was set back', async () => {
    const { save, shares } = await openWith(limit(100n))
    await save(limit(10n), 1)
    shares.records.clear()
    expect(await save(limit(5n), 2)).toMatchObject({ policy: limit(5n), counter: 3 })
    expect(shares.records.get('policy')?.counter).toBe(3)
  })

  test('that loosens needs a device that both services know for a day', async () => {
    const { save, auth, shares, log } = await openWith(limit(100n))
    for (const { state } of [auth, shares]) {
      state.isEstablished = false
      await expect(save(limit(101n), 1)).rejects.toMatchObject(tooNew)
      state.isEstablished = true
    }
    expect(log).toEqual([])
  })

  test('that loosens takes effect after a day by the clock of each service', async () => {
    const { save, view, auth, shares } = await openWith(limit(100n))
    shares.state.now += 5
    const at = shares.state.now + dayMs
    expect(await save(limit(101n), 1)).toMatchObject({ policy: limit(100n), pending: { policy: limit(101n), at } })
    auth.state.now += dayMs
    shares.state.now += dayMs - 1
    expect((await view()).policy).toEqual(limit(100n))
    shares.state.now += 1
    const { policy, counter, pending } = await view()
    expect({ policy, counter, pending }).toEqual({ policy: limit(101n), counter: 2, pending: undefined })
  })

  test.each(['auth', 'shares'] as const)('that loosens is void once %s no longer stores it', async (name) => {
    const { save, view, pass, ...services } = await openWith(limit(100n))
    await save(limit(101n), 1)
    services[name].records.delete('pending')
    pass(2 * dayMs)
    const { policy, pending } = await view()
    expect({ policy, pending }).toEqual({ policy: limit(100n), pending: undefined })
  })

  test('that loosens is void once the rules change, and does not apply while a service fails', async () => {
    const { save, view, pass, shares } = await openWith(limit(100n))
    await save(limit(101n), 1)
    pass(dayMs)
    shares.service.write = async () => {
      throw new Error('unreachable')
    }
    expect((await view()).policy).toEqual(limit(100n))
    const other = await openWith(limit(100n))
    await other.save(limit(101n), 1)
    await other.save(limit(10n), 1)
    other.pass(2 * dayMs)
    expect((await other.view()).policy).toEqual(limit(10n))
  })

  test('that loosens takes effect at once after a passkey that the auth service verified', async () => {
    const { save, shares, auth } = await openWith(limit(100n))
    shares.state.hasFreshPasskey = true
    expect((await save(limit(101n), 1)).policy).toEqual(limit(100n))
    auth.state.hasFreshPasskey = true
    expect((await save(limit(101n), 1)).policy).toEqual(limit(101n))
  })
})
