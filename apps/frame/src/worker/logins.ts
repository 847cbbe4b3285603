import { isRecord, ServiceRefusal } from '../services/ask.ts'
import { recover, type Keepers, type OpenWallet } from '../wallet/enrol.ts'
import type { WayOf } from '../wallet/rotate.ts'
import { seekApproval, type MailedLink } from './approval.ts'
import type { Device } from './device.ts'
import { enterWallet } from './entering.ts'
import type { HolderParts } from './holder.ts'
import type { Entered, HolderUser, KeyHolder, WayAnswer } from './keyHolder.ts'
import type { KnownLogins } from './knownLogins.ts'
import { createMailLogin, type LoggedIn } from './mailLogin.ts'
import { createOtherLogin, type Approval, type OtherEnd } from './otherLogin.ts'
import { readTokens, type Session } from './session.ts'

type LoginVerbs = Pick<
  KeyHolder,
  | 'sendCode'
  | 'awaitDevice'
  | 'redeem'
  | 'recoverBy'
  | 'beginSocial'
  | 'awaitProvider'
  | 'awaitSocial'
  | 'beginFarcaster'
  | 'awaitFarcaster'
  | 'awaitApproval'
>

export type LoginsParts = Pick<HolderParts, 'authUrl' | 'sharesUrl' | 'projectId' | 'now' | 'later'> & {
  readonly session: Session
  readonly known: KnownLogins
  readonly device: Device
  /** @param origin of the page that the login is for */
  keepersOf(user: string, origin?: string): Keepers
  opened(wallet: OpenWallet): void
  wayOf(answers: readonly WayAnswer[]): WayOf
}

/** A login of whom the services know who it is, while this device does not open the wallet yet. */
type Half = { readonly keepers: Keepers; readonly user: LoggedUser; readonly link?: MailedLink }

/** The ways to log in. Each ends in an open wallet, or in what the visitor has to do for that. */
export function createLogins(parts: LoginsParts): LoginVerbs & { forget(): void } {
  const { authUrl, sharesUrl, projectId, now, later, session, known, device, keepersOf, opened, wayOf } = parts
  const pause = (milliseconds: number) => new Promise<void>((resolve) => void later(resolve, milliseconds))
  const [auth, plainShares] = [session.askPlainly(authUrl), session.askPlainly(sharesUrl)]
  const mail = createMailLogin({ auth, shares: plainShares, projectId, isKnown: known.has, pause })
  const other = createOtherLogin({ auth, projectId, thumbprint: device.key.thumbprint, now, pause })
  let half: Half | undefined
  let origin: string | undefined
  const entered = new WeakMap<OtherEnd, Promise<Entered>>()

  async function enter(answer: LoggedIn, approval?: Approval): Promise<Entered> {
    const user = readUser(answer.user)
    session.begin(readTokens(answer.tokens))
    half = { user, keepers: keepersOf(user.who.id, origin) }
    try {
      return await goOn(half)
    } catch (error) {
      if (!wantsApproval(error)) throw error
      // Next time the device is approved before the code is sent.
      await known.forget(user.who.email)
      if (approval === undefined) throw error
      const shares = session.ask(sharesUrl)
      const link = await seekApproval({ shares, plainShares, projectId, pause }, approval)
      if (link === undefined) return goOn(half)
      half = { ...half, link }
      return { match: link.match, email: link.email }
    }
  }

  async function goOn({ user, keepers }: Half): Promise<Entered> {
    const found = await enterWallet({ keepers, wayOf: wayOf([]), isNew: !user.hasWallet, now })
    return 'wallet' in found ? { user: await settle(user, found.wallet) } : found
  }

  async function settle({ who }: LoggedUser, wallet: OpenWallet): Promise<HolderUser> {
    const user: HolderUser = { ...who, accounts: wallet.accounts }
    half = undefined
    opened(wallet)
    await session.keep(user)
    await known.add(user.email)
    return user
  }

  /** Its tokens are taken up once, however often the page asks what came of it. */
  function finish(end: OtherEnd): Promise<Entered> {
    const entering = entered.get(end) ?? enter(end.answer, end.approval)
    entered.set(end, entering)
    return entering
  }

  return {
    forget() {
      half = undefined
    },
    async sendCode({ fresh = false, ...ask }) {
      const user = await session.user()
      if (!fresh && user !== undefined && sameAddress(user.email, ask.email)) return { action: 'CONNECT' }
      ;({ origin } = ask)
      return mail.send(ask)
    },
    awaitDevice: mail.awaitDevice,
    redeem: async (code) => enter(await mail.redeem(code)),
    async recoverBy(answer) {
      if (half === undefined) throw new ServiceRefusal(409, 'login', 'Log in first.')
      return settle(half.user, await recover(half.keepers, wayOf([answer])))
    },
    beginSocial(ask) {
      ;({ origin } = ask)
      return other.beginSocial(ask)
    },
    awaitProvider: async () => void (await other.finish('social')),
    awaitSocial: async () => finish(await other.finish('social')),
    beginFarcaster(ask) {
      ;({ origin } = ask)
      return other.beginFarcaster(ask)
    },
    async awaitFarcaster() {
      const end = await other.finish('farcaster')
      const { userName } = readUser(end.answer.user).who
      return { ...(await finish(end)), ...(userName !== undefined && { userName }) }
    },
    async awaitApproval() {
      const waiting = half
      if (waiting?.link === undefined) throw new ServiceRefusal(409, 'login', 'Log in first.')
      await waiting.link.approved()
      return goOn(waiting)
    },
  }
}

type LoggedUser = { readonly who: Omit<HolderUser, 'accounts'>; readonly hasWallet: boolean }

function readUser(answer: unknown): LoggedUser {
  if (!isRecord(answer) || typeof answer.id !== 'string') throw new Error('a user that is none')
  const { id, email, userName, accounts, deletionAt } = answer
  return {
    who: {
      id,
      ...(typeof email === 'string' && { email }),
      ...(typeof userName === 'string' && { userName }),
      ...(typeof deletionAt === 'number' && { deletionAt }),
    },
    // The addresses themselves come of the keys.
    hasWallet: Array.isArray(accounts) && accounts.length > 0,
  }
}

function wantsApproval(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.status === 403 && error.field === 'device'
}

function sameAddress(one: string | undefined, other: string): boolean {
  return one?.trim().toLowerCase() === other.trim().toLowerCase()
}
