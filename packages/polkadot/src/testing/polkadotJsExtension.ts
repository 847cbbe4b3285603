import { injectExtension } from '@polkadot/extension-inject'

/** The environment that the extension's code expects: its build sets these two. */
const ports = { EXTENSION_PREFIX: 'test', PORT_PREFIX: 'test' } as const

const password = 'correct horse'

type Background = typeof import('@polkadot/extension-base/background/handlers').default
type Request = Parameters<Background>[0]
type Port = NonNullable<Parameters<Background>[1]>
type Message = { id: string; origin?: string; response?: unknown; error?: string }

/** A request that the extension shows to the user. */
export type ShownRequest = { id: string; url: string; request: unknown }

/** The extension of polkadot-js, without its windows: the user's decisions are functions. */
export type PolkadotJsExtension = Awaited<ReturnType<typeof startPolkadotJsExtension>>

type Stub = (name: string, value: unknown) => unknown

/**
 * Starts the published base of the polkadot-js extension: its background, its keyring and its page code. The objects that
 * a browser gives it (`chrome`, the window of the page) are replaced by small ones.
 *
 * @param stub sets a global, such as `vi.stubGlobal`
 */
export async function startPolkadotJsExtension(stub: Stub) {
  const { handle, keyring, page, names } = await loadExtension(stub)
  const popup = createPort(names.PORT_EXTENSION)
  /** Sends a request of the extension's own windows. */
  const ask = (message: string, request?: unknown): Promise<unknown> =>
    popup.ask((id) => handle({ id, message, request } as Request, popup.port))
  const list = (message: string): Promise<readonly ShownRequest[]> =>
    listRequests(createPort(names.PORT_EXTENSION), (id, port) =>
      handle({ id, message, request: null } as Request, port),
    )

  return {
    /** Opens a page of a site, in which the content script of the extension runs. */
    openPage(origin: string): EventTarget {
      const content = createPort(names.PORT_CONTENT, `${origin}/`)
      content.listen((message) => page.handleResponse(message as Parameters<typeof page.handleResponse>[0]))
      const window = Object.assign(new EventTarget(), {
        postMessage: (message: Request) => queueMicrotask(() => handle(message, content.port)),
      })
      stub('window', window)
      injectExtension(page.enable, { name: 'polkadot-js', version: '0.62.3' })
      return window
    },
    /** Adds an account, protected by the password. */
    async addAccount(suri: string, name: string): Promise<string> {
      await ask('pri(accounts.create.suri)', { suri, name, password, type: 'sr25519', genesisHash: null })
      return keyring.createFromUri(suri, {}, 'sr25519').address
    },
    connectionRequests: () => list('pri(authorize.requests)'),
    approveConnection: (id: string, authorizedAccounts: readonly string[]) =>
      ask('pri(authorize.approve)', { id, authorizedAccounts }),
    rejectConnection: (id: string) => ask('pri(authorize.reject)', id),
    cancelConnection: (id: string) => ask('pri(authorize.cancel)', id),
    /** Changes the accounts that a site may see, in the settings of the extension. */
    shareAccounts: (url: string, authorizedAccounts: readonly string[]) =>
      ask('pri(authorize.update)', { url, authorizedAccounts }),
    forgetSite: (url: string) => ask('pri(authorize.remove)', url),
    signingRequests: () => list('pri(signing.requests)'),
    /** The account stays unlocked for the tests that follow: its key is derived in about a second. */
    approveSigning: (id: string) => ask('pri(signing.approve.password)', { id, password, savePass: true }),
    cancelSigning: (id: string) => ask('pri(signing.cancel)', { id }),
  }
}

/** Loads the code of the extension, which expects the globals of an extension when it is imported. */
async function loadExtension(stub: Stub) {
  stub('chrome', createChrome())
  Object.assign(process.env, ports)
  const [{ default: handle }, { keyring }, { cryptoWaitReady }, page, names] = await Promise.all([
    import('@polkadot/extension-base/background/handlers'),
    import('@polkadot/ui-keyring'),
    import('@polkadot/util-crypto'),
    import('@polkadot/extension-base/page'),
    import('@polkadot/extension-base/defaults'),
  ])
  await cryptoWaitReady()
  keyring.loadAll({ store: createKeyStore(), type: 'sr25519' })
  return { handle, keyring, page, names }
}

/** Subscribes to the requests that the extension shows to the user, until it sent the present ones. */
async function listRequests(
  shown: ReturnType<typeof createPort>,
  subscribe: (id: string, port: Port) => void,
): Promise<readonly ShownRequest[]> {
  const first = new Promise<readonly ShownRequest[]>((resolve) =>
    shown.listen((value) => {
      const subscription: unknown = Reflect.get(value, 'subscription')
      if (Array.isArray(subscription)) resolve(subscription)
    }),
  )
  subscribe(`list ${crypto.randomUUID()}`, shown.port)
  const requests = await first
  shown.disconnect()
  return requests
}

/** A port of the extension, from the background's point of view. */
function createPort(name: string, url?: string) {
  const listeners = new Set<(message: Message) => void>()
  const endings = new Set<() => void>()
  const port = {
    name,
    sender: url === undefined ? undefined : { url },
    postMessage: (message: Message) => listeners.forEach((listener) => listener(message)),
    onDisconnect: { addListener: (ending: () => void) => endings.add(ending) },
    // The background uses only these members.
  } as unknown as Port
  return {
    port,
    listen: (listener: (message: Message) => void) => void listeners.add(listener),
    disconnect: () => endings.forEach((ending) => ending()),
    ask(send: (id: string) => void): Promise<unknown> {
      const id = crypto.randomUUID()
      return new Promise((resolve, reject) => {
        const listener = (message: Message): void => {
          if (message.id !== id) return
          listeners.delete(listener)
          if (message.error === undefined) resolve(message.response)
          else reject(new Error(message.error))
        }
        listeners.add(listener)
        send(id)
      })
    },
  }
}

/** The functions of a browser that the background calls. */
function createChrome(): object {
  const stored = new Map<string, unknown>()
  return {
    runtime: { getURL: (path: string) => `chrome-extension://test/${path}`, lastError: undefined },
    action: { setBadgeText() {} },
    windows: { create() {}, remove() {} },
    storage: {
      local: {
        get: async () => Object.fromEntries(stored),
        set: async (values: object) => Object.entries(values).forEach(([key, value]) => stored.set(key, value)),
        remove: async (key: string) => void stored.delete(key),
      },
    },
  }
}

function createKeyStore() {
  const stored = new Map<string, unknown>()
  type Json = Parameters<Parameters<import('@polkadot/ui-keyring/types').KeyringStore['get']>[1]>[0]
  return {
    all: (each: (key: string, value: Json) => void) => stored.forEach((value, key) => each(key, value as Json)),
    get: (key: string, found: (value: Json) => void) => found(stored.get(key) as Json),
    set(key: string, value: unknown, done?: () => void) {
      stored.set(key, value)
      done?.()
    },
    remove(key: string, done?: () => void) {
      stored.delete(key)
      done?.()
    },
  }
}
