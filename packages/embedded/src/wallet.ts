import { pageStorage, systemClock, type Connector, type Login, type LoginState, type LoginUser } from '@latchkey/core'
import { frameTimes, LatchkeyError } from '@latchkey/protocol'
import { createDesk } from './desk.ts'
import { createSteps, said, type LoginSteps } from './login.ts'
import { createLoginMemory } from './memory.ts'
import type { Parts } from './parts.ts'
import type { AskOptions } from './questions.ts'
import { loginBySocial } from './socialLogin.ts'
import type { OpenedWindow } from './socialWindow.ts'

const consent: AskOptions = { milliseconds: 120_000, held: true }

/** The connector that does the work, loaded when a login begins or is taken up again. */
export type Wallet = Pick<Connector, 'connect' | 'restore' | 'disconnect'> &
  LoginSteps &
  Pick<Login, 'setAccountType' | 'place' | 'rejectAll'> & {
    /** Like that of a login, with the window that the click opened. */
    social(
      provider: Parameters<Login['social']>[0],
      opened: OpenedWindow | undefined,
      options: Parameters<Login['social']>[1],
    ): Promise<void>
    /** Begins to load the frame. */
    warm(): void
    reload(): void
  }

/** Makes the wallet behind a frame. */
export function createWallet(parts: Parts): Wallet {
  const { clock = systemClock, storage = pageStorage(), state, tell, name } = parts
  const memory = createLoginMemory(storage)
  const desk = createDesk(parts, memory)
  const { frame } = desk
  const loggedIn = (user: LoginUser): void => {
    memory.login(user)
    change({ user })
  }
  const change = (part: Partial<LoginState>): void => state.set({ ...state.get(), ...part })
  const mailedAt = memory.mailedAt()
  change({ mailAgainAt: mailedAt === undefined ? undefined : mailedAt + frameTimes.mailCooldown })
  if (memory.isLoggedIn()) change({ user: memory.user() })

  return {
    ...createSteps({
      frame,
      clock,
      memory,
      loggedIn,
      user: () => state.get().user,
      setMailAgainAt: (mailAgainAt) => change({ mailAgainAt }),
    }),
    social: (provider, opened, options) =>
      loginBySocial(
        { frame, clock, title: name, onceOpening: desk.onceOpening, tell, loggedIn },
        provider,
        opened,
        options,
      ),
    async connect({ networks, signal }) {
      const [first, ...others] = await desk.hold(networks, { ...consent, signal })
      if (first === undefined) throw new LatchkeyError('session/invalid', { reason: 'it covers none of the networks' })
      return [first, ...others]
    },
    restore: async ({ networks, signal }) => (memory.isLoggedIn() ? desk.restore(networks, signal) : []),
    async disconnect() {
      const isKnown = memory.isLoggedIn() || desk.isHeld()
      desk.forget('visitor')
      // Whoever was never logged in has no frame, and none is loaded to say goodbye to.
      if (isKnown) await frame.ask('SIGN_OUT', undefined, { milliseconds: frameTimes.signOut }).catch(() => {})
      frame.end()
    },
    async setAccountType(type) {
      const chainId = desk.chainOfKinds()
      // The frame acts on the network that it was asked about last, which may be one of a family without kinds.
      if (chainId !== undefined)
        await said(frame.ask('SWITCH_NETWORK', { chainId }, { milliseconds: frameTimes.login }))
      const answer = await said(frame.ask('SET_PREFERRED_ACCOUNT', { type }, { milliseconds: 120_000, held: true }))
      change({ accountType: answer.type })
      await desk.renew()
    },
    place: desk.place,
    warm: frame.warm,
    rejectAll: frame.abandon,
    reload: () => frame.end(),
  }
}
