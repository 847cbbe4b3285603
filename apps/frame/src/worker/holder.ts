import { isRecord, ServiceRefusal } from '../services/ask.ts'
import { createAuthKeeper, type WalletAccount } from '../services/services.ts'
import { unlock } from '../wallet/enrol.ts'
import { openDevice } from './device.ts'
import { createEntrance, type Entrance } from './entering.ts'
import type { Entered, HolderUser, KeyHolder } from './keyHolder.ts'
import { createKnownLogins } from './knownLogins.ts'
import { createMailLogin, type LoggedIn } from './mailLogin.ts'
import { createOpenKeys } from './openKeys.ts'
import { createRecords } from './records.ts'
import { createSession, readTokens } from './session.ts'
import type { HolderStore } from './store.ts'

export type HolderParts = {
  readonly authUrl: string
  readonly sharesUrl: string
  readonly projectId: string
  readonly store: HolderStore
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls later, and returns what takes that back. */
  later(act: () => void, milliseconds: number): () => void
  /** Runs one thing at a time over all windows of this site. */
  alone<result>(act: () => Promise<result>): Promise<result>
}

/** The verbs that this step has; the others follow. */
type Verbs = Pick<
  KeyHolder,
  'restore' | 'sendCode' | 'awaitDevice' | 'redeem' | 'recoverBy' | 'signOut' | 'lock' | 'sign'
>

/**
 * Makes the holder of a browser's keys, logins and parts.
 *
 * @example serveHolder(self, openHolder({ authUrl, sharesUrl, projectId, store: openStore(), … }))
 */
export async function openHolder(parts: HolderParts): Promise<Verbs> {
  const { authUrl, sharesUrl, projectId, store, now, later, alone } = parts
  const device = await openDevice(store)
  const session = createSession({ device, store, authUrl, now, alone })
  const known = createKnownLogins(device, store)
  const [auth, shares] = [session.ask(authUrl), session.ask(sharesUrl)]
  const mail = createMailLogin({
    auth: session.askPlainly(authUrl),
    shares: session.askPlainly(sharesUrl),
    projectId,
    isKnown: known.has,
    pause: (milliseconds) => new Promise((resolve) => void later(resolve, milliseconds)),
  })
  const keys = createOpenKeys({ open: openAgain, now, later })
  /** A login that waits for the visitor's password or passkey. */
  let half: { readonly entrance: Entrance; readonly user: LoggedUser } | undefined

  async function openAgain() {
    const user = await session.user()
    const wallet =
      user && (await unlock({ auth: createAuthKeeper(auth), device: createRecords(device, store, user.id) }))
    if (wallet === undefined)
      throw new ServiceRefusal(401, 'device', 'This device does not open the wallet any more. Log in again.')
    return wallet
  }

  async function enter(answer: LoggedIn): Promise<Entered> {
    const user = readUser(answer.user)
    session.begin(readTokens(answer.tokens))
    const records = createRecords(device, store, user.id)
    const entrance = createEntrance({ auth, shares, records, now })
    try {
      const opened = await entrance.enter(user.accounts === undefined)
      if ('wallet' in opened) return { user: await settle(user, opened.wallet) }
      half = { entrance, user }
      return opened
    } catch (error) {
      // Next time the device is approved first.
      if (error instanceof ServiceRefusal && error.field === 'device') await known.forget(user.email)
      throw error
    }
  }

  async function settle({ id, email, userName }: LoggedUser, wallet: OpenedWallet): Promise<HolderUser> {
    half = undefined
    const user: HolderUser = { id, email, userName, accounts: wallet.accounts }
    keys.put(wallet)
    await session.keep(user)
    await known.add(email)
    return user
  }

  return {
    async restore() {
      const user = await session.user()
      if (user === undefined) return undefined
      try {
        await auth('GET', '/auth/v1/user')
      } catch (error) {
        // Without a network nobody is logged out.
        if (error instanceof ServiceRefusal && error.status === 401) return undefined
      }
      return user
    },
    async sendCode(ask) {
      const user = await session.user()
      const isAsked = ask.fresh !== true && user !== undefined && sameAddress(user.email, ask.email)
      if (isAsked) return { action: 'CONNECT' }
      return mail.send(ask)
    },
    awaitDevice: mail.awaitDevice,
    redeem: async (code) => enter(await mail.redeem(code)),
    async recoverBy() {
      if (half === undefined) throw new ServiceRefusal(409, 'login', 'Log in first.')
      throw new ServiceRefusal(501, 'login', 'Not yet.')
    },
    async signOut() {
      keys.wipe()
      half = undefined
      await session.end()
    },
    async lock() {
      keys.wipe()
    },
    async sign(order) {
      const entropy = await keys.entropy()
      try {
        // Loaded when something is signed for the first time.
        const { signOrder } = await import('./sign.ts')
        return signOrder(entropy, order)
      } finally {
        entropy.fill(0)
      }
    },
  }
}

type OpenedWallet = Parameters<ReturnType<typeof createOpenKeys>['put']>[0]

type LoggedUser = {
  readonly id: string
  readonly email?: string
  readonly userName?: string
  /** Absent before there is a wallet. */
  readonly accounts?: readonly WalletAccount[]
}

function readUser(answer: unknown): LoggedUser {
  if (!isRecord(answer) || typeof answer.id !== 'string') throw new Error('a user that is none')
  const { id, email, userName, accounts } = answer
  return {
    id,
    ...(typeof email === 'string' && { email }),
    ...(typeof userName === 'string' && { userName }),
    // Whether there are any is all that counts here: the addresses come of the keys.
    ...(Array.isArray(accounts) && accounts.length > 0 && { accounts: [] }),
  }
}

function sameAddress(one: string | undefined, other: string): boolean {
  return one?.trim().toLowerCase() === other.trim().toLowerCase()
}
