import { createAsk, isRecord, ServiceRefusal, type Ask } from '../services/ask.ts'
import type { Device } from './device.ts'
import type { HolderUser } from './keyHolder.ts'
import type { HolderStore } from './store.ts'

/** What the auth service hands out with a login. */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string }

/** The login of this browser: it outlives the page, and is of no use without this browser's key. */
export type Session = {
  /** Who is logged in, as far as this browser knows. */
  user(): Promise<HolderUser | undefined>
  /** Begins another one, in the worker's memory until there is a user with a wallet. */
  begin(tokens: Tokens): void
  /** Goes on with other tokens of the same login. */
  take(tokens: Tokens): Promise<void>
  /** Puts it away, so that it outlives the page. */
  keep(user: HolderUser): Promise<void>
  /** Ends it here and at the service; what the device needs for the next login stays. */
  end(): Promise<void>
  /** Asks as the one who is logged in: with a token that has not run out, and once more with another when it was refused. */
  readonly ask: (url: string) => Ask
  /** Asks as a device that nobody has logged in on. */
  readonly askPlainly: (url: string) => Ask
}

export type SessionParts = {
  readonly device: Device
  readonly store: HolderStore
  readonly authUrl: string
  now(): number
  /** Runs one thing at a time over all windows of this site; the platform's locks. */
  alone<result>(act: () => Promise<result>): Promise<result>
}

type Kept = { readonly tokens: Tokens; readonly user?: HolderUser }

const name = 'session'
/** Tokens are not used to the last second: clocks differ. */
const spareMs = 30_000

export function createSession({ device, store, authUrl, now, alone }: SessionParts): Session {
  let current: Kept | undefined
  let isRestored = false

  async function load(): Promise<Kept | undefined> {
    if (!isRestored) {
      isRestored = true
      current ??= await readKept()
    }
    return current
  }
  async function readKept(): Promise<Kept | undefined> {
    const bytes = await device.open(name)
    const kept: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
    // Written by this very worker, and locked.
    return isRecord(kept) ? (kept as Kept) : undefined
  }
  async function put(kept: Kept): Promise<void> {
    current = kept
    if (kept.user === undefined) return
    await store.write({ [name]: await device.lock(name, new TextEncoder().encode(JSON.stringify(kept))) })
  }
  async function forget(): Promise<void> {
    current = undefined
    isRestored = true
    await store.write({ [name]: undefined })
  }

  const asker = (url: string, accessToken: () => string | undefined): Ask =>
    createAsk({ url, key: device.key, now, accessToken })
  const askPlainly = (url: string): Ask => asker(url, () => undefined)

  /** Another window may have traded the token already: then its tokens are taken over. */
  function renew(used: Tokens): Promise<Tokens> {
    return alone(async () => {
      const latest = current?.user === undefined ? current : ((await readKept()) ?? current)
      if (latest === undefined) throw new ServiceRefusal(401, 'token', 'This session is over. Log in again.')
      if (latest.tokens.refreshToken !== used.refreshToken && isFresh(latest.tokens, now())) {
        current = latest
        return latest.tokens
      }
      try {
        const { refreshToken } = latest.tokens
        const tokens = readTokens(await askPlainly(authUrl)('POST', '/auth/v1/tokens', { refreshToken }))
        await put({ ...latest, tokens })
        return tokens
      } catch (error) {
        if (isOver(error)) await forget()
        throw error
      }
    })
  }

  function ask(url: string): Ask {
    return async (method, path, body) => {
      const kept = await load()
      if (kept === undefined) throw new ServiceRefusal(401, 'token', 'Log in first.')
      const tokens = isFresh(kept.tokens, now()) ? kept.tokens : await renew(kept.tokens)
      try {
        return await asker(url, () => tokens.accessToken)(method, path, body)
      } catch (error) {
        if (!isOver(error)) throw error
        const { accessToken } = await renew(tokens)
        return asker(url, () => accessToken)(method, path, body)
      }
    }
  }

  return {
    ask,
    askPlainly,
    user: async () => (await load())?.user,
    begin(tokens) {
      isRestored = true
      current = { tokens }
    },
    async take(tokens) {
      await put({ ...(await load()), tokens })
    },
    async keep(user) {
      if (current !== undefined) await put({ ...current, user })
    },
    async end() {
      const kept = await load()
      await forget()
      if (kept === undefined) return
      const { refreshToken } = kept.tokens
      await askPlainly(authUrl)('POST', '/auth/v1/tokens/end', { refreshToken })
    },
  }
}

/** @throws Error when the answer has none */
export function readTokens(answer: unknown): Tokens {
  if (isRecord(answer)) {
    const { accessToken, refreshToken } = answer
    if (typeof accessToken === 'string' && typeof refreshToken === 'string') return { accessToken, refreshToken }
  }
  throw new Error('tokens that are none')
}

function isOver(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 401 && error.field === 'token'
}

/** Reads the time that the token itself says; the service alone decides whether it is true. */
function isFresh({ accessToken }: Tokens, now: number): boolean {
  try {
    const [, claims = ''] = accessToken.split('.')
    const { exp }: { exp?: unknown } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof exp === 'number' && exp * 1_000 > now + spareMs
  } catch {
    return false
  }
}
