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
