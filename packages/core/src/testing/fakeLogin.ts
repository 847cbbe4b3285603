import { createErrors, requestError, connectionError } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { systemClock, type Clock } from '../contracts/clock.ts'
import type { Login, LoginAccountType, LoginAppearance, LoginEvent, LoginState, LoginUser } from '../contracts/login.ts'
import type { SocialProvider } from '../contracts/login.ts'

const loginError = createErrors({
  'embedded/cooldown': ({ seconds }) => `Please try again after ${seconds} seconds`,
  'embedded/failed': ({ reason }) => reason,
  'embedded/invalid-email': () => 'This is not an e-mail address.',
  'embedded/popup-closed': () => 'The window was closed.',
})

const cooldownMilliseconds = 30_000

export type FakeLoginOptions = {
  clock?: Clock
  socials?: readonly SocialProvider[]
  /** The addresses whose codes this device entered before. */
  known?: readonly string[]
  /** The address of a session that is still alive. */
  session?: string
  /** The code of every mail. */
  code?: string
  /** True if the browser blocks windows. */
  blocked?: boolean
  /** Undefined where smart accounts are not offered. */
  accountType?: LoginAccountType
  user?: LoginUser
}

/** Logins that a test controls: their requests, and the actions of the user in the mailbox and in other windows. */
export type FakeLogin = Login & {
  /** The method calls so far, with their arguments. */
  readonly calls: readonly string[]
  /** The element that shows the wallet's screen; undefined if none does. */
  readonly placed: Element | undefined
  /** Makes a method fail from now on. Undefined repairs it. */
  fail(verb: string, error: Error | undefined): void
  /** Approves the link in the mail, on any device. */
  approveDevice(): void
  /** Completes the login at the provider or in the Farcaster client. */
  approve(user?: LoginUser): void
  /** Closes the provider's window before the login is complete. */
  closeWindow(): void
  /** Shows or hides the wallet's screen. */
  show(screen: LoginState['screen']): void
  /** Changes fields of the state. */
  set(part: Partial<LoginState>): void
  /** Sends an event. */
  emit(news: LoginEvent): void
  /** The number of listeners. */
  listening(): number
  /** The appearances that were set, in order. */
  readonly looks: readonly LoginAppearance[]
  /** The number of `preload` calls. */
  readonly warmed: number
  /** The number of times that everything was rejected. */
  readonly rejections: number
}

type PendingStep = { name: string; resolve(): void; reject(error: Error): void }

/**
 * Creates logins that work like those of the embedded wallet, without mails, windows and frames.
 *
 * @example
 * const login = fakeLogin({ clock })
 * const connector = fakeConnector({ type: 'embedded', login })
 * await login.email('ann@mail.invalid') // { action: 'VERIFY_DEVICE', match: '42' }
 */
export function fakeLogin(options: FakeLoginOptions = {}): FakeLogin {
  const desk = fakeDesk(options)
  const mails = fakeMails(options, desk)
  const listeners = new Set<(news: LoginEvent) => void>()
  const looks: LoginAppearance[] = []
  let warmed = 0
  return {
    ...mails,
    ...fakeWindows(options, desk),
    calls: desk.calls,
    state: { get: desk.state.getState, subscribe: (listener) => desk.state.subscribe(listener) },
    socials: options.socials ?? ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
    pages: { export: 'https://keys.invalid/export', account: 'https://keys.invalid/account' },
    problem: undefined,
    get placed() {
      return desk.placed
    },
    fail: (verb, error) => void (error === undefined ? desk.failures.delete(verb) : desk.failures.set(verb, error)),
    async setAccountType(accountType) {
      desk.request('setAccountType', accountType)
      desk.set({ accountType })
    },
    async openScreen(screen) {
      desk.request('openScreen', screen)
      desk.set({ screen: { height: 480 } })
      await desk.wait('screen')
    },
    set: desk.set,
    show: (screen) => desk.set({ screen }),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit: (news) => listeners.forEach((listener) => listener(news)),
    listening: () => listeners.size,
    get rejections() {
      return desk.calls.filter((verb) => verb === 'rejectAll').length
    },
    place(element) {
      desk.placed = element
      return () => {
        if (desk.placed === element) desk.placed = undefined
      }
    },
    looks,
    setAppearance: (look) => void looks.push(look),
    get warmed() {
      return warmed
    },
    preload: () => void (warmed += 1),
    rejectAll() {
      desk.calls.push('rejectAll')
      desk.settle('screen', requestError('request/rejected', { method: 'OPEN_SCREEN' }))
      desk.set({ screen: undefined })
    },
  }
}

