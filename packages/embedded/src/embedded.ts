import type {
  Clock,
  Connector,
  Login,
  LoginAccountType,
  LoginLook,
  LoginNews,
  LoginState,
  SocialProvider,
  Storage,
} from '@latchkey/core'
import type { LatchkeyError } from '@latchkey/protocol'
import { families, prefix } from './known.ts'
import type { OpenFrame } from './port.ts'
import { createObservable } from './state.ts'
import type { Wallet } from './wallet.ts'

export type EmbeddedOptions = {
  /** Where the frame of the deployment is: its origin, like `https://wallet.example.org`. */
  frame: string
  /** 32 hex characters that name the app to the frame's services. */
  projectId?: string
  /** Which social logins the deployment has; all of them when left out. */
  socials?: readonly SocialProvider[]
  name?: string
  /** A data URI. */
  icon?: string
  /** The kind of account to begin with, where there are two. */
  accountType?: LoginAccountType
  /** The language of the frame's screens (BCP 47); the page's own when left out. */
  language?: string
  /** Whether the frame tells its console what it does; never anything secret. */
  enableLogger?: boolean
  storage?: Storage
  clock?: Clock
  /** How the frame is reached; an iframe when left out. */
  open?: OpenFrame
}

const allSocials: readonly SocialProvider[] = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook']

/**
 * The wallet behind an e-mail address or a social account: its keys live in a frame of another origin, which this page
 * only speaks with. Nothing is loaded before somebody logs in, or was logged in.
 *
 * @example
 * createLatchkey({
 *   connectors: [embedded({ frame: 'https://wallet.example.org', projectId })],
 *   …
 * })
 */
export function embedded(options: EmbeddedOptions): Connector {
  const { name = 'Email & Socials', icon } = options
  const site = options.frame.replace(/\/+$/, '')
  const state = createObservable<LoginState>({
    user: undefined,
    accountType: undefined,
    mailAgainAt: undefined,
    screen: undefined,
  })
  const look = createObservable<LoginLook | undefined>(undefined)
  const listeners = new Set<(news: LoginNews) => void>()
  let problem: LatchkeyError | undefined
  let making: Promise<Wallet> | undefined
  let wallet: Wallet | undefined

  const load = (): Promise<Wallet> => {
    making ??= import('./wallet.ts').then(
      ({ createWallet }) =>
        (wallet = createWallet({
          ...options,
          site,
          name,
          state,
          look,
          failed: (error) => void (problem = error),
          tell: (news) => listeners.forEach((listener) => listener(news)),
        })),
      (error: unknown) => {
        // A chunk that could not be fetched may be fetched next time.
        making = undefined
        throw error
      },
    )
    return making
  }

  const login: Login = {
    state,
    socials: options.socials ?? allSocials,
    email: async (email) => (await load()).email(email),
    device: async (signal) => (await load()).device(signal),
    code: async (code) => (await load()).code(code),
    async social(provider, asked) {
      // In the click itself: a moment later the browser would not let us.
      const opened = open('', 'latchkey-login', 'popup,width=600,height=800') ?? undefined
      return (await load()).social(provider, opened, asked)
    },
    farcaster: async (signal) => (await load()).farcaster(signal),
    updateEmail: async (email) => (await load()).updateEmail(email),
    updateEmailPrimary: async (code) => (await load()).updateEmailPrimary(code),
    updateEmailSecondary: async (code) => (await load()).updateEmailSecondary(code),
    setAccountType: async (type) => (await load()).setAccountType(type),
    openScreen: async (screen) => (await load()).openScreen(screen),
    get pages() {
      // Told which project one comes from, and how one logs in there.
      const { projectId = '' } = options
      const { social } = state.get().user ?? {}
      const query = new URLSearchParams({ projectId, ...(social !== undefined && { login: social }) })
      return { export: `${site}/export/?${query}`, account: `${site}/account/?${query}` }
    },
    place: (element) => wallet?.place(element) ?? (() => {}),
    look: look.set,
    // What could not be fetched is fetched by the login itself.
    warm: () =>
      void load().then(
        ({ warm }) => warm(),
        () => {},
      ),
    rejectAll: () => wallet?.rejectAll(),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get problem() {
      return problem
    },
  }

  return {
    id: 'embedded',
    name,
    type: 'embedded',
    icon,
    namespaces: families,
    connect: async (request) => (await load()).connect(request),
    restore: async (request) => (isLoggedIn(options.storage) ? (await load()).restore(request) : []),
    disconnect: async () => {
      if (wallet !== undefined || isLoggedIn(options.storage)) await (await load()).disconnect()
    },
    reload: () => wallet?.reload(),
    login,
  }
}

/** Whether somebody was logged in, seen without loading anything; not on a server, or where a browser denies storage. */
function isLoggedIn(storage: Pick<Storage, 'getItem'> | undefined): boolean {
  try {
    return ((storage ?? localStorage) as { getItem(key: string): unknown }).getItem(`${prefix}login`) === 'true'
  } catch {
    return false
  }
}
