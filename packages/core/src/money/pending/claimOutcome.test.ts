import { expect, test } from 'vitest'
import { fakeLocks, fakeStorage, fakeWorld, flushTasks } from '../../testing/fakes.ts'
import { claimOutcome, reserveOutcome } from './claimOutcome.ts'
import { holdReport } from './holdReport.ts'
import { ledgerOf } from './pendingTransactions.ts'
import type { TabLocks } from './tabLocks.ts'

const of = { chainId: 'eip155:1', hash: '0x1' } as const

/** Two tabs of a site, which share their storage. */
function openTwoTabs() {
  const storage = fakeStorage()
  const [one, two] = [storage, storage.otherTab()].map((tab) => fakeWorld({ storage: tab }).latchkey)
  if (one === undefined || two === undefined) throw new Error('There are two tabs.')
  return { storage, one, two }
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

/** A page whose visibility a test changes. */
function fakePage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState })
  const show = (visibilityState: DocumentVisibilityState): void => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { page, show }
}

test('the tab that sent a transaction reports it, even if another tab sees the outcome first', async () => {
  const { one, two } = openTwoTabs()
  const locks = fakeLocks()
  holdReport(ledgerOf(one), of, { locks, page: undefined })
  const other = claimOutcome(two, of, 'mined', locks)
  await flushTasks()
  expect(await claimOutcome(one, of, 'mined', locks)).toBe(true)
  expect(await other).toBe(false)
})

test('the tab that sent a transaction reports it while a caller waits for the outcome', async () => {
  const { one, two } = openTwoTabs()
  const locks = fakeLocks()
  holdReport(ledgerOf(one), of, { locks, page: undefined })
  const other = claimOutcome(two, of, 'mined', locks)
  await reserveOutcome(ledgerOf(one), of, 'mined', locks)
  expect(await other).toBe(false)
  expect(await claimOutcome(one, of, 'mined', locks)).toBe(true)
  expect(await claimOutcome(one, of, 'mined', locks)).toBe(false)
})

test('another tab reports a transaction once the one that sent it is closed', async () => {
  const { one, two } = openTwoTabs()
  const locks = fakeLocks()
  holdReport(ledgerOf(one), of, { locks, page: undefined })
  const other = claimOutcome(two, of, 'mined', locks)
  await flushTasks()
  locks.close()
  expect(await other).toBe(true)
})

test('another tab reports a transaction while the one that sent it is hidden', async () => {
  const { one, two } = openTwoTabs()
  const locks = fakeLocks()
  const { page, show } = fakePage()
  holdReport(ledgerOf(one), of, { locks, page })
  show('hidden')
  show('visible')
  const other = claimOutcome(two, of, 'mined', locks)
  await flushTasks()
  show('hidden')
  expect(await other).toBe(true)
  expect(await claimOutcome(one, of, 'mined', locks)).toBe(false)
})

test('an outcome that this tab reserved is reported at once, although another tab holds the right to report', async () => {
  const { one, two } = openTwoTabs()
  const locks = fakeLocks()
  holdReport(ledgerOf(two), of, { locks, page: undefined })
  await reserveOutcome(ledgerOf(one), of, 'mined', locks)
  expect(await claimOutcome(one, of, 'mined', locks)).toBe(true)
})
