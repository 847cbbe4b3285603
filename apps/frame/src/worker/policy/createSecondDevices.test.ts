import { describe, expect, test } from 'vitest'
import { signApproval } from '../../policy/secondDevice.ts'
import { createDeviceKey } from '../../services/deviceKey.ts'
import type { PolicyRequests, StoredPolicyRequest } from '../../services/policyRequests.ts'
import type { PolicyReport, PolicyService } from '../../services/policyService.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import type { SignRequest } from '../keyHolder.ts'
import { createSecondDevices } from './createSecondDevices.ts'

const entropy = new Uint8Array(16).fill(5)
const minuteMs = 60_000
const missing = new ServiceRefusal(404, 'id', 'No.')

const pay = (value: bigint): SignRequest => ({
  kind: 'evm-transaction',
  transaction: {
    chainId: 1,
    nonce: 0,
    to: `0x${'f1'.repeat(20)}`,
    value,
    data: '0x',
    gas: 21_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  },
})

/** Devices of one user. Both services know them for a day unless a test changes that. */
async function openDevices() {
  const stored = new Map<string, StoredPolicyRequest & { decision?: string }>()
  const state = { now: 0, readFails: undefined as Error | undefined }
  const young: Record<'auth' | 'shares', Set<string>> = { auth: new Set(), shares: new Set() }
  const keys: string[] = []
  const serviceOf = (name: 'auth' | 'shares'): PolicyService => ({
    async read(): Promise<PolicyReport> {
      const devices = keys.map((key) => ({ key, isEstablished: !young[name].has(key) }))
      return { now: 0, records: [], devices, hasFreshPasskey: false }
    },
    write: async () => undefined,
  })
  const requestsOf = (key: string): PolicyRequests => ({
    async add(id, sealed) {
      stored.set(id, { id, key, sealed, expiresAt: state.now + 10 * minuteMs })
      return { expiresAt: state.now + 10 * minuteMs }
    },
    list: async () => [...stored.values()],
    decide: async (id, decision) => void Object.assign(stored.get(id) ?? {}, { decision }),
    async read(id) {
      if (state.readFails !== undefined) throw state.readFails
      return stored.get(id)?.decision
    },
  })
  const open = async (secret = entropy) => {
    const key = await createDeviceKey()
    keys.push(key.thumbprint)
    const devices = createSecondDevices({
      requests: requestsOf(key.thumbprint),
      services: { auth: serviceOf('auth'), shares: serviceOf('shares') },
      key,
      accounts: async () => [],
      entropy: async () => secret.slice(),
      now: () => state.now,
    })
    return { ...devices, key }
  }
  const [asking, other] = [await open(), await open()]
  const ask = (value: bigint) => asking.request({ request: pay(value), origin: 'https://app.example', rule: 'daily' })
  return { asking, other, open, ask, stored, state, young, keys }
}

