import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chooseHome,
  currentEntry,
  navigate,
  type ModalEvent,
  type ModalState,
  type ModalSurroundings,
} from './modalState.ts'
import type { ViewEntry, Views } from './views.ts'

const runs = { numRuns: 1_000 }

const around: ModalSurroundings = {
  connected: false,
  embedded: false,
  signInPending: false,
  home: { view: 'Connect', params: {} },
}
const closed: ModalState = { open: false }
/** The views that need nothing to be shown. */
type Plain = Exclude<
  keyof Views,
  'ConnectingExternal' | 'ConnectingMultiChain' | 'Downloads' | 'SwapSelectToken' | 'SwitchActiveChain'
>
// The compiler does not compare a union of this size with an object.
const createEntry = (view: Plain): ViewEntry => ({ view, params: {} }) as ViewEntry

/** The state after events, from a closed modal. */
function applyEvents(events: readonly ModalEvent[], surroundings: Partial<ModalSurroundings> = {}): ModalState {
  return events.reduce((state, event) => navigate(state, event, { ...around, ...surroundings }), closed)
}

const createOpenEvent = (view?: Parameters<typeof createEntry>[0]): ModalEvent => ({
  type: 'open',
  entry: view === undefined ? undefined : createEntry(view),
})
const createPushEvent = (view: Parameters<typeof createEntry>[0]): ModalEvent => ({
  type: 'push',
  entry: createEntry(view),
})

function viewsOf(state: ModalState): string[] {
  return state.open ? state.history.map(({ view }) => view) : []
}

describe('the initial view', () => {
  test('is the requested one [R2.1.1]', () => {
    expect(viewsOf(applyEvents([createOpenEvent('Networks')]))).toEqual(['Networks'])
  })

  test('without adapters and account is the wallet list on a phone, and a QR code elsewhere [R2.1.2]', () => {
    expect(chooseHome({ connected: false, adapters: 0, mobile: true }).view).toBe('AllWallets')
    expect(chooseHome({ connected: false, adapters: 0, mobile: false }).view).toBe('ConnectingWalletConnectBasic')
  })

  test('is Account with an account [R2.1.3]', () => {
    expect(chooseHome({ connected: true, adapters: 1, mobile: false }).view).toBe('Account')
    expect(chooseHome({ connected: true, adapters: 0, mobile: true }).view).toBe('Account')
  })

  test('is Connect otherwise [R2.1.4] [R2.2]', () => {
    for (const mobile of [true, false]) {
      expect(chooseHome({ connected: false, adapters: 1, mobile }).view).toBe('Connect')
    }
    expect(viewsOf(applyEvents([createOpenEvent()]))).toEqual(['Connect'])
  })
})

test('opening sets the loading flag until the first view is on screen [R2.1.5]', () => {
  expect(applyEvents([createOpenEvent()])).toMatchObject({ open: true, loading: true })
  expect(applyEvents([createOpenEvent(), { type: 'ready' }])).toMatchObject({ open: true, loading: false })
})

describe('the history', () => {
  test('is a stack [R2.1] [R2.2.1]', () => {
    expect(
      viewsOf(applyEvents([createOpenEvent(), createPushEvent('AllWallets'), createPushEvent('Networks')])),
    ).toEqual(['Connect', 'AllWallets', 'Networks'])
    expect(
      viewsOf(
        applyEvents([createOpenEvent(), createPushEvent('AllWallets'), createPushEvent('Networks'), { type: 'back' }]),
      ),
    ).toEqual(['Connect', 'AllWallets'])
  })

  test('ignores a push of the view that is already current [R2.2.1]', () => {
    const state = applyEvents([createOpenEvent(), createPushEvent('AllWallets')])
    expect(navigate(state, createPushEvent('AllWallets'), around)).toBe(state)
    expect(viewsOf(navigate(state, createPushEvent('Connect'), around))).toEqual(['Connect', 'AllWallets', 'Connect'])
  })

  test('has a new entry for each visit, even if an app passes the same object', () => {
    const swap = { view: 'Swap', params: {} } as const
    for (const type of ['open', 'push', 'replace', 'reset'] as const) {
      const state = applyEvents([createOpenEvent(), { type, entry: swap }])
      const entry = state.open ? state.history.at(-1) : undefined
      expect(entry).toEqual(swap)
      expect(entry).not.toBe(swap)
    }
  })

  test('is cleared by a reset [R2.2.1]', () => {
    const state = applyEvents([
      createOpenEvent(),
      createPushEvent('AllWallets'),
      { type: 'reset', entry: createEntry('Account') },
    ])
    expect(viewsOf(state)).toEqual(['Account'])
  })

  test('keeps the views below a replaced view', () => {
    expect(viewsOf(applyEvents([createOpenEvent(), { type: 'replace', entry: createEntry('Account') }]))).toEqual([
      'Account',
    ])
    expect(
      viewsOf(
        applyEvents([
          createOpenEvent(),
          createPushEvent('AllWallets'),
          createPushEvent('Networks'),
          { type: 'replace', entry: createEntry('Account') },
        ]),
      ),
    ).toEqual(['Connect', 'AllWallets', 'Account'])
  })
})

