import { memoryStorage, type LoginNews, type LoginState } from '@latchkey/core'
import { failureOf, manualClock, settled } from '@latchkey/core/testing'
import { frameNews } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { OpenedWindow } from './socialWindow.ts'
import { createObservable } from './state.ts'
import { fakeFrame } from './testing/fakeFrame.ts'
import { createWallet } from './wallet.ts'

/** A window that a click opened, and what it showed. */
function someWindow() {
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
  const news: LoginNews[] = []
  const wallet = createWallet({
    site: 'https://wallet.example',
    name: 'Email & Socials',
    open: frame.open,
    storage: memoryStorage(),
    clock,
    state,
    look: createObservable(undefined),
    failed: () => {},
    tell: (each) => void news.push(each),
  })
  return { frame, clock, state, wallet, news, over: new AbortController() }
}

test('the provider’s page is shown in the window, which is closed once it said who it is', async () => {
  const { frame, wallet, state, over } = setUp()
  const { opened, shown } = someWindow()
  const done = wallet.social('google', opened, over)
  expect(opened.document.title).toBe('Email & Socials')
  await expect.poll(() => shown).toEqual(['https://google.example/authorize'])
  frame.approve()
  await done
  expect(opened.closed).toBe(true)
  expect(state.get().user).toMatchObject({ social: 'google', email: 'visitor@example.org' })
})

test('a window of an attempt before, which shows somebody else’s page, serves as well', async () => {
  const { frame, wallet, over } = setUp()
  const { opened, shown } = someWindow()
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
])('no window is led to %s, whoever says so', async (uri) => {
  const { frame, wallet, over } = setUp()
  frame.misbehave({ instead: { name: 'GET_SOCIAL_REDIRECT_URI', answer: { uri } } })
  const { opened, shown } = someWindow()
  await expect(wallet.social('google', opened, over)).rejects.toBeInstanceOf(Error)
  expect(shown).toEqual([])
  expect(opened.closed).toBe(true)
})

test('a window that was closed ends the login after three seconds, and the frame is told to forget it [I-11]', async () => {
  window.focus()
  const { frame, wallet, clock, over } = setUp()
  const { opened, shown } = someWindow()
  const done = failureOf(wallet.social('google', opened, over))
  await expect.poll(() => shown).toHaveLength(1)
  await expect.poll(() => frame.shown()).toBe('social')
  opened.close()
  for (let seconds = 0; seconds < 5; seconds += 1) {
    clock.advance(1_000)
    await settled()
  }
  expect(await done).toMatchObject({ code: 'embedded/popup-closed' })
  await expect.poll(() => frame.shown()).toBeUndefined()
})

test('once the provider has answered its window may close, for as long as the wallet is opened', async () => {
  window.focus()
  const { frame, wallet, clock, over } = setUp()
  const { opened, shown } = someWindow()
  const done = wallet.social('google', opened, over)
  await expect.poll(() => shown).toHaveLength(1)
  await expect.poll(() => frame.shown()).toBe('social')
  frame.say(frameNews('OPENING', {}))
  await settled()
  opened.close()
  for (let seconds = 0; seconds < 30; seconds += 1) {
    clock.advance(1_000)
    await settled()
  }
  frame.approve()
  await done
})

test('who goes back closes the window, and is not logged in by it any more', async () => {
  const { frame, wallet, state, over } = setUp()
  const { opened, shown } = someWindow()
  const done = failureOf(wallet.social('google', opened, over))
  await expect.poll(() => shown).toHaveLength(1)
  await expect.poll(() => frame.shown()).toBe('social')
  over.abort()
  expect(await done).toMatchObject({ code: 'connection/aborted' })
  expect(opened.closed).toBe(true)
  await expect.poll(() => frame.shown()).toBeUndefined()
  expect(state.get().user).toBeUndefined()
})
