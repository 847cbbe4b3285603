import { memoryStorage, type LoginEvent, type LoginState } from '@latchkey/core'
import { getRejection, manualClock, flushTasks } from '@latchkey/core/testing'
import { frameEvent, type LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { OpenedWindow } from './socialWindow.ts'
import { createObservable } from '../observable.ts'
import { fakeFrame } from '../testing/fakeFrame.ts'
import { createEmbeddedWallet } from '../embeddedWallet.ts'

/** A window that a click opened, with its content. */
function fakeWindow() {
  const shown: string[] = []
  const opened = {
    closed: false as boolean,
    close: () => void (opened.closed = true),
    document: document.implementation.createHTMLDocument(),
    location: { replace: (uri: string | URL) => void shown.push(String(uri)) },
  } satisfies OpenedWindow
  return { opened, shown }
}

function setUp() {
  const frame = fakeFrame()
  const clock = manualClock()
  const state = createObservable<LoginState>({
    user: undefined,
    accountType: undefined,
    mailAgainAt: undefined,
    screen: undefined,
  })
  const news: LoginEvent[] = []
  const wallet = createEmbeddedWallet({
    frameOrigin: 'https://wallet.example',
    name: 'Email & Socials',
    open: frame.open,
    storage: memoryStorage(),
    clock,
    state,
    appearance: createObservable(undefined),
    failure: createObservable<LatchkeyError | undefined>(undefined),
    emit: (each) => void news.push(each),
  })
  return { frame, clock, state, wallet, news, over: new AbortController() }
}

test('the provider’s page opens in the window, which closes after its response', async () => {
  const { frame, wallet, state, over } = setUp()
  const { opened, shown } = fakeWindow()
  const done = wallet.social('google', opened, over)
  expect(opened.document.title).toBe('Email & Socials')
  await expect.poll(() => shown).toEqual(['https://google.example/authorize'])
  frame.approve()
  await done
  expect(opened.closed).toBe(true)
  expect(state.get().user).toMatchObject({ social: 'google', email: 'visitor@example.org' })
})

test('the window of an earlier attempt is reused', async () => {
  const { frame, wallet, over } = setUp()
  const { opened, shown } = fakeWindow()
  const strange = Object.defineProperty({ ...opened }, 'document', {
    get: () => {
      throw new DOMException('Blocked a frame', 'SecurityError')
    },
  })
  const done = wallet.social('google', strange, over)
  await expect.poll(() => shown).toHaveLength(1)
  frame.approve()
  await done
})

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://app.example/1',
  'no address',
])('no window is navigated to %s', async (uri) => {
  const { frame, wallet, over } = setUp()
  frame.misbehave({ instead: { name: 'GET_SOCIAL_REDIRECT_URI', respond: { uri } } })
  const { opened, shown } = fakeWindow()
  await expect(wallet.social('google', opened, over)).rejects.toBeInstanceOf(Error)
  expect(shown).toEqual([])
  expect(opened.closed).toBe(true)
})

test('closing the window ends the login after three seconds and aborts it in the frame [I-11]', async () => {
  window.focus()
  const { frame, wallet, clock, over } = setUp()
  const { opened, shown } = fakeWindow()
  const done = getRejection(wallet.social('google', opened, over))
  await expect.poll(() => shown).toHaveLength(1)
  await expect.poll(() => frame.shown()).toBe('social')
  opened.close()
  for (let seconds = 0; seconds < 5; seconds += 1) {
    clock.advance(1_000)
    await flushTasks()
  }
  expect(await done).toMatchObject({ code: 'embedded/popup-closed' })
  await expect.poll(() => frame.shown()).toBeUndefined()
})

test('the window may close after the provider’s response while the wallet opens', async () => {
  window.focus()
  const { frame, wallet, clock, over } = setUp()
  const { opened, shown } = fakeWindow()
  const done = wallet.social('google', opened, over)
  await expect.poll(() => shown).toHaveLength(1)
  await expect.poll(() => frame.shown()).toBe('social')
  frame.postToPage(frameEvent('OPENING', {}))
  await flushTasks()
  opened.close()
  for (let seconds = 0; seconds < 30; seconds += 1) {
    clock.advance(1_000)
    await flushTasks()
  }
  frame.approve()
  await done
})

test('going back closes the window and cancels the login', async () => {
  const { frame, wallet, state, over } = setUp()
  const { opened, shown } = fakeWindow()
  const done = getRejection(wallet.social('google', opened, over))
  await expect.poll(() => shown).toHaveLength(1)
  await expect.poll(() => frame.shown()).toBe('social')
  over.abort()
  expect(await done).toMatchObject({ code: 'connection/aborted' })
  expect(opened.closed).toBe(true)
  await expect.poll(() => frame.shown()).toBeUndefined()
  expect(state.get().user).toBeUndefined()
})
