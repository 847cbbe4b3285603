import { pageStorage, systemClock, type Connector, type Login, type LoginState, type LoginUser } from '@latchkey/core'
import { frameTimes, connectionError } from '@latchkey/protocol'
import { createFrameSession } from './frameSession.ts'
import { createLoginSteps, withLoginErrors, type LoginSteps } from './login/loginSteps.ts'
import { createLoginMemory } from './login/loginMemory.ts'
import type { EmbeddedContext } from './embeddedContext.ts'
import type { FrameRequestOptions } from './frame/pendingRequests.ts'
import { loginBySocial } from './login/loginBySocial.ts'
import type { OpenedWindow } from './login/socialWindow.ts'

const consent: FrameRequestOptions = { timeoutMs: 120_000, needsApproval: true }

/** The lazily loaded connector. It loads when a login begins or is restored. */
export type EmbeddedWallet = Pick<Connector, 'connect' | 'restore' | 'disconnect'> &
  LoginSteps &
  Pick<Login, 'setAccountType' | 'place' | 'rejectAll'> & {
    /** As in `Login`, with the window that the click opened. */
    social(
      provider: Parameters<Login['social']>[0],
      opened: OpenedWindow | null,
      options: Parameters<Login['social']>[1],
    ): Promise<void>
    /** Starts loading the frame. */
    warm(): void
    reload(): void
  }

/**
 * Creates the wallet behind a frame. A frame that does not offer a signed release, as the app requires, is never loaded.
 *
 * @throws LatchkeyError `embedded/unsigned`, `embedded/unreachable`
 */
export async function openEmbeddedWallet(context: EmbeddedContext): Promise<EmbeddedWallet> {
  const { releases, frameOrigin, clock } = context
  if (releases !== undefined) {
    const { assertSignedFrame } = await import('./release/assertSignedFrame.ts')
    await assertSignedFrame(frameOrigin, releases, clock)
  }
  return createEmbeddedWallet(context)
}

/** Creates the wallet behind a frame that needs no check. */
export function createEmbeddedWallet(options: EmbeddedContext): EmbeddedWallet {
  const { clock = systemClock, storage = pageStorage(), state, emit, name } = options
  const memory = createLoginMemory(storage)
  const session = createFrameSession(options, memory)
  const { frame } = session
  const loggedIn = (user: LoginUser): void => {
    memory.login(user)
    change({ user })
  }
  const change = (part: Partial<LoginState>): void => state.set({ ...state.get(), ...part })
  const mailedAt = memory.mailedAt()
  change({ mailAgainAt: mailedAt === undefined ? undefined : mailedAt + frameTimes.mailCooldown })
  if (memory.isLoggedIn()) change({ user: memory.user() })

  return {
    ...createLoginSteps({
      frame,
      clock,
      memory,
      loggedIn,
      user: () => state.get().user,
      setMailAgainAt: (mailAgainAt) => change({ mailAgainAt }),
    }),
    social: (provider, opened, options) =>
      loginBySocial(
        { frame, clock, title: name, onceOpening: session.onceOpening, emit, loggedIn },
        provider,
        opened,
        options,
      ),
    async connect({ networks, signal }) {
      const [first, ...others] = await session.connect(networks, { ...consent, signal })
      if (first === undefined) throw connectionError('session/invalid', { reason: 'it covers none of the networks' })
      return [first, ...others]
    },
    restore: async ({ networks, signal }) => (memory.isLoggedIn() ? session.restore(networks, signal) : []),
    async disconnect() {
      const isKnown = memory.isLoggedIn() || session.isConnected()
      session.forget('user')
      // Without a login there is no frame, and none is loaded to log out.
      if (isKnown) await frame.request('SIGN_OUT', undefined, { timeoutMs: frameTimes.signOut }).catch(() => {})
      frame.end()
    },
    async setAccountType(type) {
      const chainId = session.activeEvmChain()
      // The frame acts on the network of its last request, which may belong to a namespace without account types.
      if (chainId !== undefined)
        await withLoginErrors(frame.request('SWITCH_NETWORK', { chainId }, { timeoutMs: frameTimes.login }))
      const response = await withLoginErrors(
        frame.request('SET_PREFERRED_ACCOUNT', { type }, { timeoutMs: 120_000, needsApproval: true }),
      )
      change({ accountType: response.type })
      await session.renew()
    },
    place: session.place,
    warm: frame.warm,
    rejectAll: frame.abandon,
    reload: () => frame.end(),
  }
}
