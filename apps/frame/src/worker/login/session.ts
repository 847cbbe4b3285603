import { isRecord } from '@latchkey/protocol'
import { createServiceRequest, ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import type { HolderUser } from '../keyHolder.ts'
import type { Device } from '../storage/device.ts'
import type { HolderStore } from '../storage/holderStore.ts'

/** The tokens that the auth service issues for a login. */
export type Tokens = {
  /** For the auth service. */
  readonly accessToken: string
  /** For the share store. */
  readonly sharesToken: string
  readonly refreshToken: string
}

/** The login of this browser. It survives a reload and is useless without the browser's device key. */
export type Session = {
  /** Returns the logged-in user as far as this browser knows. */
  user(): Promise<HolderUser | undefined>
  /** Starts another session. It stays in memory until `save` is called. */
  begin(tokens: Tokens): void
  /** Replaces the tokens of the same login. */
  replaceTokens(tokens: Tokens): Promise<void>
  /** Stores the session, so that it survives a reload. */
  save(user: HolderUser): Promise<void>
  /** Ends the session here and at the auth service. The device keeps its key share for the next login. */
  end(): Promise<void>
  /** Sends requests as the logged-in user. Renews an expired token first, and a refused one once. */
  readonly request: (url: string) => ServiceRequest
  /** Sends requests as a device without a login. */
  readonly requestWithoutLogin: (url: string) => ServiceRequest
}

export type SessionDependencies = {
  readonly device: Device
  readonly store: HolderStore
  readonly authUrl: string
  /** Milliseconds since the epoch. */
  now(): number
  /** Language that the frame is shown in (BCP 47). */
  language(): string
  /** Serialises work across all windows of this site (Web Locks). */
  alone<result>(act: () => Promise<result>): Promise<result>
}

type StoredSession = { readonly tokens: Tokens; readonly user?: HolderUser }

const name = 'session'
/** Tokens are renewed this early, because clocks differ. */
const expiryMarginMs = 30_000

export function createSession(dependencies: SessionDependencies): Session {
  const { device, authUrl, now, language } = dependencies
  const memory = createSessionMemory(dependencies)
  const requestAs = (url: string, accessToken: () => string | undefined): ServiceRequest =>
    createServiceRequest({ url, key: device.key, now, language, accessToken })
  const requestWithoutLogin = (url: string): ServiceRequest => requestAs(url, () => undefined)
  const renew = createRenewal(dependencies, memory, requestWithoutLogin(authUrl))

  return {
    requestWithoutLogin,
    request: (url) => async (method, path, body) => {
      const session = await memory.load()
      if (session === undefined) throw new ServiceRefusal(401, 'token', 'Log in first.')
      const tokens = isFresh(session.tokens, now()) ? session.tokens : await renew(session.tokens)
      try {
        return await requestAs(url, () => tokenFor(path, tokens))(method, path, body)
      } catch (error) {
        if (!isSessionEnded(error)) throw error
        const renewed = await renew(tokens)
        return requestAs(url, () => tokenFor(path, renewed))(method, path, body)
      }
    },
    user: async () => (await memory.load())?.user,
    begin: (tokens) => memory.replace({ tokens }),
    async replaceTokens(tokens) {
      await memory.save({ ...(await memory.load()), tokens })
    },
    async save(user) {
      const session = memory.current()
      if (session !== undefined) await memory.save({ ...session, user })
    },
    async end() {
      const session = await memory.load()
      await memory.clear()
      if (session === undefined) return
      const { refreshToken } = session.tokens
      await requestWithoutLogin(authUrl)('POST', '/auth/v1/tokens/end', { refreshToken })
    },
  }
}

/** The session in memory, and its encrypted copy in the store. */
type SessionMemory = {
  current(): StoredSession | undefined
  /** Reads the stored session once. Later calls return the one in memory. */
  load(): Promise<StoredSession | undefined>
  /** Reads the stored session again: another window may have changed it. */
  readStored(): Promise<StoredSession | undefined>
  replace(session: StoredSession): void
  /** Replaces the session, and stores it if it has a user. */
  save(session: StoredSession): Promise<void>
  clear(): Promise<void>
}

function createSessionMemory({ device, store }: SessionDependencies): SessionMemory {
  let current: StoredSession | undefined
  let isLoaded = false

  async function readStored(): Promise<StoredSession | undefined> {
    const bytes = await device.decrypt(name)
    const stored: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
    // This worker wrote and encrypted it.
    return isRecord(stored) ? (stored as StoredSession) : undefined
  }
  return {
    current: () => current,
    readStored,
    async load() {
      if (!isLoaded) {
        isLoaded = true
        current ??= await readStored()
      }
      return current
    },
    replace(session) {
      isLoaded = true
      current = session
    },
    async save(session) {
      current = session
      if (session.user === undefined) return
      const content = new TextEncoder().encode(JSON.stringify(session))
      await store.write({ [name]: await device.encrypt(name, content) })
    },
    async clear() {
      current = undefined
      isLoaded = true
      await store.write({ [name]: undefined })
    },
  }
}

/** Creates the function that renews tokens. If another window has already renewed them, it uses those. */
function createRenewal(
  { now, alone }: SessionDependencies,
  memory: SessionMemory,
  request: ServiceRequest,
): (used: Tokens) => Promise<Tokens> {
  return (used) =>
    alone(async () => {
      const session = memory.current()
      const latest = session?.user === undefined ? session : ((await memory.readStored()) ?? session)
      if (latest === undefined) throw new ServiceRefusal(401, 'token', 'This session has ended. Log in again.')
      if (latest.tokens.refreshToken !== used.refreshToken && isFresh(latest.tokens, now())) {
        memory.replace(latest)
        return latest.tokens
      }
      try {
        const { refreshToken } = latest.tokens
        const tokens = parseTokens(await request('POST', '/auth/v1/tokens', { refreshToken }))
        await memory.save({ ...latest, tokens })
        return tokens
      } catch (error) {
        if (isSessionEnded(error)) await memory.clear()
        throw error
      }
    })
}

/** @throws Error if the response has no tokens */
export function parseTokens(response: unknown): Tokens {
  if (isRecord(response)) {
    const { accessToken, sharesToken, refreshToken } = response
    if (typeof accessToken === 'string' && typeof sharesToken === 'string' && typeof refreshToken === 'string') {
      return { accessToken, sharesToken, refreshToken }
    }
  }
  throw new Error('The response has no tokens.')
}

/** Each service has its own access token. The path tells the service, because both may have the same URL. */
function tokenFor(path: string, { accessToken, sharesToken }: Tokens): string {
  return path.startsWith('/shares/') ? sharesToken : accessToken
}

function isSessionEnded(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 401 && error.field === 'token'
}

/** Reads the expiry that the token claims. Only the service verifies it. */
function isFresh({ accessToken }: Tokens, now: number): boolean {
  try {
    const [, claims = ''] = accessToken.split('.')
    const { exp }: { exp?: unknown } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof exp === 'number' && exp * 1_000 > now + expiryMarginMs
  } catch {
    return false
  }
}
