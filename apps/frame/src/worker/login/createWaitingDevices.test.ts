import { describe, expect, test } from 'vitest'
import type { WaitingDevice } from '../../services/shareStore.ts'
import { createWaitingDevices } from './createWaitingDevices.ts'

const phone: WaitingDevice = { id: 'phone', browser: 'Chrome', at: 0, opensAt: 1 }

/** A share store that knows one more waiting device with each request, and refuses the first ones. */
function start({ refusals = 0 } = {}) {
  let requests = 0
  let time = 0
  const shares = {
    async waitingDevices() {
      requests += 1
      if (requests <= refusals) throw new Error('This device has not been approved.')
      return Array.from({ length: requests }, () => phone)
    },
  }
  return {
    devices: createWaitingDevices({ shares, now: () => time }),
    requests: () => requests,
    pass: (milliseconds: number) => void (time += milliseconds),
  }
}

describe('the waiting devices', () => {
  test('are requested once for a login, and again for the next list', async () => {
    const { devices, requests } = start()
    devices.prefetch()
    expect(requests()).toBe(1)
    expect(await devices.list()).toHaveLength(1)
    expect(requests()).toBe(1)
    expect(await devices.list()).toHaveLength(2)
  })

  test('are requested again if the user took longer than ten seconds to open the wallet', async () => {
    const { devices, pass } = start()
    devices.prefetch()
    pass(10_000)
    expect(await devices.list()).toHaveLength(2)
  })

  test('are requested again if the share store did not know the device yet', async () => {
    const { devices } = start({ refusals: 1 })
    devices.prefetch()
    expect(await devices.list()).toHaveLength(2)
  })
})
