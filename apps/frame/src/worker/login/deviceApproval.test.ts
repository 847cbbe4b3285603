import { expect, test } from 'vitest'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import { awaitLinkApproval, requestDeviceApproval } from './deviceApproval.ts'

/** A share store that sends these states, one per poll. */
function shareStore(...states: ReadonlyArray<string | ServiceRefusal>): { shares: ServiceRequest; paths: string[] } {
  const left = [...states]
  const paths: string[] = []
  return {
    paths,
    async shares(_method, path) {
      paths.push(path)
      const state = left.shift() ?? expect.fail('one poll too many')
      if (state instanceof ServiceRefusal) throw state
      return { state, match: '42', opensAt: 1 }
    },
  }
}

const tooMany = new ServiceRefusal(429, 'rate_limited', 'Too many requests.')
const skipPause = async (): Promise<void> => {}

test('a device that waits for a known device keeps polling when its address exceeds the rate limit', async () => {
  const { shares, paths } = shareStore('waiting', 'waiting', tooMany, tooMany, 'approved')
  const proof = { kind: 'checked', path: '/shares/v1/identity/farcaster', body: {} } as const
  const approval = await requestDeviceApproval({ shares, thumbprint: 'AA', pause: skipPause }, proof)
  await approval?.approved()
  expect(paths).toHaveLength(5)
})

test('a device that waits for its link keeps polling when its address exceeds the rate limit', async () => {
  const { shares, paths } = shareStore('open', tooMany, 'approved')
  await awaitLinkApproval(shares, 'link', skipPause)
  expect(paths).toHaveLength(3)
})

test('other refusals end the wait for a link', async () => {
  const { shares } = shareStore(new ServiceRefusal(401, 'token', 'Log in again.'))
  await expect(awaitLinkApproval(shares, 'link', skipPause)).rejects.toMatchObject({ status: 401 })
})

test('a link that ended, or that another login replaced, ends the wait', async () => {
  const { shares } = shareStore('open', 'over')
  await expect(awaitLinkApproval(shares, 'link', skipPause)).rejects.toMatchObject({ status: 410, field: 'link' })
  let polls = 0
  const replaced = awaitLinkApproval(shareStore('open', 'open').shares, 'link', skipPause, () => (polls += 1) < 2)
  await expect(replaced).rejects.toMatchObject({ status: 409, field: 'email' })
})

const checked = { kind: 'checked', path: '/shares/v1/identity/farcaster', body: { signature: 's' } } as const

/** A share store with a response for each path. */
function startShareStore(responses: Readonly<Record<string, Record<string, unknown>>>) {
  const calls: unknown[] = []
  const shares: ServiceRequest = async (method, path, body) => {
    calls.push([method, path, body])
    return responses[path] ?? expect.fail(`nothing at ${path}`)
  }
  return { calls, request: { shares, thumbprint: 'AA', pause: skipPause } }
}

test('a device whose proof is enough needs no approval', async () => {
  const { calls, request } = startShareStore({ [checked.path]: { state: 'approved' } })
  expect(await requestDeviceApproval(request, checked)).toBeUndefined()
  expect(calls).toEqual([['POST', checked.path, { signature: 's' }]])
})

test('a device without a passkey waits for a known device and its digits', async () => {
  const { request } = startShareStore({
    [checked.path]: { state: 'waiting', match: 42, opensAt: '7', hasPasskey: 'yes' },
  })
  const approval = (await requestDeviceApproval(request, checked)) ?? expect.fail('no approval')
  expect(approval.wait).toEqual({ match: '42', opensAt: 7 })
  expect(approval).not.toHaveProperty('passkey')
  await expect(approval.redeem('123456')).rejects.toMatchObject({ status: 404, field: 'id' })
})

test('a device with a passkey is approved by it', async () => {
  const { calls, request } = startShareStore({
    [checked.path]: { state: 'waiting', match: '42', opensAt: 7, hasPasskey: true },
    '/shares/v1/devices/state': { state: 'waiting' },
    '/shares/v1/devices/passkey': {},
  })
  let polls = 0
  const pause = () => ((polls += 1) > 2 ? new Promise<void>(() => undefined) : Promise.resolve())
  const approval = (await requestDeviceApproval({ ...request, pause }, checked)) ?? expect.fail('no approval')
  expect(approval.wait).toEqual({ match: '42', opensAt: 7, hasPasskey: true })
  const approved = approval.approved()
  const bytes = new Uint8Array(3)
  const proof = { id: 'AAAA', authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
  await approval.passkey?.prove({ proof, output: bytes })
  await approved
  expect(calls).toContainEqual(['POST', '/shares/v1/devices/state', {}])
})

test('a device that a known one refused, or that waits for 14 minutes, is not approved', async () => {
  const { shares } = shareStore('waiting', 'stopped')
  const stopped = await requestDeviceApproval({ shares, thumbprint: 'AA', pause: skipPause }, checked)
  await expect(stopped?.approved()).rejects.toMatchObject({ status: 403, field: 'stopped' })
  const { calls, request } = startShareStore({
    [checked.path]: { state: 'waiting' },
    '/shares/v1/devices/state': { state: 'waiting' },
  })
  const waiting = await requestDeviceApproval(request, checked)
  await expect(waiting?.approved()).rejects.toMatchObject({ status: 410, field: 'login' })
  expect(calls).toHaveLength(1 + 14 * 60)
})

test('a device is approved by the code of the provider’s window', async () => {
  const { calls, request } = startShareStore({ '/shares/v1/social/redeem': {} })
  const proof = { kind: 'code', login: 'two', isExpected: true } as const
  const approval = (await requestDeviceApproval(request, proof)) ?? expect.fail('no approval')
  expect(approval.wait).toBeUndefined()
  let isApproved = false
  const approved = approval.approved().then(() => (isApproved = true))
  await Promise.resolve()
  expect(isApproved).toBe(false)
  await approval.redeem('123456')
  await approved
  expect(calls).toEqual([['POST', '/shares/v1/social/redeem', { id: 'two', code: '123456' }]])
})

test('a wrong code does not approve a device, and a window without a code starts no approval', async () => {
  const wrong: ServiceRequest = async () => {
    throw new ServiceRefusal(401, 'code', 'Wrong.')
  }
  const request = { shares: wrong, thumbprint: 'AA', pause: skipPause }
  const approval = await requestDeviceApproval(request, { kind: 'code', login: 'two', isExpected: true })
  await expect(approval?.redeem('1')).rejects.toMatchObject({ status: 401 })
  const early = requestDeviceApproval(request, { kind: 'code', login: 'two', isExpected: false })
  await expect(early).rejects.toMatchObject({ status: 403, field: 'device' })
})
