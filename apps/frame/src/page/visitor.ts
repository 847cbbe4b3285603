import { RpcError } from '../chain/rpcError.ts'
import type { Entered, HolderUser, KeyHolder, ShownWay } from '../worker/keyHolder.ts'
import type { Consents } from './consents.ts'

/** Who is logged in, as far as this very page may know. */
export type Visitor = {
  /** Undefined when nobody is, or when this page has not been let see it. */
  find(): Promise<HolderUser | undefined>
  /** @throws RpcError 4100 where `find` finds nobody */
  get(): Promise<HolderUser>
  /** Lets this page see somebody who logged in on it. */
  enter(entered: Entered, signal: AbortSignal): Promise<void>
  /** Asks whether this page may see who is logged in already. @throws RpcError 4001 */
  consent(signal: AbortSignal): Promise<void>
  leave(): Promise<void>
}

export type VisitorParts = {
  readonly holder: KeyHolder
  readonly consents: Consents
  /** The page's pinned origin. */
  origin(): string
  /** Has the visitor asked. */
  askConsent(who: { origin: string; account: string | undefined }, signal: AbortSignal): Promise<boolean>
  /** Has a new device approved by a link that was mailed. */
  askDevice(link: Extract<Entered, { match: string }>, signal: AbortSignal): Promise<Entered | undefined>
  /** Has the wallet of a new device opened by a password or a passkey. */
  askWay(ways: readonly ShownWay[], signal: AbortSignal): Promise<HolderUser | undefined>
}

export function createVisitor({ holder, consents, origin, askConsent, askDevice, askWay }: VisitorParts): Visitor {
  let user: HolderUser | undefined
  let restoring: Promise<HolderUser | undefined> | undefined

  async function restored(): Promise<HolderUser | undefined> {
    if (user !== undefined) return user
    restoring ??= holder.restore().finally(() => (restoring = undefined))
    user = await restoring
    return user
  }
  async function find(): Promise<HolderUser | undefined> {
    const found = await restored()
    return found !== undefined && (await consents.has(found.id, origin())) ? found : undefined
  }

  /** Through what a new device still has to do. */
  async function lead(entered: Entered | undefined, signal: AbortSignal): Promise<HolderUser | undefined> {
    if (entered === undefined || 'user' in entered) return entered?.user
    if ('ways' in entered) return askWay(entered.ways, signal)
    return lead(await askDevice(entered, signal), signal)
  }

  return {
    find,
    async get() {
      const found = await find()
      if (found === undefined) throw new RpcError(4100, 'Nobody is logged in on this page. Log in first.')
      return found
    },
    async enter(entered, signal) {
      user = await lead(entered, signal)
      if (user === undefined || signal.aborted) throw new RpcError(4001, 'User rejected the request')
      await consents.add(user.id, origin())
    },
    async consent(signal) {
      const found = await restored()
      if (found === undefined) throw new RpcError(4100, 'Nobody is logged in on this page. Log in first.')
      if (await consents.has(found.id, origin())) return
      const account = found.email ?? found.userName
      if (!(await askConsent({ origin: origin(), account }, signal))) {
        throw new RpcError(4001, 'User rejected the request')
      }
      await consents.add(found.id, origin())
    },
    async leave() {
      const found = await restored()
      user = undefined
      await holder.signOut()
      if (found !== undefined) await consents.clear(found.id)
    },
  }
}
