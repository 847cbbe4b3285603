import { connect } from '@latchkey/core'
import { dismissModal, hideToast } from '@latchkey/modal'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { actionLists, situations } from '../testing/actions/actionLists.ts'
import { createActionApp, type ActionApp, type Situation } from '../testing/actions/createActionApp.tsx'
import { listViolations } from '../testing/actions/listViolations.ts'
import { performAction, type Action } from '../testing/actions/performAction.ts'
import { serveTraffic, type Traffic } from '../testing/actions/serveTraffic.ts'
import { views } from './views/index.ts'

// Random actions of apps, users and wallets leave no modal in a state that a user can't leave. A failure prints the seed and
// the actions. `VITE_RUNS=500 VITE_SEED=1 npx vitest run --project browser …` tries more or the same sequences.

const numRuns = Number(import.meta.env['VITE_RUNS'] ?? 8)
const seed = Number(import.meta.env['VITE_SEED'] ?? Date.now() % 1_000_000_000)

const nextTask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 5))

/** Waits until nothing is wrong any longer. Time passes while it waits. */
async function expectNoViolations(app: ActionApp, list: () => readonly string[]): Promise<void> {
  const pass = async (): Promise<void> => {
    app.clock.advance(1_000)
    app.other.clock.advance(1_000)
    // An embedded modal sends no requests before the user acts.
    dispatchEvent(new Event('pointermove'))
    await nextTask()
  }
  for (let round = 0; round < 4 || app.traffic.pending > 0; round += 1) await pass()
  const isFine = async (): Promise<boolean> => {
    await pass()
    return list().length === 0
  }
  try {
    await expect.poll(isFine).toBe(true)
  } catch (cause) {
    throw new Error(list().join('\n'), { cause })
  }
}

/** Lists what a page without the app still has of it. */
function listRemains({ adapter, clock }: ActionApp): readonly string[] {
  for (const _ of Array(5)) clock.advance(120_000)
  const remains = {
    'a search for wallets': adapter.looking() > 0,
    'the modal': document.querySelector('latchkey-modal') !== null,
    [`${clock.waiting()} timers`]: clock.waiting() > 0,
  }
  return Object.entries(remains).flatMap(([name, remain]) => (remain ? [name] : []))
}

/** The server of all runs, and what went wrong without a caller to report it to. */
type World = { traffic: Traffic; errors: string[] }

async function tryActions(situation: Situation, actions: readonly Action[], { traffic, errors }: World): Promise<void> {
  const app = createActionApp(situation, traffic)
  const { latchkey, other } = app
  errors.length = 0
  latchkey.events.subscribe((event) => void (event.type === 'render-error' && errors.push(JSON.stringify(event))))
  try {
    if (situation.connected) await connect(latchkey, 'granting')
    app.draw({})
    await nextTask()
    for (const action of actions) await performAction(app, action)
    app.finishRequests()
    await expectNoViolations(app, () => [...errors, ...listViolations(app)])
    dismissModal(latchkey)
    dismissModal(other.latchkey)
    await expectNoViolations(app, () => [...errors, ...listViolations(app)])
    app.unmount()
    dismissModal(latchkey)
    hideToast(latchkey)
    await expectNoViolations(app, () => listRemains(app))
    expect(errors).toEqual([])
  } finally {
    app.unmount()
  }
}

/** Collects the errors that the console and the window report. */
function collectErrors(): string[] {
  const errors: string[] = []
  const collect = (...values: readonly unknown[]): void => void errors.push(values.map(String).join(' '))
  const spy = vi.spyOn(console, 'error').mockImplementation(collect)
  const onRejection = ({ reason }: PromiseRejectionEvent): void => collect('unhandled', reason)
  addEventListener('unhandledrejection', onRejection)
  onTestFinished(() => {
    spy.mockRestore()
    removeEventListener('unhandledrejection', onRejection)
  })
  return errors
}

test('random actions leave the modal usable', { tags: 'browsers' }, async () => {
  await page.viewport(1024, 768)
  const spy = vi.spyOn(window, 'open').mockImplementation(() => null)
  onTestFinished(() => spy.mockRestore())
  // The first run would otherwise test other timing than the others.
  await Promise.all(Object.values(views).map((load) => load()))
  const world = { traffic: serveTraffic(), errors: collectErrors() }
  const property = fc.asyncProperty(situations, actionLists, (situation, actions) =>
    tryActions(situation, actions, world),
  )
  const report = await fc.check(property, { seed, numRuns, endOnFailure: true, includeErrorInReport: true })
  expect(fc.defaultReportMessage(report)).toBeUndefined()
})