describe('going back', () => {
  test('closes when one view is left [R2.2.2]', () => {
    expect(applyEvents([createOpenEvent(), { type: 'back' }])).toEqual(closed)
  })

  test('closes when UnsupportedChain is anywhere in the history [R2.2.2]', () => {
    expect(applyEvents([createOpenEvent('UnsupportedChain'), createPushEvent('Networks'), { type: 'back' }])).toEqual(
      closed,
    )
    expect(
      applyEvents([
        createOpenEvent('Account'),
        createPushEvent('UnsupportedChain'),
        createPushEvent('Networks'),
        { type: 'back' },
      ]),
    ).toEqual(closed)
  })
})

test('views enter from the side they left to [R2.2.5]', () => {
  const direction = (...events: ModalEvent[]): unknown => {
    const state = applyEvents([createOpenEvent(), createPushEvent('AllWallets'), ...events])
    return state.open && state.direction
  }
  expect(direction()).toBe('next')
  expect(direction({ type: 'back' })).toBe('prev')
  expect(direction({ type: 'back' }, createPushEvent('Networks'))).toBe('next')
  expect(direction({ type: 'replace', entry: createEntry('Networks') })).toBe('next')
  expect(direction({ type: 'reset', entry: createEntry('Connect') })).toBe('prev')
})

describe('embedded in the page', () => {
  test('closing shows Account with an account, and Connect without [R2.2.4]', () => {
    for (const type of ['close', 'dismiss'] as const) {
      const events: ModalEvent[] = [createOpenEvent(), createPushEvent('AllWallets'), { type }]
      expect(viewsOf(applyEvents(events, { embedded: true, connected: true }))).toEqual(['Account'])
      expect(viewsOf(applyEvents(events, { embedded: true, connected: false }))).toEqual(['Connect'])
    }
  })

  test('going back from the first view does the same [R2.2.2] [R2.2.4]', () => {
    expect(viewsOf(applyEvents([createOpenEvent('Networks'), { type: 'back' }], { embedded: true }))).toEqual([
      'Connect',
    ])
  })
})

describe('a required sign-in without a session', () => {
  const pending = { connected: true, signInPending: true }

  test.each(['SIWXSignMessage', 'ApproveTransaction'] as const)('keeps %s open, and shakes it [R2.2.6]', (view) => {
    for (const type of ['close', 'back'] as const) {
      expect(applyEvents([createOpenEvent(view), { type }], pending)).toMatchObject({
        open: true,
        history: [{ view }],
        shaking: true,
      })
    }
    expect(applyEvents([createOpenEvent(view), { type: 'close' }, { type: 'shaken' }], pending)).toMatchObject({
      shaking: false,
    })
    expect(applyEvents([createOpenEvent(view), { type: 'close' }], { ...pending, embedded: true })).toMatchObject({
      history: [{ view }],
    })
  })

  test('does not keep other views open, or a view whose request is settled [R2.2.6]', () => {
    expect(applyEvents([createOpenEvent('Account'), { type: 'close' }], pending)).toEqual(closed)
    expect(applyEvents([createOpenEvent('SIWXSignMessage'), { type: 'dismiss' }], pending)).toEqual(closed)
    expect(applyEvents([createOpenEvent('SIWXSignMessage'), { type: 'close' }], { connected: true })).toEqual(closed)
  })
})

test('an open modal always has a view, and a closed one reacts to open only [R2.2.1] [R2.2.4]', () => {
  const anyEntry = fc.constantFrom(
    ...(['Connect', 'Account', 'AllWallets', 'SIWXSignMessage', 'UnsupportedChain', 'Networks'] as const).map(
      createEntry,
    ),
  )
  const simple = fc.constantFrom(
    'ready' as const,
    'back' as const,
    'close' as const,
    'dismiss' as const,
    'shaken' as const,
  )
  const event: fc.Arbitrary<ModalEvent> = fc.oneof(
    fc.record({ type: fc.constant('open' as const), entry: fc.option(anyEntry, { nil: undefined }) }),
    fc.record({ type: fc.constantFrom('push' as const, 'replace' as const, 'reset' as const), entry: anyEntry }),
    fc.record({ type: simple }),
    fc.record({ type: fc.constant('namespace' as const), switching: fc.boolean() }),
  )
  const surroundings = fc.record({
    connected: fc.boolean(),
    embedded: fc.boolean(),
    signInPending: fc.boolean(),
    home: anyEntry,
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(event, surroundings), { maxLength: 40 }), (steps) => {
      let state: ModalState = closed
      for (const [event, surroundings] of steps) {
        const before = state
        state = navigate(before, event, surroundings)
        expect(before.open || event.type === 'open' || state === before).toBe(true)
        expect(!surroundings.embedded || !before.open || state.open).toBe(true)
        expect(!state.open || currentEntry(state) === state.history.at(-1)).toBe(true)
        expect(!state.open || state.history.length > 0).toBe(true)
        expect(viewsOf(state).length - viewsOf(before).length).toBeLessThanOrEqual(1)
      }
    }),
    runs,
  )
})
