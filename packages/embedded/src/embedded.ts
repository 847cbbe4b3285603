import type { Connector, Login, LoginAppearance, LoginEvent, LoginState, SocialProvider, Storage } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import type { EmbeddedContext } from './embeddedContext.ts'
import { embeddedNamespaces, storagePrefix } from './embeddedNamespaces.ts'
import type { EmbeddedOptions } from './embeddedOptions.ts'
import type { EmbeddedWallet } from './embeddedWallet.ts'
import { createListeners, createObservable, type Listeners } from './observable.ts'

const allSocials: readonly SocialProvider[] = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook']

/** The options of `login`, and what it shares with the lazily loaded wallet. */
type LoginContext = EmbeddedContext & Listeners<LoginEvent> & Pick<EmbeddedOptions, 'socials'>

/**
 * Creates a connector for the embedded wallet: users log in by e-mail or a social account, and their keys stay in a frame
 * on another origin. The connector loads nothing until a user logs in or returns to a login.
 *
 * @param options `frame` is the origin of the deployment's frame, `projectId` the project of the app; both are required
 * @returns a connector with the id `embedded` and a `login`
 * @throws LatchkeyError `config/invalid` without a `projectId`, because the frame responds only to a project
 * @example const connector = embedded({ frame: 'https://wallet.example.org', projectId: 'ab'.repeat(16) })
 */
export function embedded(options: EmbeddedOptions): Connector {
  const { name = 'Email & Socials', icon, projectId } = options
  if (projectId === undefined || projectId === '') throw missingProject()
  const context: LoginContext = {
    ...options,
    ...createListeners<LoginEvent>(),
    frameOrigin: options.frame.replace(/\/+$/, ''),
    name,
    state: createObservable<LoginState>({
      user: undefined,
      accountType: undefined,
      mailAgainAt: undefined,
      screen: undefined,
    }),
    appearance: createObservable<LoginAppearance | undefined>(undefined),
    failure: createObservable<LatchkeyError | undefined>(undefined),
  }
  let loading: Promise<EmbeddedWallet> | undefined
  let wallet: EmbeddedWallet | undefined
  const load = (): Promise<EmbeddedWallet> =>
    (loading ??= import('./embeddedWallet.ts')
      .then(({ openEmbeddedWallet }) => openEmbeddedWallet(context))
      .then(
        (opened) => (wallet = opened),
        (error: unknown) => {
          // The next call downloads the chunk, or checks the frame, again.
          loading = undefined
          throw error
        },
      ))

  return {
    id: 'embedded',
    name,
    type: 'embedded',
    icon,
    namespaces: embeddedNamespaces,
    connect: async (request) => (await load()).connect(request),
    restore: async (request) => (hasLogin(options.storage) ? (await load()).restore(request) : []),
    disconnect: async () => {
      if (wallet !== undefined || hasLogin(options.storage)) await (await load()).disconnect()
    },
    reload: () => wallet?.reload(),
    login: createLogin(context, load, () => wallet),
  }
}

function missingProject(): LatchkeyError {
  const problems = ['embedded: projectId is missing. Pass the id of the app’s project, 32 hexadecimal characters.']
  return new LatchkeyError('config/invalid', { problems }, { sentence: `The configuration is invalid: ${problems[0]}` })
}

/**
 * Creates the login of the connector.
 *
 * @param load loads the wallet once
 * @param current returns `undefined` before the wallet is loaded
 */
function createLogin(
  { socials = allSocials, projectId = '', frameOrigin, state, appearance, failure, listen }: LoginContext,
  load: () => Promise<EmbeddedWallet>,
  current: () => EmbeddedWallet | undefined,
): Login {
  return {
    state,
    socials,
    listen,
    email: async (email) => (await load()).email(email),
    device: async (signal) => (await load()).device(signal),
    code: async (code) => (await load()).code(code),
    async social(provider, options) {
      // Browsers open a window only synchronously within the click.
      const opened = open('', 'latchkey-login', 'popup,width=600,height=800')
      load().catch(() => opened?.close())
      return (await load()).social(provider, opened, options)
    },
    farcaster: async (signal) => (await load()).farcaster(signal),
    updateEmail: async (email) => (await load()).updateEmail(email),
    updateEmailPrimary: async (code) => (await load()).updateEmailPrimary(code),
    updateEmailSecondary: async (code) => (await load()).updateEmailSecondary(code),
    setAccountType: async (type) => (await load()).setAccountType(type),
    openScreen: async (screen) => (await load()).openScreen(screen),
    get pages() {
      // The pages need the project and the login method.
      const social = state.get().user?.social
      const query = new URLSearchParams({ projectId, ...(social && { login: social }) })
      return { export: `${frameOrigin}/export/?${query}`, account: `${frameOrigin}/account/?${query}` }
    },
    place: (element) => current()?.place(element) ?? (() => {}),
    setAppearance: appearance.set,
    // The login itself reports a failed download.
    preload() {
      load().then(
        (wallet) => wallet.warm(),
        () => {},
      )
    },
    rejectAll: () => current()?.rejectAll(),
    get problem() {
      return failure.get()
    },
  }
}

/** True if the page remembers a login. Loads nothing. False on a server and where the browser denies storage. */
function hasLogin(storage: Pick<Storage, 'getItem'> | undefined): boolean {
  try {
    return ((storage ?? localStorage) as { getItem(key: string): unknown }).getItem(`${storagePrefix}login`) === 'true'
  } catch {
    return false
  }
}