type LoginDesk = {
  state: StoreApi<LoginState>
  calls: string[]
  failures: Map<string, Error>
  placed: Element | undefined
  set(some: Partial<LoginState>): void
  /** Records a call, and fails if the test requested it. */
  request(verb: string, given?: string): void
  wait(name: string, signal?: AbortSignal): Promise<void>
  settle(name: string, error?: Error): void
}

function fakeDesk({ user, accountType }: FakeLoginOptions): LoginDesk {
  const waiting = new Set<PendingStep>()
  const state = createStore<LoginState>(() => ({ user, accountType, mailAgainAt: undefined, screen: undefined }))
  const desk: LoginDesk = {
    state,
    calls: [],
    failures: new Map(),
    placed: undefined,
    set(some) {
      state.setState({ ...state.getState(), ...some }, true)
      if (state.getState().screen === undefined) desk.settle('screen')
    },
    request(verb, given) {
      desk.calls.push(given === undefined ? verb : `${verb} ${given}`)
      const failure = desk.failures.get(verb)
      if (failure !== undefined) throw failure
    },
    wait: (name, signal) =>
      new Promise((resolve, reject) => {
        const entry = { name, resolve, reject }
        waiting.add(entry)
        const onAbort = (): void => void (waiting.delete(entry) && reject(connectionError('connection/aborted', {})))
        if (signal?.aborted === true) onAbort()
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    settle(name, error) {
      for (const entry of [...waiting].filter((each) => each.name === name)) {
        waiting.delete(entry)
        if (error === undefined) entry.resolve()
        else entry.reject(error)
      }
    },
  }
  return desk
}

type Mails = Pick<
  FakeLogin,
  'email' | 'device' | 'code' | 'updateEmail' | 'updateEmailPrimary' | 'updateEmailSecondary' | 'approveDevice'
>

/** Fake mails: links, codes, and the cooldown between mails. */
function fakeMails(options: FakeLoginOptions, desk: LoginDesk): Mails {
  const { clock = systemClock, session, code: right = '123456' } = options
  const known = new Set(options.known)
  let current = ''
  let next = ''
  const mail = (): void => {
    const { mailAgainAt } = desk.state.getState()
    const left = mailAgainAt === undefined ? 0 : Math.ceil((mailAgainAt - clock.now()) / 1000)
    if (left > 0) throw loginError('embedded/cooldown', { seconds: left })
    desk.set({ mailAgainAt: clock.now() + cooldownMilliseconds })
  }
  const check = (code: string): void => {
    if (code !== right) throw loginError('embedded/failed', { reason: 'This code is wrong or too old.' })
  }
  const read = (email: string): string => {
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw loginError('embedded/invalid-email', {})
    return email
  }
  return {
    async email(email) {
      desk.request('email', email)
      current = read(email)
      if (session === email) return { action: 'CONNECT' }
      mail()
      return known.has(email) ? { action: 'VERIFY_OTP' } : { action: 'VERIFY_DEVICE', match: '42' }
    },
    async device(signal) {
      desk.request('device')
      await desk.wait('device', signal)
      known.add(current)
    },
    approveDevice: () => desk.settle('device'),
    async code(code) {
      desk.request('code', code)
      check(code)
      desk.set({ user: { email: current } })
    },
    async updateEmail(email) {
      desk.request('updateEmail', email)
      next = read(email)
      mail()
      return { action: 'VERIFY_PRIMARY_OTP' }
    },
    async updateEmailPrimary(code) {
      desk.request('updateEmailPrimary', code)
      check(code)
    },
    async updateEmailSecondary(code) {
      desk.request('updateEmailSecondary', code)
      check(code)
      desk.set({ user: { ...desk.state.getState().user, email: next } })
      return { newEmail: next }
    },
  }
}

type Windows = Pick<FakeLogin, 'social' | 'farcaster' | 'approve' | 'closeWindow'>

/** Fake windows and apps of identity providers. */
function fakeWindows({ blocked = false }: FakeLoginOptions, desk: LoginDesk): Windows {
  let coming: LoginUser = {}
  return {
    async social(social, { signal, onProgress }) {
      desk.request('social', social)
      coming = { userName: 'ann', social }
      if (blocked) onProgress?.({ blocked: true, open: () => onProgress({ waiting: true }) })
      else onProgress?.({ waiting: true, match: '42' })
      await desk.wait('window', signal)
      desk.set({ user: coming })
    },
    async farcaster(signal) {
      desk.request('farcaster')
      coming = { userName: 'ann', social: 'farcaster' }
      const done = desk.wait('window', signal).then(() => desk.set({ user: coming }))
      return { url: 'https://farcaster.invalid/~/sign?channel=abc', done }
    },
    approve(user = coming) {
      coming = user
      desk.settle('window')
    },
    closeWindow: () => desk.settle('window', loginError('embedded/popup-closed', {})),
  }
}
