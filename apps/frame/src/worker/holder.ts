import type { Stretch } from '../custody/password.ts'
import { createAccount } from '../services/account.ts'
import { isRecord, ServiceRefusal } from '../services/ask.ts'
import { createAuthKeeper, createShareKeeper } from '../services/services.ts'
import type { Keepers, OpenWallet } from '../wallet/enrol.ts'
import { createAccountVerbs } from './accountVerbs.ts'
import { openDevice } from './device.ts'
import { enterWallet } from './entering.ts'
import type { HolderUser, KeyHolder } from './keyHolder.ts'
import { createKnownLogins } from './knownLogins.ts'
import { createLogins } from './logins.ts'
import { createOpenKeys } from './openKeys.ts'
import { createRecords } from './records.ts'
import { createSession } from './session.ts'
import type { HolderStore } from './store.ts'
import { createWays } from './ways.ts'

export type HolderParts = {
  readonly authUrl: string
  readonly sharesUrl: string
  readonly projectId: string
  /** Whether another page embeds this one: then no secret is ever shown. */
  readonly isFramed: boolean
  readonly store: HolderStore
  readonly stretch: Stretch
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls later, and returns what takes that back. */
  later(act: () => void, milliseconds: number): () => void
  /** Runs one thing at a time over all windows of this site. */
  alone<result>(act: () => Promise<result>): Promise<result>
}

/**
 * Makes the holder of a browser's keys, logins and parts.
 *
 * @example serveHolder(self, openHolder({ authUrl, sharesUrl, projectId, store: openStore('latchkey'), … }))
 */
export async function openHolder(parts: HolderParts): Promise<KeyHolder> {
  const { authUrl, sharesUrl, projectId, isFramed, store, stretch, now, later, alone } = parts
  const device = await openDevice(store)
  const session = createSession({ device, store, authUrl, now, alone })
  const known = createKnownLogins(device, store)
  const auth = session.ask(authUrl)
  const account = createAccount(auth)
  const shares = createShareKeeper(session.ask(sharesUrl))
  const keepersOf = (user: string, origin?: string): Keepers => ({
    auth: createAuthKeeper(auth, { origin }),
    shares,
    device: createRecords(device, store, user),
  })
  const keepers = async (): Promise<Keepers> => keepersOf((await current()).id)
  const keys = createOpenKeys({ open: openAgain, wiped: () => ways.wipe(), now, later })
  const opened = (wallet: OpenWallet): void => {
    keys.put(wallet)
    // It takes longer to load than to sign.
    loadSigning().catch(() => undefined)
  }
  const ways = createWays({ account, shares, stretch, keepers, opened, take: session.take })

  async function current(): Promise<HolderUser> {
    const user = await session.user()
    if (user === undefined) throw new ServiceRefusal(401, 'token', 'Log in first.')
    return user
  }
  /** Another device may have begun a new epoch: then this one recovers, if that needs nobody. */
  async function openAgain() {
    const found = await enterWallet({ keepers: await keepers(), wayOf: ways.wayOf([]), isNew: false, now })
    if ('wallet' in found) return found.wallet
    throw new ServiceRefusal(401, 'device', 'This device does not open the wallet any more. Log in again.')
  }

  const logins = createLogins({ ...parts, session, known, device, keepersOf, opened, wayOf: ways.wayOf })
  return {
    ...logins,
    ...ways.verbs,
    ...createAccountVerbs({
      account,
      projectId,
      isFramed,
      keepers,
      opened,
      wayOf: ways.wayOf,
      entropy: keys.entropy,
      async renamed(email) {
        await session.keep({ ...(await current()), email })
        await known.add(email)
      },
    }),
    async restore() {
      const user = await session.user()
      if (user === undefined) return undefined
      try {
        const told = await auth('GET', '/auth/v1/user')
        return withNews(user, told)
      } catch (error) {
        // Without a network nobody is logged out.
        return error instanceof ServiceRefusal && error.status === 401 ? undefined : user
      }
    },
    async signOut() {
      logins.forget()
      keys.wipe()
      await session.end()
    },
    async lock() {
      keys.wipe()
    },
    async sign(order) {
      const { signOrder } = await loadSigning()
      const key = await keys.privateKey(order.kind === 'solana' ? 'solana' : 'evm')
      try {
        return signOrder(key, order)
      } finally {
        key.fill(0)
      }
    },
  }
}

/** Most visits sign nothing. */
const loadSigning = (): Promise<typeof import('./sign.ts')> => import('./sign.ts')

function withNews(user: HolderUser, told: unknown): HolderUser {
  const deletionAt = isRecord(told) && typeof told.deletionAt === 'number' ? told.deletionAt : undefined
  return { ...user, ...(deletionAt !== undefined && { deletionAt }) }
}