describe('an approval of a second device', () => {
  test('covers the next signature of the same request, once', async () => {
    const { asking, other, ask } = await openDevices()
    const { id, match } = await ask(5n)
    expect(match).toMatch(/^\d\d$/)
    expect(await asking.check(id)).toBe('waiting')
    expect(asking.consume(pay(5n))).toBe(false)
    expect(await asking.list()).toEqual([])
    const [shown = expect.fail('nothing waits')] = await other.list()
    expect(shown).toMatchObject({ id, match, origin: 'https://app.example', rule: 'daily' })
    expect(shown.spending.amounts).toContainEqual({ asset: 'eip155:1', units: 5n })
    await other.respond(id, true)
    expect(await asking.check(id)).toBe('approved')
    expect(asking.consume(pay(6n))).toBe(false)
    expect(asking.consume(pay(5n))).toBe(true)
    expect(asking.consume(pay(5n))).toBe(false)
    expect(await asking.check(id)).toBe('expired')
  })

  test('expires after ten minutes', async () => {
    const { asking, other, ask, state } = await openDevices()
    const { id } = await ask(5n)
    await other.respond(id, true)
    await asking.check(id)
    state.now = 10 * minuteMs
    expect(asking.consume(pay(5n))).toBe(false)
  })

  test.each(['auth', 'shares'] as const)('does not count if %s knows the device for less than a day', async (name) => {
    const { asking, other, ask, young } = await openDevices()
    young[name].add(other.key.thumbprint)
    const { id } = await ask(5n)
    await other.respond(id, true)
    expect(await asking.check(id)).toBe('tooNew')
    expect(asking.consume(pay(5n))).toBe(false)
  })

  test('does not count if it comes from a device that no service knows, or from the asking device', async () => {
    const { asking, other, ask, keys } = await openDevices()
    const first = await ask(5n)
    await other.respond(first.id, true)
    keys.splice(keys.indexOf(other.key.thumbprint), 1)
    expect(await asking.check(first.id)).toBe('tooNew')
    const second = await ask(6n)
    await asking.respond(second.id, true)
    expect(await asking.check(second.id)).toBe('refused')
    expect(asking.consume(pay(6n))).toBe(false)
  })

  test('does not count for another request', async () => {
    const { asking, other, ask, stored } = await openDevices()
    const [one, two] = [await ask(5n), await ask(6n)]
    await other.respond(one.id, true)
    const { decision } = stored.get(one.id) ?? expect.fail('no request')
    Object.assign(stored.get(two.id) ?? {}, { decision })
    expect(await asking.check(two.id)).toBe('refused')
    // The share store may show the other device another content under the same id.
    const three = await ask(7n)
    const sealed = stored.get(one.id)?.sealed ?? expect.fail('no request')
    Object.assign(stored.get(three.id) ?? {}, { decision: await signApproval(other.key.pair, three.id, sealed) })
    expect(await asking.check(three.id)).toBe('refused')
  })

  test.each(['', '{}', 'no json'])('does not count in another form: %j', async (decision) => {
    const { asking, ask, stored } = await openDevices()
    const { id } = await ask(5n)
    Object.assign(stored.get(id) ?? {}, { decision })
    expect(await asking.check(id)).toBe('refused')
  })

  test('that is refused allows nothing', async () => {
    const { asking, other, ask } = await openDevices()
    const { id } = await ask(5n)
    await other.respond(id, false)
    expect(await asking.check(id)).toBe('refused')
    expect(asking.consume(pay(5n))).toBe(false)
  })

  test('is forgotten when the user leaves', async () => {
    const { asking, other, ask } = await openDevices()
    const [one, two] = [await ask(5n), await ask(6n)]
    await other.respond(one.id, true)
    await other.respond(two.id, true)
    await asking.check(one.id)
    asking.forget()
    expect(asking.consume(pay(5n))).toBe(false)
    expect(await asking.check(two.id)).toBe('expired')
  })
})

describe('a request for a second device', () => {
  test('of another wallet, or that the share store added, is not shown', async () => {
    const { other, ask, stored, open } = await openDevices()
    const { id } = await ask(5n)
    stored.set('x', { id: 'x', key: 'k', sealed: new Uint8Array(60), expiresAt: 1 })
    expect((await other.list()).map((each) => each.id)).toEqual([id])
    const foreign = await open(new Uint8Array(16))
    expect(await foreign.list()).toEqual([])
  })

  test('that no longer waits can’t be decided', async () => {
    const { other, ask, stored } = await openDevices()
    const { id } = await ask(5n)
    stored.delete(id)
    await expect(other.respond(id, true)).rejects.toMatchObject({ status: 404, field: 'id' })
  })

  test('has expired if the share store no longer has it, and stays after other failures', async () => {
    const { asking, other, ask, state } = await openDevices()
    const [one, two] = [await ask(5n), await ask(6n)]
    for (const error of [new Error('unreachable'), new ServiceRefusal(401, 'token', 'No.')]) {
      state.readFails = error
      await expect(asking.check(one.id)).rejects.toBe(error)
    }
    state.readFails = missing
    expect(await asking.check(two.id)).toBe('expired')
    state.readFails = undefined
    await other.respond(one.id, true)
    expect(await asking.check(one.id)).toBe('approved')
  })
})
