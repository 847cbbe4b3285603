import { maxUint256, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Policy } from '../../policy/policy.ts'
import { startPolicyWorld, type PolicyBrowser, type PolicyWorld } from '../../testing/policyWorld.ts'
import type { SignRequest } from '../keyHolder.ts'

let world: PolicyWorld
beforeAll(async () => {
  world = await startPolicyWorld()
})
afterAll(() => world.close())

const chain = 'eip155:1'
const friend: Hex = `0x${'f1'.repeat(20)}`
const stranger: Hex = `0x${'e7'.repeat(20)}`
const dayMs = 24 * 60 * 60_000
const limit: Policy = { dailyLimit: [{ asset: chain, units: 100n }] }
const friends: Policy = { onlyKnownReceivers: [`${chain}:${friend}`] }

/** A payment without a fee, so that amounts are exact. */
const createPayment = (value: bigint, to: Hex = friend, chainId = 1): SignRequest => ({
  kind: 'evm-transaction',
  transaction: { chainId, nonce: 0, to, value, data: '0x', gas: 21_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
})
const createExceededError = (rule: string) => ({ code: 'policy/exceeded', context: { rule } })

async function openWith(email: string, policy: Policy): Promise<PolicyBrowser> {
  const browser = await world.open(email)
  await browser.holder.savePolicy(policy, 0)
  return browser
}

describe('a signing policy', () => {
  test(
    'without rules signs everything, and saved rules are the same on another device [L-01]',
    { tags: 'abuse' },
    async () => {
      const { holder } = await world.open('ann@example.org')
      await holder.sign(createPayment(10n ** 20n, stranger))
      expect(await holder.policy()).toEqual({ policy: {}, counter: 0, copies: { auth: 'current', shares: 'current' } })
      const both = { ...limit, ...friends }
      await holder.savePolicy(both, 0)
      const other = await world.open('ann@example.org')
      expect(await other.holder.policy()).toMatchObject({ policy: both, counter: 1 })
    },
  )

  test('signs up to the daily limit, and no further until the next day [L-01]', async () => {
    const { holder } = await openWith('ben@example.org', limit)
    await holder.sign(createPayment(60n))
    await expect(holder.sign(createPayment(41n))).rejects.toMatchObject(createExceededError('daily'))
    await holder.sign(createPayment(40n))
    await expect(holder.sign(createPayment(1n))).rejects.toMatchObject(createExceededError('daily'))
    world.pass(dayMs)
    await holder.sign(createPayment(100n))
  })

  test('counts what other devices spent [L-01]', { tags: 'abuse' }, async () => {
    const { holder } = await openWith('cat@example.org', limit)
    const other = await world.open('cat@example.org')
    await holder.sign(createPayment(60n))
    await expect(other.holder.sign(createPayment(41n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('signs messages without asking a service [L-01]', async () => {
    const { holder } = await openWith('dan@example.org', limit)
    await expect(
      holder.sign({ kind: 'evm-message', message: new TextEncoder().encode('Hello') }),
    ).resolves.toHaveLength(65)
  })
})

describe('the rule that a request would exceed', () => {
  test('is shown with its amounts before signing, and does not count as spent [L-01]', async () => {
    const { holder } = await openWith('abe@example.org', limit)
    await holder.sign(createPayment(60n))
    expect(await holder.exceededRule([createPayment(40n)])).toBeUndefined()
    const limits = [{ asset: chain, units: 100n }]
    const spent = [{ asset: chain, units: 60n }]
    expect(await holder.exceededRule([createPayment(41n)])).toEqual({ rule: 'daily', limits, spent })
    expect(await holder.exceededRule([createPayment(20n), createPayment(21n)])).toMatchObject({ rule: 'daily', spent })
    await holder.sign(createPayment(40n))
  })

  test('is known on another device as soon as it loaded the policy [L-01]', async () => {
    const { holder } = await openWith('ada@example.org', friends)
    const other = await world.open('ada@example.org')
    expect(await other.holder.exceededRule([createPayment(1n, stranger)])).toMatchObject({ rule: 'receiver' })
    expect(await holder.exceededRule([createPayment(1n, friend)])).toBeUndefined()
  })

  test('sends no service request for a message, or on a device without rules [L-01]', async () => {
    const { holder } = await world.open('ari@example.org')
    await holder.sign(createPayment(1n))
    const requests = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => requests.mockRestore())
    expect(await holder.exceededRule([createPayment(10n ** 20n, stranger)])).toBeUndefined()
    await holder.savePolicy(limit, 0)
    const before = requests.mock.calls.length
    expect(await holder.exceededRule([{ kind: 'evm-message', message: new Uint8Array(5) }])).toBeUndefined()
    expect(await holder.exceededRule([])).toBeUndefined()
    expect(requests.mock.calls.length).toBe(before)
  })
})

describe('an attack on a signing policy', () => {
  test('with many payments at once on two devices spends the limit once [L-01]', async () => {
    const one = await openWith('eve@example.org', limit)
    const two = await world.open('eve@example.org')
    const all = [one, two].flatMap(({ holder }) => Array.from({ length: 4 }, () => holder.sign(createPayment(30n))))
    const ended = await Promise.allSettled(all)
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(3)
    await expect(one.holder.sign(createPayment(100n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test.each([
    ['two pages that share the storage of one browser', true],
    ['two devices', false],
  ])('by payments that %s count at the same moment spends the limit once [L-01]', async (_name, isShared) => {
    const email = `eli-${String(isShared)}@example.org`
    const one = await openWith(email, limit)
    const two = isShared ? await world.openPage(one.store) : (await world.open(email)).holder
    const send = globalThis.fetch
    let arrive = (): void => undefined
    const bothCounted = new Promise<void>((resolve) => (arrive = resolve))
    let writes = 0
    // Both pages have read the sums before either writes them.
    const requests = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...sent) => {
      if (String(sent[0]).endsWith('/auth/v1/policy/write')) {
        writes += 1
        if (writes === 2) arrive()
        await bothCounted
      }
      return send(...sent)
    })
    onTestFinished(() => requests.mockRestore())
    const ended = await Promise.allSettled([one.holder, two].map((page) => page.sign(createPayment(60n))))
    expect(writes).toBeGreaterThanOrEqual(2)
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = ended.find((each) => each.status === 'rejected')
    expect(refused?.reason).toMatchObject(createExceededError('daily'))
    await one.holder.sign(createPayment(40n))
    await expect(two.sign(createPayment(1n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('on another network, with another receiver or an unlimited permit is refused [L-01]', async () => {
    const { holder } = await openWith('fay@example.org', { ...limit, ...friends })
    await expect(holder.sign(createPayment(1n, friend, 10))).rejects.toMatchObject(createExceededError('receiver'))
    await expect(holder.sign(createPayment(1n, stranger))).rejects.toMatchObject(createExceededError('receiver'))
    await holder.savePolicy({ ...limit, onlyKnownReceivers: [] }, 1)
    await expect(holder.sign(createPayment(1n, friend, 10))).rejects.toMatchObject(createExceededError('receiver'))
    const permit = {
      domain: { chainId: 1, verifyingContract: stranger },
      primaryType: 'Permit',
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      message: { owner: friend, spender: friend, value: String(maxUint256) },
    }
    const signed = holder.sign({ kind: 'evm-typed-data', json: JSON.stringify(permit) })
    await expect(signed).rejects.toMatchObject(createExceededError('receiver'))
  })

  test('by setting the clock of the device begins no new day [L-02]', async () => {
    const { holder } = await openWith('gil@example.org', limit)
    await holder.sign(createPayment(100n))
    const aheadBy = (milliseconds: number): void => {
      world.passHere(milliseconds)
      onTestFinished(() => world.passHere(-milliseconds))
    }
    aheadBy(30_000)
    await expect(holder.sign(createPayment(1n))).rejects.toMatchObject(createExceededError('daily'))
    // The services refuse the requests of a clock that is a day ahead.
    aheadBy(dayMs)
    await expect(holder.sign(createPayment(1n))).rejects.toMatchObject({ status: 401 })
  })

  test.each(['auth', 'shares'] as const)(
    'in which %s returns an older policy changes nothing, and the settings name the service [L-03]',
    { tags: 'abuse' },
    async (name) => {
      const { holder, user } = await openWith(`hal-${name}@example.org`, {})
      const table = name === 'auth' ? 'auth_policy' : 'share_policy'
      const ofUser = `user_id = '${user.id}' and kind = 'policy'`
      const [old] = await world[name].run(
        `select counter, encode(sealed, 'hex') as sealed, encode(signature, 'hex') as signature from ${table} where ${ofUser}`,
      )
      await holder.savePolicy(limit, 1)
      await world[name].run(
        `update ${table} set counter = ${String(old?.['counter'])}, sealed = decode('${String(old?.['sealed'])}', 'hex'),
          signature = decode('${String(old?.['signature'])}', 'hex') where ${ofUser}`,
      )
      // A new device remembers nothing, and still finds the newer policy.
      const fresh = await world.open(`hal-${name}@example.org`)
      await expect(fresh.holder.sign(createPayment(101n))).rejects.toMatchObject(createExceededError('daily'))
      expect(await fresh.holder.policy()).toMatchObject({ policy: limit, copies: { [name]: 'behind' } })
      expect(await fresh.holder.policy()).toMatchObject({ copies: { auth: 'current', shares: 'current' } })
    },
  )

  test('in which both services forget everything is refused on a device that remembers [L-03]', async () => {
    const { holder, user } = await openWith('ida@example.org', limit)
    await world.auth.run(`delete from auth_policy where user_id = '${user.id}'`)
    await world.shares.run(`delete from share_policy where user_id = '${user.id}'`)
    await expect(holder.sign(createPayment(101n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('with the policy of another wallet is recognised [L-04]', { tags: 'abuse' }, async () => {
    const victim = await openWith('joy@example.org', limit)
    const thief = await openWith('kim@example.org', {})
    await world.auth.run(
      `update auth_policy set counter = 9, sealed = other.sealed, signature = other.signature, verifier = other.verifier
      from auth_policy as other where auth_policy.user_id = '${victim.user.id}' and other.user_id = '${thief.user.id}'`,
    )
    await expect(victim.holder.sign(createPayment(101n))).rejects.toMatchObject({ code: 'policy/exceeded' })
    expect(await victim.holder.policy()).toMatchObject({ policy: limit, copies: { auth: 'foreign' } })
  })

  test('that is larger than the services accept is refused before it is sent [L-04]', { tags: 'abuse' }, async () => {
    const { holder } = await world.open('lea@example.org')
    const onlyKnownReceivers = Array.from({ length: 101 }, (_, at) => `${chain}:0x${String(at).padStart(40, '0')}`)
    await expect(holder.savePolicy({ onlyKnownReceivers }, 0)).rejects.toMatchObject({ code: 'policy/invalid' })
  })

  test('by a new device can tighten the policy and not loosen it [L-05]', { tags: 'abuse' }, async () => {
    await openWith('max@example.org', limit)
    const { holder } = await world.open('max@example.org')
    const looser = { dailyLimit: [{ asset: chain, units: 101n }] }
    await expect(holder.savePolicy(looser, 1)).rejects.toMatchObject({ status: 403, field: 'deviceAge' })
    await expect(holder.savePolicy({}, 1)).rejects.toMatchObject({ field: 'deviceAge' })
    await holder.savePolicy({ ...limit, ...friends }, 1)
  })

  test('with an outdated screen overwrites no newer policy [L-05]', { tags: 'abuse' }, async () => {
    const { holder } = await openWith('ned@example.org', limit)
    await expect(holder.savePolicy({}, 0)).rejects.toMatchObject({ code: 'policy/conflict' })
  })
})

test('without one service requests within the limit are not signed, because the spent amount is unknown [L-02]', async () => {
  const { holder } = await openWith('oli@example.org', limit)
  await world.services.stop('shares')
  await expect(holder.sign(createPayment(1n))).rejects.toMatchObject(createExceededError('offline'))
  await world.services.start()
  await holder.sign(createPayment(1n))
})

describe('a second device', () => {
  const dayOld = async (email: string, policy: Policy) => {
    const desk = await openWith(email, policy)
    const phone = await world.open(email)
    return { desk, phone }
  }
  const origin = 'https://app.example.org'
  const ruleRequest = (request: SignRequest) => ({ request, origin, rule: 'daily' as const })

  test('that is established approves a request, and sees the same digits and effects [L-06]', async () => {
    const { desk, phone } = await dayOld('pam@example.org', limit)
    const requested = await phone.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    expect(requested.match).toMatch(/^\d\d$/)
    expect(await desk.holder.secondDeviceRequests()).toEqual([requested])
    expect(requested.spending.amounts).toContainEqual({ asset: chain, units: 500n })
    expect(await phone.holder.checkSecondDevice(requested.id)).toBe('waiting')
    await desk.holder.decideForDevice(requested.id, true)
    expect(await phone.holder.checkSecondDevice(requested.id)).toBe('approved')
    await phone.holder.sign(createPayment(500n))
    // The approval is used up, and the payment was counted.
    await expect(phone.holder.sign(createPayment(500n))).rejects.toMatchObject(createExceededError('daily'))
    await expect(desk.holder.sign(createPayment(1n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('has approved a request for ten minutes only [L-06]', { tags: 'abuse' }, async () => {
    const { desk, phone } = await dayOld('ola@example.org', limit)
    const { id } = await phone.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    await desk.holder.decideForDevice(id, true)
    expect(await phone.holder.checkSecondDevice(id)).toBe('approved')
    world.pass(10 * 60_000)
    await expect(phone.holder.sign(createPayment(500n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('has approved a request until the user signs out only [L-06]', { tags: 'abuse' }, async () => {
    const { desk, phone } = await dayOld('oda@example.org', limit)
    const { id } = await phone.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    await desk.holder.decideForDevice(id, true)
    expect(await phone.holder.checkSecondDevice(id)).toBe('approved')
    await phone.holder.signOut()
    await world.logIn(phone.holder, 'oda@example.org')
    await expect(phone.holder.sign(createPayment(500n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('that refuses ends the request [L-06]', { tags: 'abuse' }, async () => {
    const { desk, phone } = await dayOld('quin@example.org', limit)
    const requested = await phone.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    await desk.holder.decideForDevice(requested.id, false)
    expect(await phone.holder.checkSecondDevice(requested.id)).toBe('refused')
    await expect(phone.holder.sign(createPayment(500n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('that is new can’t approve [L-06]', { tags: 'abuse' }, async () => {
    const { desk, phone } = await dayOld('ray@example.org', limit)
    const requested = await desk.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    await phone.holder.decideForDevice(requested.id, true)
    expect(await desk.holder.checkSecondDevice(requested.id)).toBe('tooNew')
    await expect(desk.holder.sign(createPayment(500n))).rejects.toMatchObject(createExceededError('daily'))
  })

  test('that was removed can’t approve, even with an earlier decision [L-06]', { tags: 'abuse' }, async () => {
    const { desk, phone } = await dayOld('sam@example.org', limit)
    world.pass(dayMs)
    const requested = await desk.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    await phone.holder.decideForDevice(requested.id, true)
    const device = (await desk.holder.devices()).find(({ current }) => !current)
    await desk.holder.revokeDevice(device?.setId ?? '', { stolen: false })
    expect(await desk.holder.checkSecondDevice(requested.id)).toBe('tooNew')
  })

  test('approves one request only: its decision is refused for another one [L-06]', async () => {
    const { desk, phone } = await dayOld('tess@example.org', limit)
    const [small, large] = [
      await phone.holder.requestSecondDevice(ruleRequest(createPayment(101n))),
      await phone.holder.requestSecondDevice(ruleRequest(createPayment(9_999n))),
    ]
    await desk.holder.decideForDevice(small.id, true)
    await world.shares.run(`update share_policy_request set decision = other.decision from share_policy_request as other
      where share_policy_request.id = '${large.id}' and other.id = '${small.id}'`)
    expect(await phone.holder.checkSecondDevice(large.id)).toBe('refused')
    expect(await phone.holder.checkSecondDevice(small.id)).toBe('approved')
    await expect(phone.holder.sign(createPayment(9_999n))).rejects.toMatchObject(createExceededError('daily'))
    await phone.holder.sign(createPayment(101n))
  })

  test('of another user can neither see nor decide requests [L-06]', { tags: 'abuse' }, async () => {
    const { phone } = await dayOld('uma@example.org', limit)
    const requested = await phone.holder.requestSecondDevice(ruleRequest(createPayment(500n)))
    const stranger = await world.open('vic@example.org')
    expect(await stranger.holder.secondDeviceRequests()).toEqual([])
    await expect(stranger.holder.decideForDevice(requested.id, true)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a looser policy', () => {
  const looser: Policy = { dailyLimit: [{ asset: chain, units: 500n }] }

  test('takes effect after a day, by the clocks of both services [L-07]', async () => {
    const { holder } = await openWith('wes@example.org', limit)
    const { pending, policy } = await holder.savePolicy(looser, 1)
    expect(policy).toEqual(limit)
    expect(pending?.policy).toEqual(looser)
    await expect(holder.sign(createPayment(101n))).rejects.toMatchObject(createExceededError('daily'))
    world.pass(dayMs - 60_000)
    await expect(holder.sign(createPayment(101n))).rejects.toMatchObject(createExceededError('daily'))
    world.pass(60_000)
    await holder.sign(createPayment(500n))
    expect(await holder.policy()).toMatchObject({ policy: looser, counter: 2 })
  })

  test('is stopped by the link of the mail [L-07]', { tags: 'abuse' }, async () => {
    const { holder } = await openWith('xia@example.org', limit)
    const text = await world.mailOf('xia@example.org', () => holder.savePolicy(looser, 1))
    expect(text).toContain('your wallet signs more on one device')
    const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
    expect((await fetch(link)).status).toBe(200)
    expect((await holder.policy()).pending).toBeDefined()
    await fetch(link.origin + link.pathname, { method: 'POST', body: link.searchParams })
    expect((await holder.policy()).pending).toBeUndefined()
    world.pass(dayMs)
    await expect(holder.sign(createPayment(101n))).rejects.toMatchObject(createExceededError('daily'))
    const { pending } = await holder.savePolicy(looser, 1)
    expect(pending?.policy).toEqual(looser)
  })

  test('is stopped by any other change of the policy [L-07]', { tags: 'abuse' }, async () => {
    const { holder } = await openWith('yan@example.org', limit)
    await holder.savePolicy(looser, 1)
    await holder.savePolicy(limit, 1)
    world.pass(dayMs)
    expect(await holder.policy()).toMatchObject({ policy: limit, counter: 2 })
    expect((await holder.policy()).pending).toBeUndefined()
  })

  test.each(['auth_policy', 'share_policy'] as const)(
    'that is older in %s alone does not take effect [L-07]',
    async (table) => {
      const { holder, user } = await openWith(`zoe-${table}@example.org`.replace('_', '-'), limit)
      await holder.savePolicy(looser, 1)
      const service = table === 'auth_policy' ? world.auth : world.shares
      await service.run(`update ${table} set stored_at = 0 where user_id = '${user.id}' and kind = 'pending'`)
      await expect(holder.sign(createPayment(101n))).rejects.toMatchObject(createExceededError('daily'))
    },
  )
})
