import { describe, expect, test } from 'vitest'
import { deriveWalletKeys } from '../../custody/walletKeys.ts'
import { createOpenKeys } from './openKeys.ts'

const minute = 60_000

/** Keys with a manual clock. */
function start() {
  let time = 0
  let opened = 0
  const timers = new Set<{ at: number; act(): void }>()
  const wallets: Uint8Array[] = []
  const keys = createOpenKeys({
    async open() {
      opened += 1
      const entropy = new Uint8Array(16).fill(7)
      wallets.push(entropy)
      return { entropy, accounts: [] }
    },
    wiped: () => undefined,
    now: () => time,
    later(act, milliseconds) {
      const timer = { at: time + milliseconds, act }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const pass = (milliseconds: number): void => {
    time += milliseconds
    for (const timer of [...timers].filter(({ at }) => at <= time)) {
      timers.delete(timer)
      timer.act()
    }
  }
  return { keys, pass, wallets, opened: () => opened, sleep: (milliseconds: number) => (time += milliseconds) }
}

describe('the open wallet', () => {
  test('is wiped after five idle minutes', async () => {
    const { keys, pass, wallets, opened } = start()
    const copy = await keys.entropy()
    pass(4 * minute)
    await keys.entropy()
    pass(4 * minute)
    await keys.entropy()
    expect(opened()).toBe(1)
    pass(5 * minute)
    expect(wallets[0]).toEqual(new Uint8Array(16))
    // Returned copies belong to the caller.
    expect(copy).toEqual(new Uint8Array(16).fill(7))
    await keys.entropy()
    expect(opened()).toBe(2)
  })

  test('is wiped after half an hour of use', async () => {
    const { keys, pass, wallets } = start()
    for (let at = 0; at < 30; at += 1) {
      await keys.entropy()
      pass(minute)
    }
    expect(wallets).toHaveLength(1)
    expect(wallets[0]).toEqual(new Uint8Array(16))
  })

  test('is not used after the machine slept for half an hour', async () => {
    const { keys, sleep, opened } = start()
    await keys.entropy()
    sleep(31 * minute)
    await keys.entropy()
    expect(opened()).toBe(2)
  })

  test('is used after a shorter sleep, counted from its opening', async () => {
    const { keys, pass, sleep, opened } = start()
    pass(20 * minute)
    await keys.entropy()
    sleep(29 * minute)
    await keys.entropy()
    expect(opened()).toBe(1)
    sleep(minute)
    await keys.entropy()
    expect(opened()).toBe(2)
  })

  test('derives keys once and returns copies', async () => {
    const { keys, opened } = start()
    const { evm, solana } = await deriveWalletKeys(new Uint8Array(16).fill(7))
    const copy = await keys.privateKey('evm')
    expect(copy).toEqual(evm.privateKey)
    copy.fill(0)
    expect(await keys.privateKey('evm')).toEqual(evm.privateKey)
    expect(await keys.privateKey('solana')).toEqual(solana.privateKey)
    expect(opened()).toBe(1)
  })

  test('never returns wiped bytes', async () => {
    const { keys, opened } = start()
    await keys.entropy()
    const reads = [keys.privateKey('evm'), keys.privateKey('solana'), keys.entropy()]
    keys.wipe()
    for (const secret of await Promise.all(reads)) expect(secret.some((byte) => byte !== 0)).toBe(true)
    expect(opened()).toBeGreaterThan(1)
  })

  test('is wiped at once when locked', async () => {
    const { keys, wallets } = start()
    await keys.entropy()
    keys.wipe()
    expect(wallets[0]).toEqual(new Uint8Array(16))
  })
})
