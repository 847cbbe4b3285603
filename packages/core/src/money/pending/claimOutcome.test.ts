import { expect, test } from 'vitest'
import { fakeStorage, fakeWorld } from '../../testing/fakes.ts'
import { claimOutcome, type TabLocks } from './claimOutcome.ts'

const of = { chainId: 'eip155:1', hash: '0x1' } as const

/** Two tabs of a site, which share their storage. */
function openTwoTabs() {
  const storage = fakeStorage()
  const [one, two] = [storage, storage.otherTab()].map((tab) => fakeWorld({ storage: tab }).latchkey)
  if (one === undefined || two === undefined) throw new Error('There are two tabs.')
  return { storage, one, two }
}

/** Locks that run one callback after the other, as Web Locks do. */
function fakeLocks(): TabLocks {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request: (_name: string, ...rest: readonly unknown[]) => {
      const run = rest.at(-1) as () => unknown
      last = last.then(run)
      return last as Promise<never>
    },
  }
}

test('one of two tabs reports an outcome, even if both claim at the same time', async () => {
  const { one, two } = openTwoTabs()
  const locks = fakeLocks()
  const claims = [one, two, one].map((tab) => claimOutcome(tab, of, 'mined', locks))
  expect(await Promise.all(claims)).toEqual([true, false, false])
})

test('another outcome of the same transaction is reported, for example after a reorg', async () => {
  const { one, two } = openTwoTabs()
  const claims: boolean[] = []
  for (const [tab, result] of [
    [one, 'mined'],
    [two, 'reorged'],
    [one, 'reorged'],
    [one, 'mined'],
    [two, 'mined'],
  ] as const) {
    claims.push(await claimOutcome(tab, of, result))
  }
  expect(claims).toEqual([true, true, false, true, false])
  expect(await claimOutcome(one, { ...of, chainId: 'eip155:5' }, 'mined')).toBe(true)
})

test('an outcome is reported in a page whose locks reject every request', async () => {
  const locks: TabLocks = { request: () => Promise.reject(new DOMException('No.', 'SecurityError')) }
  expect(await claimOutcome(openTwoTabs().one, of, 'mined', locks)).toBe(true)
})

test.each(['{', '7', '[[7,"mined"],["x"],null,{}]', '{"0":["eip155:1/0x1","mined"]}'])(
  'a storage with %s does not prevent a report',
  async (text) => {
    const storage = fakeStorage({ values: { '@latchkey/reported_outcomes': text } })
    const { latchkey } = fakeWorld({ storage })
    expect(await claimOutcome(latchkey, of, 'mined')).toBe(true)
    expect(await claimOutcome(latchkey, of, 'mined')).toBe(false)
  },
)

test('the outcomes of the last twenty transactions are remembered', async () => {
  const { storage, one } = openTwoTabs()
  for (let index = 0; index < 25; index += 1) await claimOutcome(one, { ...of, hash: `0x${index}` }, 'mined')
  const stored: unknown = JSON.parse(storage.values.get('@latchkey/reported_outcomes') ?? '')
  expect(stored).toHaveLength(20)
  expect(await claimOutcome(one, { ...of, hash: '0x24' }, 'mined')).toBe(false)
})
