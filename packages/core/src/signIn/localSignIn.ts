import type { ChainId, SignInSession } from '@latchkey/protocol'
import { systemClock, type Clock } from '../contracts/clock.ts'
import { pageStorage } from '../storage/pageStorage.ts'
import type { Storage } from '../storage/storage.ts'
import { draftOf, type SignInTexts } from './draft.ts'
import { isCurrent, readSessions } from './readSessions.ts'
import { isSameSignInAddress } from './isSameSignInAddress.ts'
import type { SignIn } from './signInState.ts'

export type LocalSignInOptions = SignInTexts & {
  /** Set to false to let users stay connected without signing in. Defaults to true. */
  required?: boolean
  /** The storage of the sessions. Defaults to the page's localStorage. */
  storage?: Storage
  clock?: Clock
}

const key = '@latchkey/siwx'
const week = 7 * 86_400_000

/**
 * Signs users in for this page only. Sessions are kept in its storage for a week by default, and adapters verify the
 * signatures. It proves nothing to a server, which must verify the signature itself: use `serverSignIn`.
 *
 * @example createLatchkey({ adapters, siwx: localSignIn({ statement: 'Welcome to Example.' }) })
 */
export function localSignIn(options: LocalSignInOptions = {}): SignIn {
  const { required = true, storage = pageStorage(), clock = systemClock, ...texts } = options
  const read = (): readonly SignInSession[] => {
    try {
      return readSessions(JSON.parse(storage.getItem(key) ?? '[]')).filter((each) => isCurrent(each, clock.now()))
    } catch {
      return []
    }
  }
  const write = (sessions: readonly SignInSession[]): void => {
    if (sessions.length === 0) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(sessions))
  }
  const others = (chainId: ChainId, address: string): readonly SignInSession[] =>
    read().filter(({ data }) => data.chainId !== chainId || !isSameSignInAddress(data.accountAddress, address))

  return {
    createMessage: (request) => draftOf({ lifetime: week, ...texts }, request, drawNonce(), clock.now()),
    async addSession(session) {
      const { chainId, accountAddress } = session.data
      write([...others(chainId, accountAddress), session])
    },
    setSessions: async (sessions) => write(sessions),
    getSessions: async (chainId, address) =>
      read().filter(({ data }) => data.chainId === chainId && isSameSignInAddress(data.accountAddress, address)),
    revokeSession: async (chainId, address) => write(others(chainId, address)),
    getRequired: () => required,
    verifiesInPage: true,
  }
}

/** 128 random bits. */
function drawNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
